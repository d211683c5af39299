"""A person takes the page of a decisions run: what was chosen before counts no more, and the model chooses anew."""

import threading
from pathlib import Path
from typing import Any

from app.core.decision import Answer
from app.core.events import AskRaised, CallAnswered, Recorded, RequestSent, SegmentStarted
from app.core.human import ControlChanged
from app.gate.inbox import AskInbox
from app.rehearsal.server import ScriptedModel
from app.runner.decision_words import CHOSEN_BEFORE, HAD_CONTROL, NOT_EXECUTED
from app.runner.session import Session
from tests.unit.app.runner.choosing import ChoosingDriver, choosing, run_choosing
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.test_by_hand import Keyboard
from tests.unit.app.runner.test_decisions_resumed import PRESSED, observed

WAIT_SECS = 120


class HandedDriver(ChoosingDriver):
    """A page that a person can take."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.human = Keyboard()


class Steps:
    """Waits for what becomes of a person's wish for the page."""

    def __init__(self, session: Session) -> None:
        self._seen = {step: threading.Event() for step in ("taken", "returned")}
        session.subscribe(self._follow)

    def _follow(self, recorded: Recorded) -> None:
        if isinstance(recorded.event, ControlChanged) and recorded.event.step in self._seen:
            self._seen[recorded.event.step].set()

    def wait(self, step: str) -> None:
        assert self._seen[step].wait(WAIT_SECS), step


def test_what_was_chosen_while_a_person_had_the_page_is_not_even_asked_about(tmp_path: Path) -> None:
    def begun(session: Session, model: ScriptedModel) -> None:
        steps = Steps(session)
        assert model.wait_until_held("first")
        session.by_hand.want_control()
        steps.wait("taken")
        session.by_hand.give_back()
        steps.wait("returned")
        model.release("first")

    held = 'choose = "press-reserve-table"\nwait_for = "first"'
    scenario = choosing(held, "type-name", "press-reserve-table", "done")
    run = run_choosing(scenario, tmp_path, make_driver=HandedDriver, begun=begun)
    check(run)
    assert run.ended.verification == "unverified", run.ended.reason
    assert [event.ask.call_id for event in run.of(AskRaised)] == ["choice-2", "choice-3"]
    words = NOT_EXECUTED.format(PRESSED)
    assert [event.output for event in run.of(CallAnswered)] == [[words]]
    for said in (HAD_CONTROL, words):
        assert [said in seen for seen in observed(run)] == [False, True, False, False]
    assert [(one.number, one.reason) for one in run.of(SegmentStarted)] == [(1, "the run begins"), (2, CHOSEN_BEFORE)]
    assert [event.turn for event in run.of(RequestSent)] == [1, 2, 3, 4]
    assert run.ended.attempted == ("press-reserve-table", "type-name", "press-reserve-table")
    assert run.ended.completed == ("type-name", "press-reserve-table")


def test_a_person_who_takes_the_page_after_an_allow_gets_it_once_the_action_is_over(tmp_path: Path) -> None:
    inbox = AskInbox()
    steps: list[Steps] = []

    class Person:
        def __init__(self, session: Session) -> None:
            self.session = session

        def ask_held(self, ask: Any) -> None:
            if ask.call_id == "choice-1":
                self.session.by_hand.want_control()
            inbox.answer(ask.ask_id, Answer(verdict="allow", by="person", shown_digest=ask.digest))

        def ask_settled(self, ask_id: str) -> None: ...

    def begun(session: Session, model: ScriptedModel) -> None:
        steps[0].wait("taken")
        session.by_hand.give_back()

    def before(session: Session) -> None:
        inbox.subscribe(Person(session))
        steps.append(Steps(session))

    scenario = choosing("type-name", "press-reserve-table", "done")
    run = run_choosing(scenario, tmp_path, make_driver=HandedDriver, inbox=inbox, before=before, begun=begun)
    check(run)
    assert run.ended.verification == "unverified", run.ended.reason
    assert [member for member, _ in run.did] == ["type", "click"]
    assert len(run.of(SegmentStarted)) == 1
    assert HAD_CONTROL in observed(run)[1]
