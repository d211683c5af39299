"""Windows for tests: each is closed at the end, and the program's looks start light."""

from collections.abc import Iterator
from typing import Protocol

import pytest
from pytestqt.qtbot import QtBot

from app.core.events import Recorded
from app.views.application import open_replay_window
from app.views.style import appearance
from app.views.window import ConsoleWindow
from tests.helpers.journals import JournalWriter, folded


class OpenReplay(Protocol):
    """Opens a saved run in a window."""

    def __call__(
        self, writer: JournalWriter, records: list[Recorded] | None = None, *, cut_off: bool = False
    ) -> ConsoleWindow:
        """`records` instead of all of the writer's."""


@pytest.fixture(autouse=True)
def _light_looks(qtbot: QtBot) -> Iterator[None]:
    """No test sees the theme that another one chose."""
    appearance().choose("light")
    yield
    appearance().choose("light")


@pytest.fixture
def windows(qtbot: QtBot) -> Iterator[list[ConsoleWindow]]:
    """Windows put in here are closed at the end of the test."""
    opened: list[ConsoleWindow] = []
    yield opened
    for window in opened:
        if not window.is_closed:
            window.close()


@pytest.fixture
def open_replay(windows: list[ConsoleWindow]) -> OpenReplay:
    """Opens a saved run in a window."""

    def open_it(
        writer: JournalWriter, records: list[Recorded] | None = None, *, cut_off: bool = False
    ) -> ConsoleWindow:
        timeline = folded(writer.records if records is None else records)
        window = open_replay_window(timeline, writer.blobs, settings_path=None, cut_off=cut_off)
        windows.append(window)
        return window

    return open_it
