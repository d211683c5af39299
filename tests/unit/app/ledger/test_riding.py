"""Events that ride: on disk with the next write that is waited for, in order, and never without what they name."""

from pathlib import Path

import pytest

from app.core.errors import NotDurable
from app.core.events import CallAnswered, FailureSeen, Recorded
from app.core.evidence import Blob
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.unit.app.ledger.made_up import StandingClock, run_started


def answered(number: int) -> CallAnswered:
    return CallAnswered(call_id=f"c{number}", ok=True, output=[{"result": "x" * 5000}])


def failure() -> FailureSeen:
    return FailureSeen(where="test", error="Error", detail="")


def test_riders_go_to_disk_with_the_next_write_in_one_commit(ledger: RunLedger) -> None:
    ledger.append(run_started())
    statements: list[str] = []
    ledger._connection.set_trace_callback(statements.append)
    first, second = ledger.append_soon(answered(1)), ledger.append_soon(answered(2))
    assert statements == []
    assert [one.seq for one in ledger.events()] == [1]
    last = ledger.append(failure())
    ledger._connection.set_trace_callback(None)
    assert statements.count("COMMIT") == 1
    assert (first.seq, second.seq, last.seq) == (2, 3, 4)
    assert list(ledger.events(1)) == [first, second, last]


def test_listeners_hear_of_riders_when_they_are_durable_and_in_order(ledger: RunLedger) -> None:
    heard: list[Recorded] = []
    ledger.subscribe(heard.append)
    ledger.append_soon(answered(1))
    assert heard == []
    ledger.append(failure())
    assert [one.seq for one in heard] == [1, 2]


def test_closing_writes_what_rides(path: Path) -> None:
    blob = Blob(b"named by a rider", "text/plain")
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        ledger.append_soon(answered(1), [blob])
    report = verify(path)
    assert (report.whole, report.events) == (True, 2)
    with RunLedger.open_owned(path, StandingClock()) as again:
        assert again.blob(blob.digest) == blob.data


def test_a_rider_that_is_no_json_is_refused_at_once_and_the_others_stay(ledger: RunLedger) -> None:
    ledger.append_soon(answered(1))
    with pytest.raises(NotDurable, match="event 2"):
        ledger.append_soon(CallAnswered(call_id="c", ok=True, output=object()))
    ledger.append(failure())
    assert [one.event.type for one in ledger.events()] == ["call_answered", "failure_seen"]


def test_what_rides_with_a_write_that_fails_is_not_on_record_either(path: Path) -> None:
    with RunLedger.create(path, StandingClock(), limit_bytes=4096 * 20) as ledger:
        ledger.append(run_started())
        ledger.append_soon(answered(1))
        with pytest.raises(NotDurable):
            ledger.append(failure(), [Blob(b"x" * 4096 * 30, "text/plain")])
        with pytest.raises(NotDurable):
            ledger.append_soon(answered(2))
    assert (verify(path).whole, verify(path).events) == (True, 1)
