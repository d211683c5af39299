"""The crash sweep: a whole run is killed at its labelled points, opened again, and held against what really happened.

Every commit (before and after it) and every effect (at its begin, half done, at its end) is a point. A usual test run
takes the points around effects and a part of the others; ``CRASH_SWEEP=all`` takes all.
"""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.core.events import ActionStarted, AskRaised, DecisionMade, Recorded, RunEnded
from app.core.settle import settle
from app.ledger.lock import owner_of
from app.ledger.reader import LedgerReader
from app.ledger.shelf import summary_of
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.conftest import TABLE_LINE
from tests.unit.app.ledger.crash_run import Point, die_in_a_process_of_its_own, points, run_to_death
from tests.unit.app.ledger.made_up import StandingClock

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="each point is a forked process"),
    pytest.mark.timeout(1800),
]

PLACES = {
    "before": "before a commit",
    "after": "after a commit",
    "begin": "as an effect begins",
    "half": "with an effect half done",
    "end": "as an effect ends",
}

EVERYTHING = os.environ.get("CRASH_SWEEP") == "all"
EVERY_NTH = 1 if EVERYTHING else 61


@dataclass(frozen=True)
class Truth:
    """What the run really did before it died, by its own log."""

    began: Counter[str]
    ended: Counter[str]
    saved: int
    events: int
    commits: int

    @classmethod
    def of(cls, folder: Path) -> "Truth":
        lines = [line.split() for line in (folder / "true.log").read_text().splitlines()]
        began = Counter(words[2] for words in lines if words[0] == "begin")
        ended = Counter(words[2] for words in lines if words[0] == "end")
        saved = max((int(words[1]) for words in lines if words[0] == "saved"), default=0)
        events = max((int(words[1]) for words in lines if words[0] == "event"), default=0)
        return cls(began, ended, saved, events, sum(words[0] == "commit" for words in lines))


def test_every_invariant_holds_wherever_a_run_dies(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    # Here and not in a process of its own: what the SDK builds at first use is then built for all of them.
    run_to_death("booking", whole, None)
    truth = Truth.of(whole)
    all_points = list(points(truth.commits, sum(truth.began.values())))
    tried: Counter[str] = Counter()
    for index, point in enumerate(all_points):
        if point.place in ("before", "after") and index % EVERY_NTH:
            continue
        folder = tmp_path / str(point).replace(" ", "-")
        folder.mkdir()
        assert die_in_a_process_of_its_own("booking", folder, point), f"never came to {point}"
        held(folder, point)
        tried[point.place] += 1
    there = Counter(point.place for point in all_points)
    record_property(TABLE_LINE, "crash sweep: where a run was killed, how often, and of how many places")
    for place, words in PLACES.items():
        record_property(TABLE_LINE, f"  {words:28} {tried[place]:4} of {there[place]}")
    record_property(TABLE_LINE, f"  held at each of the {sum(tried.values())}: I1, I2, I3, I4, I6, I7")


def held(folder: Path, point: Point) -> None:
    """Assert the invariants that a ledger can show."""
    path, truth = folder / "run.signalbox", Truth.of(folder)
    assert owner_of(path) is None
    with LedgerReader.open(path) as reader:
        events = list(reader.events())
        ended = bool(events) and isinstance(events[-1].event, RunEnded)
        assert reader.flags == (set() if ended else {"cut_off"})
        revisions = reader.revisions()
    allowed_before_begun(events, truth, point)
    never_wrong(events, truth, point)
    # I4: what was acknowledged is there, without a gap.
    assert len(events) >= truth.events, point
    assert revisions == list(range(1, len(revisions) + 1))
    assert len(revisions) >= truth.saved, point
    # I6: a second start says the same as the first; I7: only one owns it.
    first = summary_of(path)
    assert summary_of(path) == first
    if not events:
        assert first.status == "unreadable"
        return
    assert verify(path).whole
    assert first.status == ("finished" if ended else "cut_off")
    with RunLedger.open_owned(path, StandingClock()) as ledger:
        assert list(ledger.events()) == events
        assert summary_of(path).status == "running"
    assert summary_of(path) == first


def allowed_before_begun(events: list[Recorded], truth: Truth, point: Point) -> None:
    """I1: each effect has an earlier allow with its digest. I2: no allow has two effects."""
    asked = {one.event.ask.ask_id: one.event.ask.digest for one in events if isinstance(one.event, AskRaised)}
    allows = Counter(
        asked[one.event.decision.ask_id]
        for one in events
        if isinstance(one.event, DecisionMade) and one.event.decision.allowed
    )
    for digest, count in truth.began.items():
        # Opening an address is asked twice: may the run go there, and may it do so now.
        assert 1 <= count <= allows[digest], point


def never_wrong(events: list[Recorded], truth: Truth, point: Point) -> None:
    """I3: one of three words for each action, and `done` and `not done` are true."""
    digests = {
        (one.event.call_id, one.event.part): one.event.digest for one in events if isinstance(one.event, ActionStarted)
    }
    digests |= {
        (one.event.ask.call_id, one.event.ask.part): one.event.ask.digest
        for one in events
        if isinstance(one.event, AskRaised)
    }
    acts = [call for call in settle(events) if call.source == "browser" and (call.call_id, call.part) in digests]
    for call in acts:
        digest = digests[call.call_id, call.part]
        if call.outcome == "not_done":
            assert truth.began[digest] == 0, (point, call)
        elif call.outcome == "done" and call.member in ("navigate", "click", "type", "select_option"):
            assert truth.ended[digest] == 1, (point, call)
