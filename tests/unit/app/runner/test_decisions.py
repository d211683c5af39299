"""How a decisions run ends, over the wire: each status and each reason of the SDK, what was done, what is on record."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import UsageProblem
from app.core.events import ActionStarted, OutcomeChecked, PictureTaken, RequestSent, RunEnded, TurnAnswered
from drivers.errors import NotDone
from tests.unit.app.runner import own_choices
from tests.unit.app.runner.choosing import (
    BOOKED,
    OWN,
    RESERVED,
    ChoosingDriver,
    choosing,
    own,
    run_choosing,
    with_options,
)
from tests.unit.app.runner.harness import Run
from tests.unit.app.runner.invariants import check

TEXTS = 'texts = { Name = "Ada Park" }'
GOOD_USAGE = """usage = { input_tokens = 1, input_tokens_details = { cached_tokens = 0, cache_write_tokens = 0 }, \
output_tokens = 1, output_tokens_details = { reasoning_tokens = 0 }, total_tokens = 2 }"""
ONCE = "\n[[decisions.faults]]\nheaders = { x-should-retry = 'false' }\n"


def choice(**changes: str | None) -> str:
    """An answer that chooses a, with other or fewer fields."""
    fields: dict[str, str | None] = {
        "type": '"choice"',
        "name": '"next_action"',
        "choice": '"a"',
        "confidence": "1.0",
        "probabilities": "[]",
    }
    given = ", ".join(f"{key} = {value}" for key, value in {**fields, **changes}.items() if value is not None)
    return f"answers = [{{ {given} }}]"


@pytest.fixture(autouse=True)
def _nothing_pressed() -> Iterator[None]:
    own_choices.PRESSED.clear()
    yield
    own_choices.PRESSED.clear()


def acted(run: Run) -> list[str]:
    return [member for member, _ in run.did]


def test_verified(tmp_path: Path) -> None:
    run = run_choosing(choosing(*BOOKED, choosing=f"{TEXTS}\n{RESERVED}"), tmp_path)
    check(run)
    assert run.ended == RunEnded(
        status="finished",
        reason="verified: the page shows “Your table is reserved”",
        verification="verified",
        attempted=BOOKED[:2],
        completed=BOOKED[:2],
    )
    assert [booking.name for booking in run.site.bookings] == ["Ada Park"]
    assert run.of(OutcomeChecked) == [OutcomeChecked(ok=True, facts=("the page shows “Your table is reserved”",))]
    assert acted(run) == ["type", "click"]


def test_unverified_when_no_check_is_stated(tmp_path: Path) -> None:
    run = run_choosing(choosing("done"), tmp_path)
    check(run)
    assert (run.ended.status, run.ended.verification) == ("finished", "unverified")
    assert "the run states no check" in run.ended.reason
    assert run.of(OutcomeChecked) == []
    assert acted(run) == []


def test_refused(tmp_path: Path) -> None:
    run = run_choosing(choosing("type-name", "refuse = true", choosing=f"{TEXTS}\n{RESERVED}"), tmp_path)
    check(run)
    assert (run.ended.status, run.ended.verification) == ("failed", "refused")
    assert run.ended.completed == ("type-name",)


def test_a_claim_that_the_page_does_not_bear_out_is_not_verified_and_another_choice_is_possible(tmp_path: Path) -> None:
    run = run_choosing(choosing("done", *BOOKED, choosing=f"{TEXTS}\n{RESERVED}"), tmp_path)
    check(run)
    assert [event.ok for event in run.of(OutcomeChecked)] == [False, True]
    assert run.ended.verification == "verified"


@pytest.mark.parametrize(
    ("pattern", "status"), [("http://127.0.0.1:*/book?*guests=2", "finished"), ("http://127.0.0.1:*/help", "failed")]
)
def test_a_stated_address_must_be_the_whole_address(pattern: str, status: str, tmp_path: Path) -> None:
    run = run_choosing(choosing("done", keys="max_steps = 1"), tmp_path, plan=with_options(verify={"url": pattern}))
    assert run.ended.status == status
    if status == "failed":
        words = "the step limit was reached, and the check did not hold: the address is not "
        assert run.ended.reason == words + pattern


def test_the_user_s_python_observes_offers_and_verifies(tmp_path: Path) -> None:
    run = run_choosing(choosing("a", "b", "done"), tmp_path, plan=own("candidates", verify="both_pressed"))
    check(run)
    assert run.ended.verification == "verified"
    assert own_choices.PRESSED == ["a", "b"]
    sent = [request.body["input"][1]["content"] for request in run.model.requests]
    assert sent[0] == "pressed: nothing"
    assert sent[1] == "Last completed action: Press A\npressed: a"


def test_the_user_s_python_may_offer_members_of_the_driver(tmp_path: Path) -> None:
    offering = with_options(**{"import": f"{OWN}:of_the_page", "texts": {}})
    run = run_choosing(choosing("book", "done"), tmp_path, plan=offering)
    check(run)
    assert acted(run) == ["click"]


def test_a_list_with_nothing_but_done_ends_without_a_request(tmp_path: Path) -> None:
    own_choices.PRESSED.extend(["a", "b"])
    run = run_choosing(choosing("done"), tmp_path, plan=own("only_done", verify="both_pressed"))
    assert (run.ended.status, run.ended.verification) == ("finished", "verified")
    assert run.model.requests == []
    assert run.of(RequestSent) == []


def test_verification_failed(tmp_path: Path) -> None:
    run = run_choosing(choosing("done"), tmp_path, plan=own("only_done", verify="says_no"))
    assert run.ended.status == "failed"
    assert "the check says that the task is not complete, and there is nothing else to choose" in run.ended.reason
    assert "says no" in run.ended.reason


def test_invalid_verification(tmp_path: Path) -> None:
    run = run_choosing(choosing("done"), tmp_path, plan=own("candidates", verify="says_maybe"))
    assert (run.ended.status, run.ended.verification) == ("failed", "")
    assert run.ended.reason == "the check returned neither True nor False"


def test_step_limit_and_what_was_chosen_last_is_not_done(tmp_path: Path) -> None:
    scenario = choosing("type-name", "press-reserve-table", keys="max_steps = 2")
    run = run_choosing(scenario, tmp_path)
    check(run)
    assert run.ended.status == "failed"
    assert run.ended.reason.startswith("the step limit was reached; what was chosen last was not done")
    assert (run.ended.attempted, run.ended.completed) == (("type-name",), ("type-name",))
    assert acted(run) == ["type"]
    call = run.timeline.call("choice-2")
    assert call is not None
    assert call.state_at(run.timeline.last_seq) == "next"


def test_invalid_params(tmp_path: Path) -> None:
    run = run_choosing(choosing("done"), tmp_path, plan=lambda plan: plan.model_copy(update={"max_steps": 0}))
    assert run.ended.status == "failed"
    assert run.ended.reason.startswith("the SDK refuses this run")
    assert run.model.requests == []


@pytest.mark.parametrize(
    "candidates",
    [
        *("twice_the_same", "none_is_done", "two_are_done", "no_executor", "done_that_acts", "nothing"),
        *("too_many", "no_list", "blank_id", "blank_description", "more_than_the_form", "done_by_number"),
    ],
)
def test_invalid_candidates(candidates: str, tmp_path: Path) -> None:
    run = run_choosing(choosing("a"), tmp_path, plan=own(candidates))
    assert run.ended.status == "failed"
    assert run.ended.reason.startswith("the candidates are not of the agreed form: 2 to 255")
    assert own_choices.PRESSED == []
    assert run.model.requests == []


def test_as_many_candidates_as_there_may_be(tmp_path: Path) -> None:
    run = run_choosing(choosing("c254", "done"), tmp_path, plan=own("as_many_as_there_may_be"))
    assert run.ended.verification == "unverified"
    assert own_choices.PRESSED == ["c"]
    assert len(run.model.requests[0].body["questions"][0]["choices"]) == 255


@pytest.mark.parametrize(
    "answer",
    [
        choice(choice='"jump"'),
        choice(choice="true"),
        choice(name='"other"'),
        choice(confidence=None),
        choice(choice="[]"),
        choice(probabilities=None),
        choice(probabilities="[{ value = 'a' }]"),
        'answers = [{ type = "score", name = "next_action", score = 1.0 }]',
        "answers = []",
        "other = 1",
    ],
)
def test_invalid_answer(answer: str, tmp_path: Path) -> None:
    step = f'[decisions.body]\nmodel = "m"\n{GOOD_USAGE}\n{answer}\n'
    run = run_choosing(choosing(step), tmp_path, plan=own("candidates"))
    assert run.ended.status == "failed"
    assert run.ended.reason == "the model's answer did not select one of the candidates"
    assert own_choices.PRESSED == []
    assert len(run.of(TurnAnswered)) == 1, "what came is on record"


def test_an_answer_without_usage_is_invalid(tmp_path: Path) -> None:
    scenario = choosing(f'[decisions.body]\nmodel = "m"\n{choice()}\n')
    run = run_choosing(scenario, tmp_path, plan=own("candidates"))
    assert run.ended.reason == "the model's answer did not select one of the candidates"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("status = 500\nmessage = 'overloaded'", "the model service answered 500: overloaded"),
        ("cut_after_events = 1", "the model service could not be reached or broke off its answer"),
    ],
)
def test_failed_by_the_service(fault: str, words: str, tmp_path: Path) -> None:
    faults = "".join(f"{ONCE}{fault}\n" for _ in range(3))
    run = run_choosing(choosing(f'choose = "a"{faults}'), tmp_path, plan=own("candidates"))
    assert run.ended.status == "failed"
    assert run.ended.reason.startswith(f"{words} (http://127.0.0.1:")
    assert own_choices.PRESSED == []


def test_an_error_of_the_service_never_leads_to_another_endpoint(tmp_path: Path) -> None:
    step = "choose = 'a'\n[[decisions.faults]]\nstatus = 404\nmessage = 'no access to decisions'"
    run = run_choosing(choosing(step), tmp_path, plan=own("candidates"))
    assert run.ended.reason.startswith("the model service answered 404: no access to decisions (http://127.0.0.1:")
    assert [request.path for request in run.model.requests] == ["/v1/decisions"]


def test_an_executor_that_is_not_awaited_may_have_happened(tmp_path: Path) -> None:
    run = run_choosing(choosing("a"), tmp_path, plan=own("not_awaited"))
    check(run)
    assert run.ended.status == "needs_reconciling"
    assert own_choices.PRESSED == ["a"], "it has acted before anybody could see that it is of the wrong kind"
    assert (run.ended.attempted, run.ended.completed) == (("a",), ())


def test_an_executor_may_ask_whether_the_run_is_to_stop(tmp_path: Path) -> None:
    run = run_choosing(choosing("a", "done"), tmp_path, plan=own("told_of_a_stop"))
    check(run)
    assert own_choices.PRESSED == ["stopping: False"]


def test_failed_by_a_driver_that_refused(tmp_path: Path) -> None:
    class Refusing(ChoosingDriver):
        async def click(self, args: Any) -> str:
            raise NotDone("The element lies under another one.")

    run = run_choosing(choosing("type-name", "press-reserve-table", "done"), tmp_path, make_driver=Refusing)
    check(run)
    assert run.ended.status == "failed"
    words = "the chosen action was not done: The element lies under another one; executed: type-name"
    assert run.ended.reason == words
    assert run.site.bookings == []


def test_failed_in_the_middle_of_an_action_may_have_happened(tmp_path: Path) -> None:
    run = run_choosing(choosing("a", "done"), tmp_path, plan=own("failing"))
    check(run)
    assert run.ended.status == "needs_reconciling"
    assert (run.ended.attempted, run.ended.completed) == (("a",), ())
    assert run.session.problem is None


@pytest.mark.parametrize("observe", ["observe_elsewhere", "observe_file", "observe_number"])
def test_failed_by_an_observation_that_cannot_be_sent(observe: str, tmp_path: Path) -> None:
    run = run_choosing(choosing("a"), tmp_path, plan=own("candidates", observe=observe))
    assert run.ended.status == "failed"
    assert run.ended.reason.startswith("the observation cannot be sent: ")
    assert run.model.requests == []


def test_an_inline_picture_is_sent_and_on_record_once(tmp_path: Path) -> None:
    run = run_choosing(choosing("a", "done"), tmp_path, plan=own("candidates", observe="observe_with_picture"))
    assert run.ended.verification == "unverified"
    assert run.model.requests[0].body["input"][1]["content"][1]["detail"] == "low"
    digests = {event.picture.digest for event in run.of(PictureTaken)}
    offers = [event.offer for event in run.of(RequestSent)]
    assert [offer.observation[-1] for offer in offers if offer] == [{"picture": digest} for digest in digests] * 2


def test_parts_that_come_one_after_another_are_sent_and_on_record_whole(tmp_path: Path) -> None:
    run = run_choosing(choosing("a", "done"), tmp_path, plan=own("candidates", observe="observe_one_after_another"))
    parts = [{"type": "input_text", "text": text} for text in ("one", "two")]
    assert run.model.requests[0].body["input"][1]["content"] == parts
    first = run.of(RequestSent)[0].offer
    assert first is not None
    assert first.observation == parts
    last = {"type": "input_text", "text": "Last completed action: Press A"}
    assert run.model.requests[1].body["input"][1]["content"] == [last, *parts]


@pytest.mark.parametrize("path", ["no.such_module:f", "tests.unit.app.runner.own_choices:not_async"])
def test_python_that_cannot_be_used_ends_the_run_before_anything_is_opened(path: str, tmp_path: Path) -> None:
    run = run_choosing(choosing("a"), tmp_path, plan=with_options(**{"import": path, "texts": {}}))
    assert isinstance(run.session.problem, UsageProblem)
    assert path in run.ended.reason
    assert run.page_drivers == []
    assert run.of(ActionStarted) == []
