"""Each selected candidate is asked before it is executed: allowed, denied, another one taken, stopped."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.events import AskRaised, DecisionMade, RequestSent
from app.core.ports import InboxClosed
from app.runner.decision_words import QUESTION
from tests.unit.app.runner import own_choices
from tests.unit.app.runner.choosing import BOOKED, RESERVED, ChoosingDriver, choosing, own, run_choosing
from tests.unit.app.runner.harness import DRAIN_TEST_SECS
from tests.unit.app.runner.invariants import check

TEXTS = 'texts = { Name = "Ada Park" }'
DENY = '[operator]\ndefault = "deny"'
PICK = """[operator]
default = "allow"
[[operator.answers]]
kind = "candidate"
member = "click"
answer = "deny"
pick = "{pick}"
times = 1
"""


class Inbox:
    """Answers as it is told, and keeps what was asked."""

    def __init__(self, **answer: Any) -> None:
        self._answer = answer
        self.asked: list[Ask] = []
        self.closed: str | None = None

    async def hold(self, ask: Ask) -> Answer:
        if self.closed is not None:
            raise InboxClosed(self.closed)
        self.asked.append(ask)
        return Answer(by="person", shown_digest=ask.digest, **self._answer)

    def close(self, reason: str) -> None:
        self.closed = reason


def test_what_was_asked_of_the_model_is_what_was_sent(tmp_path: Path) -> None:
    run = run_choosing(choosing(*BOOKED, choosing=f"{TEXTS}\n{RESERVED}"), tmp_path)
    offers = [event.offer for event in run.of(RequestSent)]
    for offer, request in zip(offers, run.model.requests, strict=True):
        assert offer is not None
        (question,) = request.body["questions"]
        assert question["instructions"] == offer.question == QUESTION
        assert request.body["input"][1]["content"] == offer.observation
        listed = [{"value": one.candidate_id, "description": one.description} for one in offer.candidates]
        assert question["choices"] == listed
    for raised, offer in zip(run.of(AskRaised), offers, strict=False):
        ask = raised.ask
        assert (ask.kind, ask.source, ask.on_deny) == ("candidate", "decisions", "run_ends")
        assert ask.offer is not None
        assert offer is not None
        assert ask.offer.chosen_by == "model"
        assert ask.offer.observation == offer.observation
        assert (ask.offer.confidence, ask.offer.output_tokens) == (0.9, 2)
        assert ask.evidence.picture is not None


def test_the_last_completed_action_is_carried_and_no_handle_is(tmp_path: Path) -> None:
    run = run_choosing(choosing(*BOOKED, choosing=f"{TEXTS}\n{RESERVED}"), tmp_path)
    first, second, third = [request.body["input"][1]["content"] for request in run.model.requests]
    assert "Nothing has been done yet." in first
    assert "Last completed action: Type “Ada Park” into the field “Name”" in second
    assert "- Name: Ada Park" in second
    assert "Last completed action: Press “Reserve table”" in third
    assert "Text of the page before it:" in third
    assert not any('"e0"' in str(request.body) for request in run.model.requests)


def test_a_denied_candidate_is_not_done_and_ends_the_run(tmp_path: Path) -> None:
    run = run_choosing(choosing("type-name", operator=DENY), tmp_path)
    check(run)
    assert run.did == []
    assert run.ended.status == "stopped"
    assert run.ended.reason == "the chosen action was denied; nothing of it was done; executed: none"
    assert (run.ended.attempted, run.ended.completed) == (("type-name",), ())
    call = run.timeline.call("choice-1")
    assert call is not None
    assert call.state_at(run.timeline.last_seq) == "denied"


def test_a_rule_denies_too(tmp_path: Path) -> None:
    rule = {"verdict": "deny", "kinds": ["candidate"], "members": ["click"], "text": "nothing is pressed"}

    def ruled(plan: Any) -> Any:
        return type(plan).model_validate({**plan.model_dump(by_alias=True, exclude={"streaming"}), "rules": [rule]})

    run = run_choosing(choosing("type-name", "press-reserve-table"), tmp_path, plan=ruled)
    check(run)
    assert run.ended.status == "failed"
    assert run.ended.reason.startswith("a rule denied the chosen action: nothing is pressed")
    assert [member for member, _ in run.did] == ["type"]


def test_an_address_that_is_never_opened_is_denied_without_asking(tmp_path: Path) -> None:
    leading = """[[choosing.candidates]]
