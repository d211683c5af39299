"""A decisions run that is stopped, or whose disk fails, at every single place: nothing is done that must not be."""

from functools import partial
from pathlib import Path

from app.clock import SystemClock
from app.core.errors import NotDurable
from app.core.events import ActionEnded, ActionStarted, RequestSent
from app.core.settle import settle
from app.ledger.store import RunLedger
from tests.helpers.log_watch import LogWatch
from tests.unit.app.runner.choosing import ChoosingDriver, choosing, run_choosing
from tests.unit.app.runner.harness import Run, run_scenario, several_at_once
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.test_disk import FailsAt
from tests.unit.app.runner.test_stop import stop_at

OPERATOR = """[operator]
default = "allow"
[[operator.answers]]
member = "set_checked"
answer = "deny"
pick = "type-name"
"""
SCENE = choosing(
    "tick-send-me-the-newsletter",
    "done",
    choosing='texts = { Name = "Ada Park" }\npicture = true\nverify_text = "Name"',
    operator=OPERATOR,
)


def test_a_stop_at_any_event_lets_nothing_start_after_it(quick_path: Path) -> None:
    whole = run_choosing(SCENE, quick_path)
    assert whole.ended.verification == "verified", whole.ended.reason
    last = max(index for index, event in enumerate(whole.events, start=1) if isinstance(event, RequestSent))

    def one(seq: int) -> None:
        folder = quick_path / str(seq)
        folder.mkdir()
        run = run_choosing(SCENE, folder, before=partial(stop_at, seq))
        check(run)
        if run.ended.status == "finished":
            assert seq >= last, f"stopped at event {seq} and went on"
            return
        assert run.ended.status == "stopped", f"stopped at event {seq}: {run.ended.reason}"
        assert run.ended.reason.startswith("stopped by you")
        sent = [index for index, event in enumerate(run.events) if isinstance(event, RequestSent)]
        assert sent[-1:] < [run.types().index("stop_requested")], f"a request left after the stop at event {seq}"

    several_at_once(one, range(2, len(whole.events) - 1))


def failing_run(folder: Path, number: int) -> tuple[Run, FailsAt]:
    folder.mkdir()
    ledger = FailsAt(RunLedger.create(folder / "run.signalbox", SystemClock()), number)

    def make_driver(url: str) -> ChoosingDriver:
        driver = ChoosingDriver(url)
        ledger.driver = driver
        return driver

    return run_scenario(SCENE, folder, ledger=ledger, make_driver=make_driver), ledger


def test_nothing_happens_after_a_write_that_failed_whichever_it_was(quick_path: Path, expected_log: LogWatch) -> None:
    _, whole = failing_run(quick_path / "whole", 10**9)

    def one(number: int) -> None:
        run, ledger = failing_run(quick_path / str(number), number)
        ended = run.session.ended
        where = f"write {number} ({ledger.failed_event})"
        assert ended is not None
        assert isinstance(run.session.problem, NotDurable), where
        assert ledger.done_at_failure == len(run.did), f"something was done after {where} had failed"
        assert f"{where} did not reach the disk (no room)" in ended.reason
        assert ended.status in ("failed", "needs_reconciling")
        assert set(ledger.after) <= {"run_ended", "failure_seen"}, where
        if ledger.failed_event == "action_ended":
            acted = not run.of(ActionStarted)[-1].reads_only
            assert (ended.status == "needs_reconciling") is acted, where

    several_at_once(one, range(2, whole.writes - 1))


def test_wherever_the_record_is_cut_its_words_are_right(tmp_path: Path) -> None:
    run = run_choosing(SCENE, tmp_path)
    recorded = list(run.timeline.events)
    for length in range(1, len(recorded) + 1):
        here = [one.event for one in recorded[:length]]
        began = {event.call_id for event in here if isinstance(event, ActionStarted) and not event.reads_only}
        ended = {event.call_id for event in here if isinstance(event, ActionEnded) and event.outcome == "done"}
        for settled in settle(recorded[:length]):
            if settled.source != "decisions":
                continue
            if settled.call_id in began & ended:
                assert settled.outcome == "done"
            elif settled.call_id in began:
                assert settled.outcome == "may_have_happened"
            else:
                assert settled.outcome == "not_done"
    taken = {one.call_id: one.outcome for one in settle(recorded) if one.source == "decisions"}
    assert taken == {"choice-1": "not_done", "choice-1-operator": "done"}
