"""The list of saved runs says of each what its record supports, also of those that were killed or damaged."""

import os
from pathlib import Path

import pytest

from app.core.errors import LedgerProblem
from app.core.events import AskRaised, DecisionMade
from app.core.ids import step_id
from app.ledger.shelf import RunSummary, list_runs, summary_of
from app.ledger.store import RunLedger
from tests.unit.app.ledger.made_up import Click, StandingClock, run_ended, run_started
from tests.unit.app.ledger.second import next_line, second_process


@pytest.mark.parametrize(
    ("events", "words"),
    [
        (1, "not asked yet, nothing was done"),
        (2, "no decision was made, nothing was done"),
        (3, "allowed, not started: nothing was done"),
        (4, "may have happened"),
        (5, None),
    ],
)
def test_a_killed_run_is_listed_with_the_words_for_what_it_left(path: Path, events: int, words: str | None) -> None:
    with second_process(path, "events", str(events)) as other:
        assert next_line(other) == "written"
        other.wait()
    for _ in range(2):
        (run,) = list_runs(path.parent)
        assert run.status == "cut_off"
        assert [call.words for call in run.uncertain] == ([words] if words else [])
    assert (run.asked, run.allowed) == (int(events >= 2), int(events >= 3))


def test_a_finished_and_a_running_run(ledger: RunLedger, path: Path) -> None:
    ledger.append(run_started("older"))
    for event in [*Click(1).steps(), *Click(2, verdict="deny").steps()[:3]]:
        ledger.append(event)
    running = summary_of(path)
    assert (running.status, running.owner) == ("running", os.getpid())
    ledger.append(run_ended())
    ledger.close()
    finished = summary_of(path)
    assert finished == RunSummary(
        path=path,
        run_id="older",
        status="finished",
        task="Book a table",
        model="scripted-model",
        provenance="demo",
        started_wall_ms=finished.started_wall_ms,
        asked=2,
        allowed=1,
        denied=1,
    )


def hold(number: int) -> AskRaised:
    return AskRaised(ask=Click(number).asked.ask.model_copy(update={"ask_id": step_id(number), "kind": "step"}))


def test_a_run_that_is_held_has_asked_nothing_by_that(ledger: RunLedger, path: Path) -> None:
    gone_on = Click(1).decided.decision.model_copy(update={"ask_id": step_id(1)})
    for event in [run_started(), hold(1), DecisionMade(decision=gone_on), *Click(1).steps(), hold(2)]:
        ledger.append(event)
    held = summary_of(path)
    assert (held.asked, held.allowed) == (1, 1)
    ledger.append(Click(2).asked)
    assert summary_of(path).asked == 2


def test_one_that_cannot_be_read_hides_no_other(path: Path) -> None:
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        ledger.append(run_ended())
    (path.parent / "bad.signalbox").write_bytes(b"rubbish")
    with RunLedger.create(path.parent / "empty.signalbox", StandingClock()):
        pass
    (path.parent / "notes.txt").write_text("not looked at")
    before = (path.parent / "bad.signalbox").read_bytes()
    runs = list_runs(path.parent)
    assert [run.status for run in runs] == ["finished", "unreadable", "unreadable"]
    assert {run.notes[-1].split(":")[0] for run in runs[1:]} == {
        "not a Signalbox ledger",
        "nothing of a run is on record yet",
    }
    assert (path.parent / "bad.signalbox").read_bytes() == before


def test_a_folder_that_is_not_there_holds_no_runs(tmp_path: Path) -> None:
    assert list_runs(tmp_path / "none") == []


def test_a_folder_that_cannot_be_looked_into_is_not_called_empty(tmp_path: Path) -> None:
    (file := tmp_path / "runs").touch()
    with pytest.raises(LedgerProblem, match=rf"^the saved runs cannot be listed \(.+\): {file}$"):
        list_runs(file)
    file.unlink()
    file.mkdir(0o000)
    if not os.access(file, os.R_OK):
        with pytest.raises(LedgerProblem, match="cannot be listed"):
            list_runs(file)
