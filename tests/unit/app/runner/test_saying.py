"""What a person says to the model reaches it at the next boundary, once, and is on record when it does."""

from pathlib import Path
from typing import Any

import pytest

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.events import ActionStarted, SegmentStarted, UserTextAdded
from app.gate.inbox import AskInbox
from app.rehearsal.server import ScriptedModel
from app.runner.session import Session
from app.runner.told import SAID
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import Run, run_scenario
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.scenes import answer, scene
from tests.unit.app.runner.test_modes import MODES, in_mode

WORDS = "Take the later one."


def messages(run: Run, request: int) -> list[Any]:
    """The user's messages in that request, with where they stand."""
    items = run.model.requests[request].body["input"]
    return [(at, item["content"]) for at, item in enumerate(items) if item.get("role") == "user"]


def said(run: Run) -> list[str]:
    return [event.text for event in run.of(UserTextAdded) if event.reason == SAID]


@pytest.mark.parametrize("mode", list(MODES))
def test_words_said_while_the_model_thinks_go_with_the_outputs_of_its_turn(tmp_path: Path, mode: str) -> None:
    def begun(session: Session, model: ScriptedModel) -> None:
        assert model.wait_until_held("first")
        session.by_hand.say(WORDS)
        session.by_hand.say("  ")
        session.by_hand.say("And quickly.")
        model.release("first")

    scenario = scene(answer(scenes.READ, before='wait_for = "first"'), answer(scenes.DONE))
    run = run_scenario(scenario, tmp_path, plan=in_mode(mode), begun=begun)
    check(run)
    assert run.ended.status == "finished"
    last = len(run.model.requests[1].body["input"]) - 1
    assert messages(run, 1)[1:] == [(last - 1, WORDS), (last, "And quickly.")]
    assert said(run) == [WORDS, "And quickly."]
    assert len(run.of(SegmentStarted)) == 1


class SayingInbox(AskInbox):
    """A person who says something at each question before allowing it."""

    def __init__(self) -> None:
        super().__init__()
        self.session: Session | None = None
        self.subscribe(self)

    def ask_held(self, ask: Ask) -> None:
        assert self.session is not None
        self.session.by_hand.say(f"{WORDS} {ask.call_id}")
        self.answer(ask.ask_id, Answer(verdict="allow", by="person", shown_digest=ask.digest))

    def ask_settled(self, ask_id: str) -> None: ...


@pytest.mark.parametrize("mode", list(MODES))
def test_words_said_while_a_turn_is_acted_on_go_with_its_outputs_and_nothing_is_done_again(
    tmp_path: Path, mode: str
) -> None:
    inbox = SayingInbox()

    def before(session: Session) -> None:
        inbox.session = session

    scenario = scene(answer(scenes.READ), answer(scenes.TYPE_NAME, scenes.READ_TEXT), answer(scenes.DONE))
    run = run_scenario(scenario, tmp_path, plan=in_mode(mode), inbox=inbox, before=before)
    check(run)
    assert run.ended.status == "finished", run.ended.reason
    assert run.model.problems == []
    assert [member for member, _ in run.did] == ["type"]
    assert [event.member for event in run.of(ActionStarted)] == ["read_page", "type", "get_page_text"]
    assert said(run) == [f"{WORDS} call_002_01"]
    last = len(run.model.requests[2].body["input"]) - 1
    assert messages(run, 2)[-1] == (last, f"{WORDS} call_002_01")
    assert len(run.model.requests) == 3, "no answer was given up for it"


def test_words_that_come_with_the_final_message_are_not_sent_and_not_on_record_as_sent(tmp_path: Path) -> None:
    def begun(session: Session, model: ScriptedModel) -> None:
        assert model.wait_until_held("last")
        session.by_hand.say(WORDS)
        model.release("last")

    run = run_scenario(scene(answer(scenes.DONE, before='wait_for = "last"')), tmp_path, begun=begun)
    check(run)
    assert run.ended.status == "finished"
    assert said(run) == []


def test_words_said_before_the_first_request_do_not_stand_in_the_task_s_place(tmp_path: Path) -> None:
    def before(session: Session) -> None:
        session.by_hand.say(WORDS)

    run = run_scenario(scene(answer(scenes.READ), answer(scenes.DONE)), tmp_path, before=before)
    check(run)
    assert [words for _, words in messages(run, 0)] == ["Do as you are told."]
    assert [words for _, words in messages(run, 1)] == ["Do as you are told.", WORDS]
