"""A fork begins with the history of a boundary, in a record of its own that names it; the saved run stays as it was."""

import hashlib
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.errors import LedgerProblem, UsageProblem
from app.core.events import ActionStarted, AskRaised, CheckpointSaved, RunStarted, SegmentStarted
from app.core.plan import RunPlan
from app.ledger.shelf import summary_of
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from app.runner.forking import Forkable, fork_at, forkable
from app.runner.told import FORKED
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import Run, run_scenario, serving, started
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.scenes import answer, scene
from tests.unit.app.runner.thinking_model import DONE, ThinkingModel, booking_scene

TOOLS: dict[str, Any] = {name: {} for name in ("browser_read_page", "browser_type", "browser_click", "opening_hours")}
PLAN = RunPlan(task="Do as you are told.")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def saved(folder: Path, served: Any) -> Run:
    folder.mkdir()
    return run_scenario(booking_scene(), folder, served=served)


def test_a_fork_goes_its_own_way_from_a_boundary(tmp_path: Path) -> None:
    with serving(booking_scene(), ThinkingModel) as served:
        first = saved(tmp_path / "first", served)
        before = digest(first.ledger_path)
        source = forkable(first.ledger_path)
        boundary = source.offer.boundaries[2]
        assert boundary.words == "after turn 2 · Type text"
        assert boundary.warning.endswith("may still stand: Click on a page element (done).")
        made = fork_at(source, boundary.revision, PLAN, TOOLS, boundary.warning)
        sent = len(served[2].requests)
        (tmp_path / "fork").mkdir()
        header = started(PLAN).model_copy(update={"run_id": "20261130-0100-forked", "origin": made.origin})
        run = run_scenario(booking_scene(), tmp_path / "fork", served=served, fork=made.beginning, header=header)
        body = served[2].requests[sent].body
    assert run.ended.final_text == DONE
    assert len(served[0].bookings) == 2, "the fork has a model that knows nothing of the first booking"
    with RunLedger.open_owned(first.ledger_path, SystemClock()) as ledger:
        history = ledger.checkpoint(boundary.revision)["history"]
    assert body["input"][: len(history)] == history
    told = body["input"][len(history)]["content"]
    assert told.startswith(FORKED)
    assert "Click on a page element (done)" in told
    check(run)
    assert run.of(RunStarted)[0].origin == made.origin
    assert [summary_of(one.ledger_path).forked_from for one in (first, run)] == ["", made.origin.run_id]
    assert made.origin.chain == chain_of(first, boundary.seq)
    assert run.of(AskRaised)[0].ask.ask_id == "a0001"
    assert run.of(CheckpointSaved)[0].revision == 1
    assert [segment.number for segment in run.of(SegmentStarted)] == [1]
    assert verify(run.ledger_path).whole
    assert digest(first.ledger_path) == before, "the saved run is only read"


def chain_of(run: Run, seq: int) -> str:
    from app.ledger.reader import LedgerReader

    with LedgerReader.open(run.ledger_path) as reader:
        return reader.chain_at(seq).hex()


def test_what_cannot_be_forked_is_refused_with_its_reason(tmp_path: Path) -> None:
    with serving(booking_scene(), ThinkingModel) as served:
        first = saved(tmp_path / "first", served)
    source: Forkable = forkable(first.ledger_path)
    newest = source.offer.boundaries[-1].revision
    with pytest.raises(UsageProblem, match="revision 2 is no boundary"):
        fork_at(source, 2, PLAN, TOOLS, "")
    with pytest.raises(UsageProblem, match="uses tools that the plan has not: browser_click"):
        fork_at(source, newest, PLAN, {name: {} for name in TOOLS if name != "browser_click"}, "")
    copy = shutil.copy(first.ledger_path, tmp_path / "first" / "copy.signalbox")
    with pytest.raises(LedgerProblem, match="not made here under this name"):
        forkable(Path(copy))
    with RunLedger.open_owned(first.ledger_path, SystemClock()), pytest.raises(LedgerProblem, match="in use"):
        forkable(first.ledger_path)


def test_an_edited_run_is_not_forked(tmp_path: Path) -> None:
    with serving(booking_scene(), ThinkingModel) as served:
        first = saved(tmp_path / "first", served)
    data = bytearray(first.ledger_path.read_bytes())
    at = data.rindex(b"Ada Park")
    data[at : at + 8] = b"Eve Park"
    first.ledger_path.write_bytes(data)
    with pytest.raises(LedgerProblem, match="not forked"):
        forkable(first.ledger_path)


def test_each_boundary_is_listed_once_oldest_first(tmp_path: Path) -> None:
    scenario = scene(answer(scenes.READ), answer(scenes.TYPE_NAME), answer(scenes.DONE))
    run = run_scenario(scenario, tmp_path)
    boundaries = forkable(run.ledger_path).offer.boundaries
    assert [one.words for one in boundaries] == [
        "from the task alone",
        "after turn 1 · Read the page",
        "after turn 2 · Type text",
    ]
    assert [len(one.after) for one in boundaries] == [1, 1, 0]
    assert len(run.of(ActionStarted)) == 2
