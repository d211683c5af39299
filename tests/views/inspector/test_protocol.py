"""The protocol panel on a real run's record: what is chosen is read by a worker, searched, copied without the key."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.ledger.reader import LedgerReader
from app.rehearsal.scenario import load_scenario
from app.runner.kept import KeptBlobs
from app.views.inspector.protocol import ProtocolPanel
from app.views.models.timeline_model import TimelineModel
from tests.unit.app.runner.harness import run_scenario
from tests.views.decision.samples import Blobs

WAIT_MS = 60_000


def on_the_wire(plan: Any) -> Any:
    """Plan changer."""
    return plan.model_copy(update={"record": plan.record.model_copy(update={"wire": True})})


@pytest.fixture
def panel(qtbot: QtBot, tmp_path: Path) -> ProtocolPanel:
    """On the record of a whole streamed run, at its end."""
    run = run_scenario(load_scenario("booking"), tmp_path, plan=on_the_wire)
    with LedgerReader.open(run.ledger_path) as reader:
        blobs = KeptBlobs(reader, run.ledger_path)
        events = list(reader.events())
    blobs.run_over()
    model = TimelineModel(blobs=blobs)
    model.extend(events)
    shown = ProtocolPanel(model)
    model.setParent(shown)
    qtbot.addWidget(shown)
    shown.resize(520, 700)
    with qtbot.waitExposed(shown):
        shown.show()
    qtbot.waitUntil(lambda: shown.rows.rowCount() > 0, timeout=WAIT_MS)
    return shown


def choose(qtbot: QtBot, panel: ProtocolPanel, at: int) -> None:
    """Click a row and wait until it has been read."""
    place = panel.view.visualRect(panel.rows.index(at)).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    chosen = panel.rows.row(at).subject
    qtbot.waitUntil(lambda: panel._texts is not None and panel._texts.exchange is chosen, timeout=WAIT_MS)


def test_each_part_of_the_chosen_exchange_is_shown(qtbot: QtBot, panel: ProtocolPanel) -> None:
    choose(qtbot, panel, 1)
    assert '"model"' in panel.text.value
    assert '"function_call_output"' in panel.text.value
    panel.part.setCurrentText("Answer")
    assert panel.text.value.startswith('{\n  "id"')
    panel.part.setCurrentText("Events")
    first, *_, last = panel.text.value.splitlines()
    assert "response.created" in first
    assert "response.completed" in last
    panel.part.setCurrentText("Timing")
    assert "end of the body" in panel.text.value


def test_only_lines_with_the_searched_letters_are_shown_and_counted(qtbot: QtBot, panel: ProtocolPanel) -> None:
    choose(qtbot, panel, 0)
    panel.part.setCurrentText("Events")
    QTest.keyClicks(panel.search, "Response.Created")
    assert panel.found.text() == "1 line"
    assert len(panel.text.value.splitlines()) == 1
    panel.search.clear()
    assert len(panel.text.value.splitlines()) > 1


def test_in_a_narrow_panel_the_search_has_room_for_words(qtbot: QtBot, panel: ProtocolPanel) -> None:
    panel.resize(320, 700)
    choose(qtbot, panel, 0)
    QTest.keyClicks(panel.search, "response")
    assert panel.search.width() > panel.search.fontMetrics().horizontalAdvance("response.completed")


def test_a_copied_line_holds_the_request_and_not_the_key(qtbot: QtBot, panel: ProtocolPanel) -> None:
    choose(qtbot, panel, 0)
    QTest.mouseClick(panel.copy_button, Qt.MouseButton.LeftButton)
    line = QGuiApplication.clipboard().text()
    assert line.startswith("curl -X POST http://127.0.0.1:")
    assert 'Bearer $OPENAI_API_KEY"' in line


def test_without_a_record_of_the_wire_the_panel_says_how_to_get_one(qtbot: QtBot) -> None:
    model = TimelineModel(blobs=Blobs())
    shown = ProtocolPanel(model)
    model.setParent(shown)
    qtbot.addWidget(shown)
    shown.show()
    assert "wire = true" in shown.empty_words._words
    assert not shown.search.isEnabled()
