"""The checks on this very machine, and with parts of it taken away."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.doctor import probes
from app.doctor.browser import NO_SANDBOX_AS_ROOT, check_browser, check_playwright, check_sandbox
from app.doctor.checks import CHECKS, check_key, check_python, check_sqlite
from app.doctor.finding import State
from app.doctor.libraries import missing_libraries, playwright_binaries
from app.doctor.run import ALL_IS_HERE, SOMETHING_IS_MISSING, run_doctor
from app.doctor.storage import check_data_folder
from app.doctor.system import this_system
from app.doctor.window import check_display, check_fonts, check_qt
from tests.unit.app.doctor.test_system import machine

SYSTEM = this_system()


def test_the_machine_that_runs_the_tests_has_all_that_is_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_doctor(fix=False, home=tmp_path) == ALL_IS_HERE
    shown = capsys.readouterr().out
    assert "All that is needed is here." in shown
    assert len([line for line in shown.splitlines() if line.startswith(("ok", "note"))]) == len(CHECKS)


def test_something_missing_is_exit_code_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert run_doctor(fix=False, home=blocked) == SOMETHING_IS_MISSING
    assert "Missing: Data folder." in capsys.readouterr().out


def test_the_doctor_itself_loads_neither_qt_nor_playwright() -> None:
    code = "import sys, app.doctor.run; print([m for m in ('PySide6', 'playwright', 'openai') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_the_key_is_never_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    found = check_key(SYSTEM, tmp_path)
    assert found.state is State.OK
    assert "secret" not in repr(found)


def test_no_key_is_only_a_note(tmp_path: Path) -> None:
    assert check_key(SYSTEM, tmp_path).state is State.NOTE


def test_python_and_sqlite_are_new_enough(tmp_path: Path) -> None:
    assert check_python(SYSTEM, tmp_path).state is State.OK
    assert check_sqlite(SYSTEM, tmp_path).state is State.OK


def test_qt_loads_and_fonts_are_looked_at(tmp_path: Path) -> None:
    assert check_qt(SYSTEM, tmp_path).state is State.OK
    assert check_fonts(SYSTEM, tmp_path).state in {State.OK, State.NOTE}


def test_fonts_of_a_desktop_system_are_its_own(tmp_path: Path) -> None:
    assert check_fonts(machine("windows"), tmp_path).state is State.OK


@pytest.mark.skipif(sys.platform != "linux", reason="an X display")
def test_a_display_that_is_not_there_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.setenv("DISPLAY", ":9999")
    found = check_display(SYSTEM, tmp_path)
    assert found.state is State.MISSING
    assert ":9999" in found.says


def test_drawing_offscreen_is_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert check_display(SYSTEM, tmp_path).state is State.NOTE


def test_playwrights_own_program_starts(tmp_path: Path) -> None:
    found = check_playwright(SYSTEM, tmp_path)
    assert found.state is State.OK, found.says
    assert missing_libraries(playwright_binaries()) == []


def test_the_browser_starts(tmp_path: Path) -> None:
    found = check_browser(SYSTEM, tmp_path)
    assert found.state is State.OK, found.says


@pytest.mark.skipif(sys.platform != "linux", reason="browsers lie elsewhere")
def test_without_a_browser_a_download_and_packages_are_proposed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    found = check_browser(machine("debian", 12), tmp_path)
    assert (found.state, found.wants_browser) == (State.MISSING, True)
    assert "chromium" in found.packages
    assert check_browser(machine("ubuntu", 24, 4), tmp_path).packages == ()
    assert check_sandbox(machine("debian", 12), tmp_path).state is State.NOTE


@pytest.mark.skipif(sys.platform != "linux", reason="a script stands for the browser")
@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("exit 7", "ended with code 7"),
        ("echo '[1:2:ERROR:zygote.cc(1)] No usable sandbox!' >&2; exit 1", "No usable sandbox!"),
    ],
)
def test_a_browser_that_does_not_start_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, why: str
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text(f"#!/bin/sh\n{script}\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "none"))
    for check in (check_browser, check_sandbox):
        found = check(machine("debian", 12), tmp_path)
        assert (found.state, why in found.says) == (State.MISSING, True), found


def test_as_root_the_missing_sandbox_is_said_in_words(tmp_path: Path) -> None:
    found = check_sandbox(machine("debian", 12, is_root=True), tmp_path)
    assert (found.state, found.says) == (State.NOTE, NO_SANDBOX_AS_ROOT)


def test_a_data_folder_is_made_and_left_empty(tmp_path: Path) -> None:
    home = tmp_path / "a" / "b"
    assert check_data_folder(SYSTEM, home).state in {State.OK, State.NOTE}
    assert list(home.iterdir()) == []


def test_a_question_that_crashes_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(probes.ProbeFailedError, match="KeyError"):
        probes.ask("no such question")


def test_a_foreign_package_in_the_current_folder_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    monkeypatch.chdir(tmp_path)
    assert probes.ask("sqlite")["version"]
