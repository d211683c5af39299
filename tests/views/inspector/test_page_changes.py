"""What a page read says anew can be shown alone, and a change is said with what was there before."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.events import PageRead
from app.replay.cursor import Seek
from app.views.inspector.page_read import PageReadPanel
from app.views.window import ConsoleWindow
from tests.helpers.journals import JournalWriter, booking
from tests.views.conftest import OpenReplay
from tests.views.inspector.samples import ELEMENTS

WAIT_MS = 60_000


def read(elements: list[dict[str, Any]], text: str) -> PageRead:
    report = {"version": 1, "text": text, "elements": elements, "omitted": []}
    return PageRead(call_id="c", member="read_page", report=report, tab_id="t1", url="http://127.0.0.1")


def run() -> JournalWriter:
    writer = JournalWriter()
    writer.add(booking().records[0].event)
    writer.add(read(ELEMENTS, "Closed on Monday."))
    ticked = {**ELEMENTS[2], "checked": True}
    added = {"ref": "e50", "role": "link", "label": "Undo"}
    writer.add(read([{**ELEMENTS[0], "value": "Two"}, ELEMENTS[1], ticked, added], "Open on Monday."))
    writer.add(read([{**ELEMENTS[0], "value": "Two"}, ELEMENTS[1], ticked, added], "Open on Monday."))
    return writer


def words(panel: PageReadPanel) -> list[str]:
    return [panel.rows.row(at).words for at in range(panel.rows.rowCount())]


def panel_of(window: ConsoleWindow) -> PageReadPanel:
    panel = window.docks["page_read"].panel
    assert isinstance(panel, PageReadPanel)
    return panel


def test_only_what_changed_is_shown_and_what_it_was(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(run())
    with qtbot.waitExposed(window):
        pass
    panel = panel_of(window)
    assert window.model is not None
    window.model.do(Seek(3))
    qtbot.waitUntil(lambda: panel.changes.isEnabled(), timeout=WAIT_MS)
    QTest.mouseClick(panel.changes, Qt.MouseButton.LeftButton)
    said = words(panel)
    assert said[0].startswith("changed  Name  “Two”  was “Party of two”")
    assert "was not ticked" in said[1]
    assert said[2:4] == ["new  link  Undo  e50", "gone  button  Reserve table  e41"]
    assert said[4:] == ["gone  text  Closed on Monday.", "new  text  Open on Monday."]
    assert panel.summary == "6 changes"
    window.model.do(Seek(4))
    qtbot.waitUntil(lambda: panel.summary == "0 changes", timeout=WAIT_MS)
    assert words(panel) == ["nothing changed  since the read before"]
    QTest.mouseClick(panel.changes, Qt.MouseButton.LeftButton)
    assert panel.summary == "4 elements"


def test_the_first_read_is_shown_whole(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(run())
    with qtbot.waitExposed(window):
        pass
    panel = panel_of(window)
    panel.changes.setChecked(True)
    assert window.model is not None
    window.model.do(Seek(2))
    qtbot.waitUntil(lambda: panel.summary == "nothing read before", timeout=WAIT_MS)
    assert panel.rows.rowCount() == 4
