"""The inspector panels: what the moment says, in rows that grow and shrink with it."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.core.events import DiagnosticReported, FailureSeen, PageRead, TurnAnswered, UserTextAdded
from app.core.untrusted import PAGE_CHARS
from app.replay.cursor import Follow, Seek
from app.views.inspector.conversation import MOST_SHOWN, ConversationPanel
from app.views.inspector.diagnostics import DiagnosticsPanel
from app.views.inspector.ledger import LedgerPanel
from app.views.inspector.page_read import PageReadPanel
from app.views.inspector.panel import InspectorPanel
from app.views.inspector.pending_calls import PendingCallsPanel
from app.views.inspector.rows import RowsModel
from app.views.models.timeline_model import TimelineModel
from tests.views.decision.samples import Blobs
from tests.views.inspector.samples import ELEMENTS, answering, numbered, opening

CLASSES: list[type[Any]] = [
    PendingCallsPanel,
    PageReadPanel,
    ConversationPanel,
    DiagnosticsPanel,
    LedgerPanel,
]


class Desk:
    """All five panels on one model, on screen."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.model = TimelineModel(blobs=Blobs(), live=True)
        self.window = QWidget()
        qtbot.addWidget(self.window)
        row = QHBoxLayout(self.window)
        self.panels: dict[type[Any], Any] = {}
        for panel_class in CLASSES:
            self.panels[panel_class] = panel_class(self.model)
            row.addWidget(self.panels[panel_class])
        self.window.resize(1600, 500)
        self.window.show()
        with qtbot.waitExposed(self.window):
            pass

    def extend(self, events: list[Any]) -> None:
        """Let events come, and the panels redraw."""
        self.model.extend(numbered(events, self.model.timeline.last_seq + 1))
        self.settle()

    def settle(self) -> None:
        """Wait until no panel is stale."""
        self._qtbot.waitUntil(lambda: not any(panel._stale for panel in self.panels.values()))


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    made = Desk(qtbot)
    yield made
    made.window.close()


def _rows(panel: Any) -> list[str]:
    rows: RowsModel = panel.rows
    return [rows.row(at).words for at in range(rows.rowCount())]


def test_a_run_that_waits_for_an_answer(desk: Desk) -> None:
    desk.extend(opening())
    assert _rows(desk.panels[PendingCallsPanel]) == [
        "asked  browser_click  e41  now",
        "next  browser_get_page_text  same turn",
        'next  lookup  {"reference": "HT-3", "n": 1}  same turn',
    ]
    assert _rows(desk.panels[PageReadPanel]) == [
        "textbox  Name  “Party of two”  e37",
        "combobox  Guests  “2”  1 option: 2  e38",
        "checkbox  Window⟦U+202E⟧seat  not ticked  e40",
        "button  Reserve table  e41",
    ]
    assert "Left out: private, frame_limit" in desk.panels[PageReadPanel].omitted.shown_text()
    assert "The kitchen closes at 22:00." in desk.panels[PageReadPanel].text.shown_text()
    assert _rows(desk.panels[DiagnosticsPanel]) == ["request  completed  1,200 tokens  1,204 ms"]
    assert _rows(desk.panels[LedgerPanel]) == [
        "revision  3 · pending  saved 0.4 ms",
        "done  0",
        "not done  0",
        "may have happened  0",
        "events  7",
    ]
    summaries = [desk.panels[panel].summary for panel in CLASSES]
    assert summaries == ["3", "4 elements", "2", "1", "revision 3"]


def test_in_a_run_that_was_cut_off_nothing_is_next(desk: Desk) -> None:
    desk.extend(opening())
    desk.model.stopped_writing()
    desk.settle()
    assert _rows(desk.panels[PendingCallsPanel]) == [
        "not done  browser_click  e41  no decision",
        "not done  browser_get_page_text  never asked",
        'not done  lookup  {"reference": "HT-3", "n": 1}  never asked',
    ]


def test_the_models_words_are_quoted_and_labelled(desk: Desk) -> None:
    desk.extend([*opening(), *answering()])
    said = desk.panels[ConversationPanel].shown_text()
    assert "Model  “I filled in the form and will now reserve the table.”" in said
    assert "You  Take the window seat" in said
    assert "never part of a question" in said


def test_what_was_done_moves_to_its_row(desk: Desk) -> None:
    desk.extend(opening())
    desk.extend(answering())
    assert len(_rows(desk.panels[PendingCallsPanel])) == 2
    assert "done  1" in _rows(desk.panels[LedgerPanel])


def test_moving_the_cursor_shows_the_past_and_following_the_present(desk: Desk) -> None:
    desk.extend([*opening(), *answering()])
    now = {panel: _rows(desk.panels[panel]) for panel in CLASSES if panel is not ConversationPanel}
    said = desk.panels[ConversationPanel].shown_text()
    desk.model.do(Seek(2))
    desk.settle()
    assert _rows(desk.panels[PendingCallsPanel]) == []
    assert _rows(desk.panels[DiagnosticsPanel]) == []
    assert _rows(desk.panels[PageReadPanel]) == []
    assert "Model" not in desk.panels[ConversationPanel].shown_text()
    desk.model.do(Follow())
    desk.settle()
    assert {panel: _rows(desk.panels[panel]) for panel in now} == now
    assert desk.panels[ConversationPanel].shown_text() == said


