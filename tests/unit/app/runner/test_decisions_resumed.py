"""A decisions run goes on in another process: what its observations say is true, and nothing is done twice."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.errors import LedgerProblem
from app.core.events import AskRaised, CallAnswered, EffectReconciled, Found, RequestSent, RunEnded, SegmentStarted
from app.core.moment import Moment
from app.core.resuming import ResumeAnswer
from app.core.timeline import Timeline
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from app.replay.source import open_source
from app.runner.carrying import CHECKED_DONE, FOUND, NEW_BROWSER, NOT_ALLOWED, NOT_BEGUN, taken_up
from app.runner.resuming import Prepared, prepare, resumption
from app.runner.told import RESUMED
from tests.unit.app.runner import own_choices
from tests.unit.app.runner.choosing import BOOKED, RESERVED, ChoosingDriver, choosing, own, run_choosing
from tests.unit.app.runner.choosing_model import ChoosingModel, choosing_scene
from tests.unit.app.runner.harness import Run, run_scenario, serving, several_at_once
from tests.unit.app.runner.invariants import check_journal, check_timeline
from tests.unit.app.runner.test_resuming import Killed, chosen_points, kill_at, truthfully

pytestmark = pytest.mark.timeout(1800)

TYPED = "Type “Ada Park” into the field “Name”"
PRESSED = "Press “Reserve table”"
DENY = '[operator]\ndefault = "deny"'


@pytest.fixture(autouse=True)
def _nothing_pressed() -> Iterator[None]:
    own_choices.PRESSED.clear()
    yield
    own_choices.PRESSED.clear()


def owned(path: Path) -> tuple[RunLedger, Prepared]:
    """The run, owned and looked at; given back when it may not go on."""
    ledger = RunLedger.open_owned(path, SystemClock())
    try:
        return ledger, prepare(ledger, None)
    except BaseException:
        ledger.close()
        raise


def go_on(path: Path, scenario: Any, answer: Any = None, **more: Any) -> Run:
    """Answer the form, and run to the end; replay is held against it."""
    ledger, prepared = owned(path)
    given = answer(prepared) if callable(answer) else answer or ResumeAnswer()
    resumed = resumption(prepared, given, model="scripted-model", versions={}, by="scripted")
    plan = more.pop("plan", lambda plan: plan)
    run = run_scenario(
        scenario,
        path.parent,
        ledger=ledger,
        resumption=resumed,
        header=prepared.left.started,
        **{"make_driver": ChoosingDriver, "plan": lambda whole: replace_steps(plan(whole), prepared), **more},
    )
    assert verify(path).whole, verify(path).findings
    check_journal(run.events, dropped=True)
    check_timeline(run.timeline)
    source, saved = open_source(path), Timeline()
    for recorded in source.events:
        saved.apply(recorded)
    source.close()
    assert list(saved.events) == list(run.timeline.events)
    return run


def replace_steps(plan: Any, prepared: Prepared) -> Any:
    return plan.model_copy(update={"max_steps": prepared.plan.max_steps})


def end_of(run: Run) -> RunEnded:
    ended = run.events[-1]
    assert isinstance(ended, RunEnded)
    return ended


def observed(run: Run) -> list[str]:
    """What each request of this process showed."""
    return [str(request.body["input"][1]["content"]) for request in run.model.requests]


class BreaksOff(ChoosingDriver):
    """The connection to the page breaks in the middle of a press."""

    async def click(self, args: Any) -> str:
        await super().click(args)
        raise ConnectionError("the line broke")


def test_wherever_it_dies_it_goes_on_and_books_once(tmp_path: Path) -> None:
    with serving(choosing_scene(), ChoosingModel) as served:
        assert not kill_at(None, tmp_path / "whole", served, engine="decisions")
    points = chosen_points((tmp_path / "whole" / "true.log").read_text().splitlines())
    ends: Counter[str] = Counter()

    def one(at: int) -> None:
        with serving(choosing_scene(), ChoosingModel) as served:
            killed = Killed(tmp_path / str(at), served)
            assert kill_at(points[at], killed.folder, served, engine="decisions"), f"never came to {points[at]}"
            before, asked = killed.bookings, len(served[2].requests)
            run = go_on(killed.path, choosing_scene(), truthfully(killed), served=served)
            assert (end_of(run).status, end_of(run).verification) == ("finished", "unverified"), (
                points[at],
                end_of(run),
            )
            assert killed.bookings == 1, (points[at], before)
            told = str(served[2].requests[asked].body["input"][1]["content"])
            assert bool(before) == (f"Last completed action: {PRESSED}" in told), (points[at], told)
            ends.update(["booked before" if before else "booked after"])

    several_at_once(one, range(len(points)))
    assert set(ends) == {"booked before", "booked after"}
    sys.stdout.write(f"kill -9 at {len(points)} points of a decisions run: {dict(ends)}; one booking after each\n")


@pytest.mark.parametrize("found", ["done", "not_done", "unknown"])
def test_what_a_person_says_of_an_interrupted_action_is_what_is_observed(found: Found, tmp_path: Path) -> None:
    first = run_choosing(choosing(*BOOKED), tmp_path, make_driver=BreaksOff)
    assert first.ended.status == "needs_reconciling"
    ledger, prepared = owned(first.ledger_path)
    (doubt,) = prepared.left.in_doubt
    with pytest.raises(LedgerProblem, match="what became of each effect in doubt"):
        resumption(prepared, ResumeAnswer(), model="m", versions={}, by="scripted")
    ledger.close()
    run = go_on(first.ledger_path, choosing("type-name", "done"), ResumeAnswer(found={doubt.place: found}))
    assert end_of(run).verification == "unverified"
    words = FOUND[found].format(f"“{PRESSED}”")
    before_action, after_action = observed(run)
    assert before_action.index(RESUMED) < before_action.index(NEW_BROWSER)
    if found == "done":
        assert f"Last completed action: {PRESSED}{CHECKED_DONE}" in before_action
    else:
        assert words in before_action
        assert f"Last completed action: {TYPED}" in before_action
    assert (words in after_action) is (found == "unknown"), "what may have happened is said in every observation"
    assert RESUMED not in after_action
    assert f"Last completed action: {TYPED}" in after_action
    (reconciled,) = run.of(EffectReconciled)
    assert (reconciled.call_id, reconciled.found) == ("choice-2", found)
    assert [event.output for event in run.of(CallAnswered)] == [[words]]
    assert [request.turn for request in run.of(RequestSent)] == [1, 2, 3, 4]
    assert [(segment.number, segment.reason) for segment in run.of(SegmentStarted)][1:] == [
        (2, "the run is taken up again")
    ]


def test_what_was_denied_is_said_and_something_else_can_be_chosen(tmp_path: Path) -> None:
    first = run_choosing(choosing("tick-send-me-the-newsletter", operator=DENY), tmp_path)
    assert first.ended.status == "stopped"
    ledger, prepared = owned(first.ledger_path)
    (left,) = prepared.offer.unfinished
    assert (left.call_id, left.words) == ("choice-1", "denied, nothing was done")
    ledger.close()
    scenario = choosing(*BOOKED, choosing=f'texts = {{ Name = "Ada Park" }}\n{RESERVED}')
    run = go_on(first.ledger_path, scenario, ResumeAnswer(note="No newsletter, please."))
    assert end_of(run).verification == "verified"
    denied = NOT_ALLOWED.format("“Tick the box “Send me the newsletter””")
    for seen in observed(run):
        assert denied in seen
        assert "The operator's note: No newsletter, please." in seen
    assert "Nothing has been done yet" not in observed(run)[0]
    assert [booking.name for booking in run.site.bookings] == ["Ada Park"]
    asked = [event.ask.call_id for event in run.of(AskRaised)]
    assert asked == ["choice-1", "choice-2", "choice-3"]


def test_what_a_stop_left_undone_is_asked_again_and_nobody_is_said_to_have_judged_it(tmp_path: Path) -> None:
    stopping = '[operator]\ndefault = "allow"\n[[operator.answers]]\nmember = "click"\nanswer = "stop"\ntimes = 1'
    first = run_choosing(choosing(*BOOKED, operator=stopping), tmp_path)
    assert first.ended.status == "stopped"
    run = go_on(first.ledger_path, choosing("type-name", "press-reserve-table", "done"))
    assert end_of(run).verification == "unverified"
    words = NOT_BEGUN.format(f"“{PRESSED}”")
    assert [words in seen for seen in observed(run)] == [True, False, False]
    assert f"Last completed action: {TYPED}" in observed(run)[0]
    assert [member for member, _ in run.did] == ["type", "click"]
    seam = run.types().index("run_resumed")
    assert Moment(run.timeline, seam + 3).pending_calls == []


def test_the_operator_s_own_choice_and_the_text_before_it_are_carried(tmp_path: Path) -> None:
    picking = """[operator]
