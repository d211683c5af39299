"""Wherever a decisions run's journal ends, what is carried on from there is what the journal knows, and no more."""

from pathlib import Path
from typing import Any

import pytest

from app.core.decisions_plan import MOST_EARLIER_CHARS
from app.core.events import ActionEnded, ActionStarted, Found, RequestSent
from app.core.resuming import left_of
from app.runner.carrying import BY_OPERATOR, CHECKED_DONE, FOUND, NOT_BEGUN, taken_up, undone
from tests.unit.app.runner.choosing import ChoosingDriver, choosing, run_choosing

PICKING = """[operator]
default = "allow"
[[operator.answers]]
member = "set_checked"
answer = "deny"
pick = "type-name"
times = 1
"""
TYPED, PRESSED = "Type “Ada Park” into the field “Name”", "Press “Reserve table”"
WORDS = {"choice-1-operator": f"{TYPED}{BY_OPERATOR}", "choice-2": PRESSED}


@pytest.mark.parametrize("found", ["done", "not_done", "unknown"])
def test_at_every_event_what_is_carried_is_what_the_journal_knows(found: Found, tmp_path: Path) -> None:
    steps = ("tick-send-me-the-newsletter", "press-reserve-table", "done")
    run = run_choosing(choosing(*steps, operator=PICKING), tmp_path)
    recorded = list(run.timeline.events)
    for length in range(1, len(recorded) + 1):
        past = recorded[:length]
        events = [one.event for one in past]
        left = left_of(past)
        taken = taken_up(past, {one.place: found for one in left.in_doubt}, "", new_browser=True)
        begun = [e.call_id for e in events if isinstance(e, ActionStarted) and not e.reads_only]
        done = [e.call_id for e in events if isinstance(e, ActionEnded) and e.call_id in WORDS]
        doubt = [call_id for call_id in begun if call_id not in done]
        assert [one.call.call_id for one in left.in_doubt] == doubt
        last = [WORDS[call_id] for call_id in done]
        last += [f"{WORDS[call_id]}{CHECKED_DONE}" for call_id in doubt if found == "done"]
        assert taken.carried.last_action == (last[-1] if last else "")
        assert bool(taken.carried.earlier) == bool(last), "with the text of the page that it was chosen on"
        assert taken.carried.requests == sum(isinstance(event, RequestSent) for event in events)
        said = " ".join([*taken.carried.until_an_action, *taken.carried.always])
        for call_id in doubt:
            words = FOUND[found].format(f"“{WORDS[call_id].removesuffix(BY_OPERATOR)}”")
            assert (words in said) is (found != "done")
            assert (words in " ".join(taken.carried.always)) is (found == "unknown")
        answered = [event.call_id for event in taken.answered]
        assert answered == [*(call.call_id for call in undone(left.calls, past)), *doubt]
        assert not set(answered) & set(done)
        assert said.count(NOT_BEGUN.partition("{")[0]) == len(answered) - len(doubt)


def test_no_more_of_a_long_page_is_carried_than_could_be_sent(tmp_path: Path) -> None:
    class Long(ChoosingDriver):
        async def read_page(self, args: Any) -> Any:
            return {**await super().read_page(args), "text": "x" * 50_000}

    run = run_choosing(choosing("type-name", "done"), tmp_path, make_driver=Long)
    taken = taken_up(list(run.timeline.events), {}, "", new_browser=True)
    assert taken.carried.earlier == "x" * MOST_EARLIER_CHARS
