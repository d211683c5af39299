"""Whatever stands on the window after events came one by one stands on it too when the saved run is opened there."""

import pytest
from pytestqt.qtbot import QtBot

from app.replay.cursor import Seek
from app.views.models.timeline_model import TimelineModel
from app.views.window import ConsoleWindow
from tests.helpers.journals import JournalWriter, booking
from tests.views.conftest import OpenReplay
from tests.views.reading_screen import texts

WAIT_MS = 60_000


def settle(qtbot: QtBot, window: ConsoleWindow) -> None:
    assert window.stage is not None
    stage, model = window.stage, window.model
    assert model is not None
    frame = model.moment.frame

    def arrived() -> None:
        shot = stage.picture.shot
        assert (shot.label if shot is not None else None) == frame

    qtbot.waitUntil(arrived, timeout=WAIT_MS)


def check_same(qtbot: QtBot, fed: ConsoleWindow, saved: ConsoleWindow) -> None:
    """Fails with the difference; panels may be a moment behind each other while they settle."""

    def same() -> None:
        assert texts(fed) == texts(saved)

    settle(qtbot, fed)
    settle(qtbot, saved)
    qtbot.waitUntil(same, timeout=WAIT_MS)


@pytest.mark.parametrize("deny", [False, True], ids=["allowed", "denied"])
def test_the_words_are_the_same(
    open_replay: OpenReplay, windows: list[ConsoleWindow], qtbot: QtBot, deny: bool
) -> None:
    writer: JournalWriter = booking(deny_last=deny)
    fed = ConsoleWindow(settings_path=None)
    windows.append(fed)
    model = TimelineModel(blobs=writer.blobs)
    fed.show_run(model)
    fed.show()
    saved = open_replay(writer)
    assert saved.model is not None
    stops = [*range(1, len(writer.records), 9), len(writer.records)]
    given = 0
    for stop in stops:
        model.extend(writer.records[given:stop])
        given = stop
        saved_there = open_replay(writer, writer.records[:stop])
        check_same(qtbot, fed, saved_there)
        saved_there.close()
    settle(qtbot, fed)
    model.do(Seek(len(writer.records)))
    saved.model.do(Seek(len(writer.records)))
    for seq in (stops[3], stops[-2], 1, stops[-1]):
        model.do(Seek(seq))
        saved.model.do(Seek(seq))
        check_same(qtbot, fed, saved)
