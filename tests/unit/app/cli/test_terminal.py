"""A terminal gets nothing to obey: no control sequence, no change of order, whoever wrote the words."""

from pathlib import Path

import pytest

from app.cli import terminal
from app.cli.terminal import harmless, say


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
