"""One owner a run, across processes; its death frees the run and no file that it leaves behind stands in the way."""

import contextlib
import os
import sys
from pathlib import Path

import pytest

from app.core.errors import LedgerInUse, LedgerProblem
from app.ledger.lock import Head, OwnerLock, newest_known, owner_of, side_file
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.unit.app.ledger.made_up import StandingClock, run_started
from tests.unit.app.ledger.second import next_line, second_process, tell


def held_open(file: Path) -> int:
    """How often this process has it open."""
    found = 0
    for one in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found += os.path.samestat(one.stat(), file.stat())
    return found


def test_a_second_process_is_told_who_owns_the_run(ledger: RunLedger, path: Path) -> None:
    assert owner_of(path) == os.getpid()
    with second_process(path, "hold") as other:
        said = next_line(other)
    assert said == f"LedgerInUse: in use by process {os.getpid()}: {path}"


def test_the_owner_s_death_frees_the_run(path: Path) -> None:
    with second_process(path, "hold") as other:
        assert next_line(other) == "owned"
        assert owner_of(path) == other.pid
        with pytest.raises(LedgerInUse, match=f"process {other.pid}"):
            RunLedger.open_owned(path, StandingClock())
    assert side_file(path).exists()
    assert owner_of(path) is None
    if sys.platform == "linux":
        assert held_open(side_file(path)) == 0, "each look at a list of such runs would take some more"


def test_a_killed_owner_s_run_can_be_owned_at_once(path: Path) -> None:
    with second_process(path, "events", "3") as other:
        assert next_line(other) == "written"
        other.wait()
    with RunLedger.open_owned(path, StandingClock()) as ledger:
        assert len(list(ledger.events())) == 4
        assert owner_of(path) == os.getpid()
    assert list(path.parent.glob("run*")) == [path]


def test_of_several_consoles_that_take_up_a_run_at_the_same_time_one_gets_it(path: Path) -> None:
    """Each round all of them try at once; the one that owns it writes and leaves, as a console that goes on does."""
    rounds, racers = 12, 4
    with second_process(path, "events", "3") as cut_off:
        assert next_line(cut_off) == "written"
        cut_off.wait()
    with contextlib.ExitStack() as stack:
        others = [stack.enter_context(second_process(path, "race")) for _ in range(racers)]
        assert [next_line(other) for other in others] == ["ready"] * racers
        for number in range(rounds):
            for other in others:
                tell(other, f"round {number}")
            said = [next_line(other) for other in others]
            assert sorted(said) == ["LedgerInUse"] * (racers - 1) + ["owned"]
            winner = others[said.index("owned")]
            tell(winner, "leave")
            while owner_of(path) is not None:
                pass
    report = verify(path)
    assert report.whole, report.findings
    assert report.events == 4 + rounds


def test_a_lock_is_not_taken_twice_in_one_process(path: Path) -> None:
    lock = OwnerLock.take(path)
    with pytest.raises(LedgerInUse):
        OwnerLock.take(path)
    lock.release(remove=True)
    lock.release(remove=True)
    OwnerLock.take(path).release(remove=True)
    assert owner_of(path) is None


def test_rubbish_in_the_side_file_stands_in_nobody_s_way(path: Path) -> None:
    side_file(path).write_bytes(b"\xff rubbish")
    assert owner_of(path) is None
    assert newest_known(path) is None
    lock = OwnerLock.take(path)
    assert lock.left_behind is None
    lock.note(Head(os.getpid(), 3, 2, "ab"))
    assert newest_known(path) == Head(os.getpid(), 3, 2, "ab")
    lock.release(remove=False)
    OwnerLock.take(path).release(remove=True)


def test_a_side_file_that_cannot_be_written_is_a_problem_in_words(tmp_path: Path) -> None:
    with pytest.raises(LedgerProblem, match="cannot own the run"):
        OwnerLock.take(tmp_path / "nowhere" / "run.signalbox")


def test_the_newest_is_known_beside_the_file(ledger: RunLedger, path: Path) -> None:
    ledger.append(run_started())
    known = newest_known(path)
    assert known is not None
    assert (known.pid, known.seq, known.revision) == (os.getpid(), 1, 0)


def test_an_owner_that_closes_while_somebody_waits_does_not_leave_two(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = OwnerLock.take(path)
    really = os.open

    def slow(name: Path, flags: int, mode: int = 0o777) -> int:
        handle = really(name, flags, mode)
        # The owner leaves after the file was opened and before it is locked.
        first.release(remove=True)
        return handle

    monkeypatch.setattr(os, "open", slow)
    second = OwnerLock.take(path)
    monkeypatch.undo()
    with pytest.raises(LedgerInUse):
        OwnerLock.take(path)
    second.release(remove=True)
