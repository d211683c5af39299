"""What is wrong is said with what and where, and with the exit code of the contract."""

import sys
from pathlib import Path

import pytest

from tests.end2end.program import signalbox
from tests.helpers.ledger_commands import LEDGER_COMMANDS
from tests.unit.app.ledger.test_recordings import far_ahead

RUN_FILE = 'task = "x"\nmodel = "m"\n'


def test_an_unknown_key_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(RUN_FILE + "\n[browser]\nstart_ulr = 'https://a.example/'\n")
    ran = signalbox("run", str(file), home=tmp_path, OPENAI_API_KEY="k")
    assert ran.code == 2
    assert f"{file}:5: browser.start_ulr: there is no such key" in ran.err


def test_a_run_file_that_is_not_toml(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text("task = \n")
    ran = signalbox("run", str(file), home=tmp_path, OPENAI_API_KEY="k")
    assert ran.code == 2
    assert f"{file} is not TOML" in ran.err


def test_no_run_file(tmp_path: Path) -> None:
    ran = signalbox("run", str(tmp_path / "none.toml"), home=tmp_path, OPENAI_API_KEY="k")
    assert ran.code == 2
    assert "none.toml" in ran.err


def test_no_key(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(RUN_FILE)
    ran = signalbox("run", str(file), home=tmp_path)
    assert ran.code == 3
    assert "OPENAI_API_KEY" in ran.err


def test_no_model(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('task = "x"\n')
    ran = signalbox("run", str(file), home=tmp_path, OPENAI_API_KEY="k")
    assert ran.code == 2
    assert "OPENAI_MODEL" in ran.err


def test_no_browser(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    nowhere = tmp_path / "no-browser"
    file.write_text(RUN_FILE + f"[browser]\nsandbox = false\nexecutable_path = '{nowhere}'\n")
    ran = signalbox("run", str(file), home=tmp_path, OPENAI_API_KEY="k")
    assert ran.code == 3
    assert str(nowhere) in ran.err
    assert not list(tmp_path.glob("runs/*.signalbox")), "no run began"


def test_no_such_scenario(tmp_path: Path) -> None:
    for more in ((), ("--unattended",)):
        ran = signalbox("demo", "nothing", *more, home=tmp_path)
        assert ran.code == 2
        assert "nothing" in ran.err
        assert "booking" in ran.err, "it names those that there are"
        assert "propagateSizeHints" not in ran.err, "no window was opened for it"
    assert not list(tmp_path.glob("runs/*")), "no run began"


@pytest.mark.parametrize("command", LEDGER_COMMANDS)
def test_a_saved_run_that_is_not_there_is_wrong_usage(command: str, tmp_path: Path) -> None:
    ran = signalbox(command, str(tmp_path / "none.signalbox"), *LEDGER_COMMANDS[command], home=tmp_path)
    assert ran.code == 2
    assert "none.signalbox' does not exist" in ran.err
    assert not list(tmp_path.iterdir()), "nothing was written, no window was opened"


@pytest.mark.parametrize("content", [b"", b"hello, this is a letter\n" * 100, b"SQLite format 3\x00" + b"\x07" * 5000])
def test_a_file_that_is_no_ledger(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "thing.signalbox"
    file.write_bytes(content)
    for command in ("replay", "verify"):
        ran = signalbox(command, str(file), home=tmp_path)
        assert ran.code == 1
        assert ran.err.splitlines()[-1].endswith(str(file))
        assert "Traceback" not in ran.err
        assert "propagateSizeHints" not in ran.err, "what Qt says of having no display is not for people"


def test_a_command_that_is_none(tmp_path: Path) -> None:
    assert signalbox("frobnicate", home=tmp_path).code == 2


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    home = tmp_path / "file"
    home.write_text("not a folder")
    ran = signalbox("demo", "--unattended", home=home)
    assert ran.code == 1
    assert str(home) in ran.err


def test_a_ledger_from_the_future_is_refused_kindly(tmp_path: Path) -> None:
    path = far_ahead(tmp_path / "far.signalbox")
    for command, more in (("replay", ()), ("export", ("--to", "html", "-o", str(tmp_path / "out.html")))):
        ran = signalbox(command, str(path), *more, home=tmp_path)
        assert ran.code == 1
        assert "made by a newer Signalbox (format 7) that this one cannot read" in ran.err
        assert "Traceback" not in ran.err
    assert not (tmp_path / "out.html").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_a_window_where_there_is_no_display_is_something_missing(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(RUN_FILE)
    for arguments in ((), ("run", str(file))):
        ran = signalbox(*arguments, home=tmp_path, OPENAI_API_KEY="k", QT_QPA_PLATFORM="")
        assert ran.code == 3, ran.err
        assert ran.err.splitlines()[-1].startswith("There is no display here")
        assert "qt.qpa" not in ran.err
    assert not list(tmp_path.glob("runs/*.signalbox")), "no run began"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"QT_QPA_PLATFORM": "", "DISPLAY": ":64997"}, "nothing answers at the display :64997 (DISPLAY)"),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":64997"}, "nothing answers at the display :64997 (DISPLAY)"),
        ({"QT_QPA_PLATFORM": "nothing-of-qt"}, "Qt can draw on nothing here (QT_QPA_PLATFORM: nothing-of-qt)"),
    ],
)
def test_a_display_that_does_not_answer_is_named_in_place_of_an_abort(
    env: dict[str, str], words: str, tmp_path: Path
) -> None:
    path = far_ahead(tmp_path / "far.signalbox")
    # The demo does without a window only where nobody has said what to draw on.
    for arguments in ((), ("replay", str(path)), ("demo",) if env["QT_QPA_PLATFORM"] else ()):
        ran = signalbox(*arguments, home=tmp_path, **env)
        assert ran.code == 3, ran.err
        [said] = ran.err.splitlines()
        assert said.startswith("No window can be shown")
        assert words in said
    assert not list(tmp_path.glob("runs/*.signalbox")), "no run began"


def test_a_file_that_is_no_run_opens_no_window(tmp_path: Path) -> None:
    other = tmp_path / "notes.signalbox"
    other.write_text("Milk, bread")
    # A window would wait to be closed.
    ran = signalbox("replay", str(other), home=tmp_path)
    assert ran.code == 1
    assert str(other) in ran.err
