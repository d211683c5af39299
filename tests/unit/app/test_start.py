"""The program's start: what opens a window at once, and what is read first."""

import subprocess
import sys

import pytest

from app import start
from app.core.errors import RehearsalProblem, SignalboxError

LOADED = """
import sys
from app.start import _window
assert _window({given!r}) is not None
print(sorted({{"click", "asyncio", "pydantic", "openai", "playwright", "platformdirs", "PySide6"}} & set(sys.modules)))
"""


@pytest.mark.parametrize("given", [[], ["demo"]])
def test_a_window_is_asked_for_without_the_command_line(given: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(given=given)], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("given", [["--version"], ["demo", "--list"], ["demo", "booking"], ["--home", "x"], ["replay"]])
def test_everything_else_is_read_first(given: list[str]) -> None:
    assert start._window(given) is None


def test_what_a_shell_asks_opens_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(start.COMPLETION, "bash_complete")
    assert start._window([]) is None


def test_the_command_line_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(["--version"]) == 0
    assert "signalbox" in capsys.readouterr().out
    assert start.main(["no-such-command"]) == 2


@pytest.mark.parametrize(
    ("problem", "code", "words"),
    [
        (RehearsalProblem("the port is taken: 8000"), RehearsalProblem.exit_code, "the port is taken: 8000"),
        (KeyboardInterrupt(), SignalboxError.exit_code, "interrupted"),
        (PermissionError(13, "Permission denied", "/not/mine"), 1, "Permission denied: /not/mine"),
    ],
)
def test_a_window_that_cannot_be_had_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], problem: BaseException, code: int, words: str
) -> None:
    def fail(*, home: object) -> int:
        raise problem

    monkeypatch.setattr("app.cli.live.demo_in_window", fail)
    assert start.main(["demo"]) == code
    assert words in capsys.readouterr().err