id = "away"
description = "Go away"
member = "navigate"
arguments = { url = "javascript:alert(1)" }
"""
    inbox = Inbox(verdict="allow")
    run = run_choosing(choosing("away", choosing=leading), tmp_path, inbox=inbox)
    check(run)
    assert inbox.asked == []
    assert run.did == []
    assert run.ended.reason.startswith("a rule denied the chosen action: the address is not opened")


def test_another_candidate_is_the_operator_s_choice_and_asked_about_by_itself(tmp_path: Path) -> None:
    scenario = choosing("press-reserve-table", "done", operator=PICK.format(pick="type-name"))
    run = run_choosing(scenario, tmp_path)
    check(run)
    assert [member for member, _ in run.did] == ["type"]
    first, second = [event.ask for event in run.of(AskRaised)]
    assert first.offer is not None
    assert second.offer is not None
    assert (first.offer.chosen, first.offer.chosen_by) == ("press-reserve-table", "model")
    assert (second.offer.chosen, second.offer.chosen_by) == ("type-name", "operator")
    assert (first.call_id, second.call_id) == ("choice-1", "choice-1-operator")
    denied, allowed = [event.decision for event in run.of(DecisionMade)]
    assert (denied.verdict, denied.picked, allowed.verdict, allowed.picked) == ("deny", "type-name", "allow", "")
    states = [call.state_at(run.timeline.last_seq) for call in run.timeline.calls if "choice" in call.proposed.call_id]
    assert states == ["denied", "done"]
    told = run.model.requests[1].body["input"][1]["content"]
    assert "(chosen by the operator in place of your choice)" in told
    assert run.ended.verification == "unverified"


def test_an_ending_names_what_was_executed_not_what_the_model_had_chosen_in_its_place(tmp_path: Path) -> None:
    scenario = choosing("press-reserve-table", "no-such-candidate", operator=PICK.format(pick="type-name"))
    run = run_choosing(scenario, tmp_path)
    check(run)
    assert run.ended.status == "failed"
    assert run.ended.reason.endswith("; executed: type-name")
    assert run.ended.completed == ("press-reserve-table",), "the SDK's own evidence stays as it is"


@pytest.mark.parametrize("pick", ["done", "press-reserve-table", "no-such-thing"])
def test_what_cannot_be_taken_instead_is_a_plain_denial(pick: str, tmp_path: Path) -> None:
    run = run_choosing(choosing("press-reserve-table", operator=PICK.format(pick=pick)), tmp_path)
    check(run)
    assert run.did == []
    assert [event.decision.picked for event in run.of(DecisionMade)] == [""]
    assert run.ended.status == "stopped"


def test_an_allow_that_names_another_candidate_allows_only_what_was_asked(tmp_path: Path) -> None:
    inbox = Inbox(verdict="allow", picked="press-reserve-table")
    run = run_choosing(choosing("type-name", "done"), tmp_path, inbox=inbox)
    check(run)
    assert [member for member, _ in run.did] == ["type"]


def test_stop_on_the_question_ends_the_run(tmp_path: Path) -> None:
    run = run_choosing(choosing("type-name"), tmp_path, inbox=Inbox(verdict="stop"))
    check(run)
    assert run.ended.status == "stopped"
    assert run.ended.reason == "stopped by you; executed: none"
    assert run.did == []


def test_a_stop_while_the_answer_is_awaited_waits_for_nothing(tmp_path: Path) -> None:
    step = 'choose = "press-reserve-table"\nwait_for = "never"'

    def stopped(session: Any, model: Any) -> None:
        assert model.wait_until_held("never")
        session.request_stop("person")

    run = run_choosing(choosing("type-name", step), tmp_path, begun=stopped)
    check(run)
    assert run.ended.status == "stopped"
    assert run.ended.reason == "stopped by you; executed: type-name"
    assert (run.ended.attempted, run.ended.completed) == (("type-name",), ("type-name",))


def test_an_action_that_never_ends_is_cut_off_and_may_have_happened(tmp_path: Path) -> None:
    begun = threading.Event()

    class Hanging(ChoosingDriver):
        async def click(self, args: Any) -> str:
            self.did.append(("click", dict(args)))
            begun.set()
            await asyncio.Event().wait()
            raise AssertionError("never")

    def stopped(session: Any, model: Any) -> None:
        assert begun.wait(300)
        session.request_stop("person")

    def soon(plan: Any) -> Any:
        return plan.model_copy(update={"limits": plan.limits.model_copy(update={"drain_secs": DRAIN_TEST_SECS})})

    run = run_choosing(choosing("press-reserve-table"), tmp_path, make_driver=Hanging, plan=soon, begun=stopped)
    check(run)
    assert run.ended.status == "needs_reconciling"
    assert (run.ended.attempted, run.ended.completed) == (("press-reserve-table",), ())


def test_a_control_that_is_gone_by_then_is_not_done(tmp_path: Path) -> None:
    class Leaving(ChoosingDriver):
        looks = 0

        async def read_page(self, args: Any) -> Any:
            self.looks += 1
            if self.looks == 2:
                await self.open("get", "/help")
            return await super().read_page(args)

    run = run_choosing(choosing("press-reserve-table"), tmp_path, make_driver=Leaving)
    check(run)
    assert run.ended.status == "failed"
    assert "The control that was chosen is not on the page any more" in run.ended.reason
    assert run.of(AskRaised) == []


def test_the_user_s_own_action_is_asked_like_any_other(tmp_path: Path) -> None:
    own_choices.PRESSED.clear()
    run = run_choosing(choosing("a", operator=DENY), tmp_path, plan=own("candidates"))
    check(run)
    assert own_choices.PRESSED == []
    (raised,) = run.of(AskRaised)
    assert (raised.ask.member, raised.ask.arguments) == ("a", {"description": "Press A"})