default = "allow"
[[operator.answers]]
member = "set_checked"
answer = "deny"
pick = "press-reserve-table"
times = 1
"""
    scenario = choosing("tick-send-me-the-newsletter", "refuse = true", operator=picking)
    first = run_choosing(scenario, tmp_path)
    assert first.ended.verification == "refused"
    run = go_on(first.ledger_path, choosing("done"))
    (seen,) = observed(run)
    assert f"Last completed action: {PRESSED} (chosen by the operator in place of your choice)" in seen
    assert "Chosen before the interruption" not in seen
    assert run.of(CallAnswered) == []


def test_all_steps_count_and_a_run_that_is_over_stays_so(tmp_path: Path) -> None:
    folder = tmp_path / "used"
    folder.mkdir()
    used = run_choosing(choosing("type-name", "press-reserve-table", keys="max_steps = 2"), folder)
    with pytest.raises(LedgerProblem, match=r"all 2 steps are used up; the run can be forked"):
        owned(used.ledger_path)
    folder = tmp_path / "over"
    folder.mkdir()
    over = run_choosing(choosing("done"), folder)
    with pytest.raises(LedgerProblem, match="nothing to go on with"):
        owned(over.ledger_path)
    folder = tmp_path / "left"
    folder.mkdir()
    left = run_choosing(choosing("type-name", "refuse = true", keys="max_steps = 4"), folder)
    ledger, prepared = owned(left.ledger_path)
    assert prepared.offer.steps_left == 2
    ledger.close()
    run = go_on(left.ledger_path, choosing("press-reserve-table", "type-name"))
    assert end_of(run).reason.startswith("the step limit was reached; what was chosen last was not done")
    assert [request.turn for request in run.of(RequestSent)] == [1, 2, 3, 4]


def test_own_python_goes_on_with_what_was_carried(tmp_path: Path) -> None:
    plan = own("candidates", verify="both_pressed")
    first = run_choosing(choosing("a", "refuse = true"), tmp_path, plan=plan)
    assert first.ended.verification == "refused"
    run = go_on(first.ledger_path, choosing("b", "done"), plan=plan)
    assert end_of(run).verification == "verified"
    assert own_choices.PRESSED == ["a", "b"]
    first_seen, second_seen = observed(run)
    assert "Last completed action: Press A\npressed: a" in first_seen
    assert second_seen == "Last completed action: Press B\npressed: a, b"


def test_taken_up_twice_the_notes_of_both_times_are_said(tmp_path: Path) -> None:
    first = run_choosing(choosing("type-name", "refuse = true"), tmp_path)
    go_on(first.ledger_path, choosing("refuse = true"), ResumeAnswer(note="Take your time."))
    third = go_on(first.ledger_path, choosing("done"), ResumeAnswer(note="A table inside."))
    (seen,) = observed(third)
    assert seen.index("Take your time.") < seen.index("A table inside.")
    assert seen.count(RESUMED) == 1
    looks = [event.call_id for event in third.events if event.type == "page_read"]
    assert len(looks) == len(set(looks)), "each look has a number of its own"


def test_cut_off_again_before_it_was_said_the_model_still_reads_what_was_not_done(tmp_path: Path) -> None:
    stopping = '[operator]\ndefault = "allow"\n[[operator.answers]]\nmember = "click"\nanswer = "stop"\ntimes = 1'
    first = run_choosing(choosing("press-reserve-table", operator=stopping), tmp_path)
    again = go_on(first.ledger_path, choosing("refuse = true"))
    words = NOT_BEGUN.format(f"“{PRESSED}”")
    past = list(again.timeline.events)
    seam = again.types().index("run_resumed")
    told = [at for at, one in enumerate(past) if at > seam and isinstance(one.event, CallAnswered)]
    for length in range(told[0] + 1, len(past) + 1):
        carried = taken_up(past[:length], {}, "", new_browser=True).carried
        assert carried.until_an_action.count(words) == 1
    third = go_on(first.ledger_path, choosing("type-name", "done"))
    assert [words in seen for seen in observed(third)] == [True, False]


def test_what_a_person_found_was_not_done_is_still_said_when_it_is_cut_off_again(tmp_path: Path) -> None:
    first = run_choosing(choosing("press-reserve-table"), tmp_path, make_driver=BreaksOff)
    ledger, prepared = owned(first.ledger_path)
    (doubt,) = prepared.left.in_doubt
    ledger.close()
    go_on(first.ledger_path, choosing("refuse = true"), ResumeAnswer(found={doubt.place: "not_done"}))
    third = go_on(first.ledger_path, choosing("type-name", "done"))
    words = FOUND["not_done"].format(f"“{PRESSED}”")
    assert [words in seen for seen in observed(third)] == [True, False]
