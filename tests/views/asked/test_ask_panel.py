"""Each ask is shown as it was shown, with the answer that was known where the cursor stands."""

from pytestqt.qtbot import QtBot

from app.core.events import ActionEnded, ActionStarted, EffectReconciled, RunResumed
from app.replay.cursor import NextAsk, Seek
from app.views.asked.ask_panel import EMPTY, AskPanel
from app.views.decision.ask_body import AskBody
from tests.helpers.journals import JournalWriter, booking
from tests.views.conftest import OpenReplay

WAIT_MS = 60_000


def wait_for_body(qtbot: QtBot, panel: AskPanel) -> AskBody:
    qtbot.waitUntil(lambda: panel.body is not None, timeout=WAIT_MS)
    assert panel.body is not None
    return panel.body


def panel_of(open_replay: OpenReplay, writer: JournalWriter) -> AskPanel:
    panel = open_replay(writer).docks["ask"].panel
    assert isinstance(panel, AskPanel)
    return panel


def test_every_ask_of_a_saved_run_with_its_answer(open_replay: OpenReplay, qtbot: QtBot) -> None:
    writer = booking(deny_last=True)
    window = open_replay(writer)
    panel, model = window.docks["ask"].panel, window.model
    assert isinstance(panel, AskPanel)
    assert model is not None
    model.do(Seek(1))
    assert panel.title.text() == EMPTY
    seen = []
    while model.do(NextAsk()):
        seen.append((panel.title.text(), panel.answer.text(), panel.summary))
        assert "127.0.0.1:8000" in wait_for_body(qtbot, panel).shown_text()
    assert [one[0] for one in seen] == [
        "Open an address",
        "Type text",
        "Choose an option",
        "Type text",
        "Choose an option",
        "Click on a page element",
    ]
    assert {one[1] for one in seen} == {"waiting for an answer"}
    assert [one[2] for one in seen] == [f"{number} of 6" for number in range(1, 7)]


def test_the_answer_appears_with_its_decision(open_replay: OpenReplay) -> None:
    writer = booking(deny_last=True)
    window = open_replay(writer)
    panel, model = window.docks["ask"].panel, window.model
    assert isinstance(panel, AskPanel)
    assert model is not None
    assert panel.answer.text().startswith("denied by you · ")
    assert panel.answer.text().endswith(" · after 2.1 s")
    assert panel.note.text() == "Note to the model: “Not today, please.”"
    assert panel.became.isHidden()
    record = model.timeline.asks[0]
    assert record.decided_seq is not None
    model.do(Seek(record.decided_seq))
    assert panel.answer.text().startswith("allowed by you")
    assert panel.became.text() == "The call: allowed"
    model.do(Seek(record.decided_seq + 2))
    assert panel.became.text() == "The call: done"


def test_nothing_in_it_answers(open_replay: OpenReplay) -> None:
    panel = panel_of(open_replay, booking(stop_at_last_ask=True))
    from PySide6.QtWidgets import QAbstractButton

    assert [button for button in panel.findChildren(QAbstractButton) if button.isVisibleTo(panel)] == []


def test_a_record_that_does_not_match_itself_is_not_shown(open_replay: OpenReplay, qtbot: QtBot) -> None:
    writer = booking(stop_at_last_ask=True)
    last = writer.records[-1]
    forged = last.event.model_copy(update={"ask": last.event.ask.model_copy(update={"digest": "0" * 64})})  # type: ignore[union-attr]
    writer.records[-1] = type(last)(last.seq, last.wall_ms, last.mono_ns, forged)
    panel = panel_of(open_replay, writer)
    qtbot.waitUntil(lambda: not panel.busy, timeout=WAIT_MS)
    assert panel.body is None
    assert panel.title.text() == "This question does not match its record and is not shown"


def test_the_picture_of_the_ask_is_shown(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking(stop_at_last_ask=True))
    window.show()
    panel = window.docks["ask"].panel
    assert isinstance(panel, AskPanel)

    def painted() -> None:
        assert panel.body is not None
        assert panel.body.crop is not None
        assert panel.body.crop.was_painted

    panel.holder.ensureVisible(0, 2000)
    qtbot.waitUntil(painted, timeout=WAIT_MS)


def test_what_an_operator_found_stands_beside_the_three_words(open_replay: OpenReplay) -> None:
    """From the event on with which it was said, and not before."""
    writer = booking()
    started = [one.event for one in writer.records if isinstance(one.event, ActionStarted)][-1]
    writer.records = writer.records[: [one.event for one in writer.records].index(started) + 1]
    call_id = started.call_id
    writer.add(RunResumed(by="person", base_revision=1, model="m", plan={}, versions={}))
    writer.add(ActionEnded(call_id=call_id, outcome="may_have_happened"))
    writer.add(EffectReconciled(call_id=call_id, source="browser", member="click", found="done", by="person"))
    window = open_replay(writer)
    panel, model = window.docks["ask"].panel, window.model
    assert isinstance(panel, AskPanel)
    assert model is not None
    assert panel.became.text() == "The call: may have happened · the operator says: done"
    model.do(Seek(len(writer.records) - 1))
    assert panel.became.text() == "The call: may have happened"
