"""What the demo without a display prints can be typed as it stands."""

import sys

import pytest

from app.cli.headless import _as_called


@pytest.mark.parametrize(
    ("called", "shown"),
    [
        (".venv/bin/signalbox", ".venv/bin/signalbox"),
        ("/home/ada/my tools/signalbox", "'/home/ada/my tools/signalbox'"),
        ("/home/ada/clone/app/__main__.py", "signalbox"),
    ],
)
def test_the_program_is_named_as_it_was_called(monkeypatch: pytest.MonkeyPatch, called: str, shown: str) -> None:
    monkeypatch.setattr(sys, "argv", [called, "demo"])
    assert _as_called() == shown