def test_new_diagnostics_are_appended_and_nothing_is_rebuilt(desk: Desk) -> None:
    desk.extend(opening())
    rows = desk.panels[DiagnosticsPanel].rows
    inserted, reset = QSignalSpy(rows.rowsInserted), QSignalSpy(rows.modelReset)
    removed = QSignalSpy(rows.rowsRemoved)
    desk.extend(
        [DiagnosticReported(api="browser", stage="action", reason="completed", duration_ms=float(n)) for n in range(50)]
    )
    assert (inserted.count(), removed.count(), reset.count()) == (1, 0, 0)
    assert rows.rowCount() == 51


def test_diagnostics_can_be_filtered_and_the_filter_takes_no_focus_by_itself(desk: Desk) -> None:
    desk.extend([*opening(), *answering()])
    panel = desk.panels[DiagnosticsPanel]
    QTest.keyClicks(panel.filter, "APPROVAL")
    assert [panel.view.model().index(at, 0).data() for at in range(panel.view.model().rowCount())] == [
        "approval  refused  click"
    ]
    assert panel.filter.focusPolicy() == Qt.FocusPolicy.ClickFocus


def test_the_text_of_a_read_takes_the_height_there_is(desk: Desk, qtbot: QtBot) -> None:
    desk.extend(opening())
    panel = desk.panels[PageReadPanel]
    long = PageRead(
        call_id="read_2", member="get_page_text", tab_id="t1", url="https://example.com/",
        report={"version": 1, "text": "\n".join(f"line {n}" for n in range(200)), "elements": [], "omitted": []},
    )  # fmt: skip
    desk.extend([long])
    assert not panel.view.isVisible()
    # The layout gives the height a turn of the loop later.
    qtbot.waitUntil(lambda: panel.text.height() > panel.height() * 0.6)
    before = panel.text.sizeHint().height()
    desk.window.resize(1600, 900)
    qtbot.waitUntil(lambda: panel.text.sizeHint().height() > before)


def test_failures_stand_among_the_diagnostics_with_what_caused_them(desk: Desk) -> None:
    desk.extend(opening())
    failure = FailureSeen(where="browser.click", error="NotDone", detail="gone", causes=("OSError: the line broke",))
    desk.extend([failure, DiagnosticReported(api="responses", stage="action", reason="failed", duration_ms=40.0)])
    panel = desk.panels[DiagnosticsPanel]
    assert [row.split()[0] for row in _rows(panel)] == ["request", "failure", "action"]
    assert not panel.causes.isVisible()
    panel.view.setCurrentIndex(panel.shown_rows.index(1, 0))
    assert panel.causes.isVisible()
    assert panel.causes.value == "NotDone: gone\ncaused by OSError: the line broke"
    panel.view.setCurrentIndex(panel.shown_rows.index(0, 0))
    assert not panel.causes.isVisible()
    assert [(time.stage, time.words) for time in panel.chart.times] == [
        ("request", "1 time · 1,204 ms · 1,200 tokens"),
        ("action", "1 time · 40 ms"),
    ]
    assert "action: 1 time · 40 ms" in panel.chart.accessibleDescription()


def test_choosing_an_element_says_which(desk: Desk) -> None:
    desk.extend(opening())
    panel = desk.panels[PageReadPanel]
    chosen: list[object] = []
    panel.element_chosen.connect(chosen.append)
    place = panel.view.visualRect(panel.rows.index(3)).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == [ELEMENTS[3]]


def test_a_long_message_is_paged_and_old_ones_are_counted(desk: Desk) -> None:
    desk.extend(opening())
    desk.extend([UserTextAdded(text=f"word {number}") for number in range(MOST_SHOWN + 5)])
    panel = desk.panels[ConversationPanel]
    assert "7 earlier not shown" in panel.shown_text()
    assert f"word {MOST_SHOWN + 4}" in panel.shown_text()
    assert "Model" not in panel.shown_text()
    long = TurnAnswered(
        turn=2, response_id="resp_2", calls=(), messages=("x" * PAGE_CHARS * 3,), final=True, total_tokens=5
    )
    desk.extend([long])
    assert "6,000 characters" in panel.shown_text()


def test_a_hidden_panel_waits_until_it_is_shown(desk: Desk, qtbot: QtBot) -> None:
    panel: InspectorPanel = desk.panels[LedgerPanel]
    panel.hide()
    desk.model.extend(numbered(opening()))
    qtbot.waitUntil(lambda: not desk.panels[DiagnosticsPanel]._stale)
    assert _rows(panel) == []
    panel.show()
    assert _rows(panel)[0].startswith("revision")


def test_empty_panels_say_what_will_appear(desk: Desk) -> None:
    for panel_class in (PendingCallsPanel, PageReadPanel, DiagnosticsPanel, LedgerPanel):
        assert "appears here" in desk.panels[panel_class].empty_words._words or "appear here" in (
            desk.panels[panel_class].empty_words._words
        )
    assert "appears here" in desk.panels[ConversationPanel].shown_text()


def test_rows_are_painted_with_marks_and_ellipsis(desk: Desk) -> None:
    desk.extend(opening())
    panel = desk.panels[PageReadPanel]
    panel.setFixedWidth(140)
    wide = panel.view.grab().toImage()
    assert not wide.isNull()
    assert {wide.pixelColor(x, y).name() for x in range(0, wide.width(), 2) for y in range(0, wide.height(), 2)} != {
        "#ffffff"
    }
