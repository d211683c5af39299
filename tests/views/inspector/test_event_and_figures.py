"""The event at the cursor stands there as it is on record, and the figures are those of the cursor's place."""

import json

from pytestqt.qtbot import QtBot

from app.replay.cursor import Seek
from app.views.inspector.event_panel import EventPanel
from app.views.inspector.figures import FiguresPanel
from app.views.window import ConsoleWindow
from tests.helpers.journals import booking
from tests.views.conftest import OpenReplay

WAIT_MS = 60_000


def in_front(window: ConsoleWindow, key: str) -> object:
    window.docks[key].raise_()
    return window.docks[key].panel


def test_the_event_at_the_cursor_is_shown_letter_for_letter(open_replay: OpenReplay, qtbot: QtBot) -> None:
    writer = booking()
    window = open_replay(writer)
    panel = in_front(window, "event")
    assert isinstance(panel, EventPanel)
    assert window.model is not None
    for seq in (1, 40):
        window.model.do(Seek(seq))
        qtbot.waitUntil(lambda seq=seq: panel.summary == str(seq), timeout=WAIT_MS)  # type: ignore[misc]
        assert json.loads(panel.json) == json.loads(writer.records[seq - 1].event.model_dump_json())


def test_figures_are_those_of_the_cursor_s_place(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    panel = in_front(window, "figures")
    assert isinstance(panel, FiguresPanel)
    assert window.model is not None
    model = window.model

    def said() -> list[str]:
        return [panel.rows.row(at).words for at in range(panel.rows.rowCount())]

    qtbot.waitUntil(lambda: any("tokens  20,860" in words.replace("  ", "  ") for words in said()), timeout=WAIT_MS)
    model.do(Seek(model.timeline.turns.seq_of(0)))
    qtbot.waitUntil(lambda: any("tokens  2,190" in words for words in said()), timeout=WAIT_MS)
    assert any(words.startswith("model  1.2 s") for words in said())
