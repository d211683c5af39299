"""A terminal gets nothing to obey: no control sequence, no change of order, whoever wrote the words."""

import os
import sys
from pathlib import Path

import pytest

from app.cli import terminal
from app.cli.terminal import Unprintable, harmless, say, say_of_run


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("plain words\n  in two lines\tand a tab · 12 %", "plain words\n  in two lines\tand a tab · 12 %"),
        ("\x1b]0;Signalbox: allowed\x07", "⟦U+001B⟧]0;Signalbox: allowed⟦U+0007⟧"),
        ("\x1b[2J\x9b31m", "⟦U+001B⟧[2J⟦U+009B⟧31m"),
        ("not done\rdone", "not done⟦U+000D⟧done"),
        ("a\u202eb\u2066c\u200bd", "a⟦U+202E⟧b⟦U+2066⟧c⟦U+200B⟧d"),
        ("half \ud83d", "half ⟦U+D83D⟧"),
        ("Grüße, 東京, 🙂", "Grüße, 東京, 🙂"),
    ],
)
def test_what_a_terminal_would_obey_is_named(words: str, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert harmless(words) == printed
    say(words)
    assert capsys.readouterr().out == printed + "\n"


def test_each_command_prints_by_it() -> None:
    folder = Path(terminal.__file__).parent
    files = [*folder.glob("*.py"), folder.parent / "main.py"]
    assert [file.name for file in files if "click.echo" in file.read_text("utf-8")] == ["terminal.py"]


TAKES_NOTHING = Path("/dev/full")


@pytest.mark.skipif(not TAKES_NOTHING.exists(), reason="needs a device that takes nothing")
def test_a_full_disk_is_told_and_takes_no_run_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with TAKES_NOTHING.open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(Unprintable, match=r"cannot be written \(No space left on device\)"):
            say("a table")
    with TAKES_NOTHING.open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        say_of_run("run r · finished")
        say_of_run("and more")
    assert capsys.readouterr().err == "what is printed cannot be written (No space left on device)\n"


def test_a_reader_that_has_gone_ends_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stderr", gone)
        say("the sandbox is off", err=True)
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        say_of_run("run r · finished")
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        with pytest.raises(BrokenPipeError):
            say("a table")
