"""A run killed anywhere is taken up again: the model is told the truth, and no table is reserved twice."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.errors import LedgerProblem
from app.core.resuming import ResumeAnswer
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from app.rehearsal.server import ScriptedModel
from app.rehearsal.site import DemoSite
from app.runner.folding import FOUND, NOT_ALLOWED, NOT_BEGUN, RESULT_LOST
from app.runner.resuming import Prepared, prepare, resumption
from tests.unit.app.ledger.crash_run import Point
from tests.unit.app.runner.harness import Run, run_scenario, serving, several_at_once
from tests.unit.app.runner.invariants import check_journal, check_timeline
from tests.unit.app.runner.thinking_model import DONE, ThinkingModel, booking_scene, words_for

pytestmark = pytest.mark.timeout(1800)

EVERYTHING = os.environ.get("CRASH_SWEEP") == "all"
ROOT = Path(__file__).parents[4]
LIMIT_SECS = 300

Served = tuple[DemoSite, str, ScriptedModel, str]


@dataclass
class Killed:
    """A run that died, and what it left."""

    folder: Path
    served: Served

    @property
    def path(self) -> Path:
        return self.folder / "run.signalbox"

    @property
    def bookings(self) -> int:
        """The site's own true record."""
        return len(self.served[0].bookings)


def kill_at(point: Point | None, folder: Path, served: Served, *, engine: str = "responses") -> bool:
    """Run in another process until it dies; whether it died."""
    folder.mkdir(parents=True, exist_ok=True)
    place = (point.place, str(point.number)) if point is not None else ("never", "0")
    command = [sys.executable, "-m", "tests.unit.app.runner.killed_run", str(folder), served[1], served[3]]
    command += [*place, engine]
    done = subprocess.run(command, cwd=ROOT, timeout=LIMIT_SECS, check=False, capture_output=True, text=True)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


def take_up(killed: Killed, answer: Callable[[Prepared], ResumeAnswer]) -> Run:
    """Own it, answer the form, and run to the end."""
    ledger = RunLedger.open_owned(killed.path, SystemClock())
    try:
        prepared = prepare(ledger, None)
    except LedgerProblem:
        ledger.close()
        raise
    resumed = resumption(prepared, answer(prepared), model="scripted-model", versions={}, by="scripted")
    return run_scenario(
        booking_scene(),
        killed.folder,
        ledger=ledger,
        served=killed.served,
        resumption=resumed,
        header=prepared.left.started,
        plan=lambda _plan: prepared.plan,
    )


def truthfully(killed: Killed) -> Callable[[Prepared], ResumeAnswer]:
    """An operator who looks at the site before saying anything about the click."""

    def answer(prepared: Prepared) -> ResumeAnswer:
        clicked = "done" if killed.bookings else "not_done"
        found: dict[Any, Any] = {
            one.place: clicked if one.call.member == "click" else "unknown" for one in prepared.left.in_doubt
        }
        return ResumeAnswer(found=found)

    return answer


def clicks_told(body: dict[str, Any]) -> list[str]:
    """What the model was told of each of its clicks."""
    items = body["input"]
    return [words_for(items, item["call_id"]) for item in items if item.get("name") == "browser_click"]


def test_wherever_it_dies_it_goes_on_and_books_once(tmp_path: Path) -> None:
    with serving(booking_scene(), ThinkingModel) as served:
        assert not kill_at(None, tmp_path / "whole", served)
    points = chosen_points((tmp_path / "whole" / "true.log").read_text().splitlines())
    ends: Counter[str] = Counter()
    several_at_once(lambda at: ends.update([die_and_go_on(points[at], tmp_path / str(at))]), range(len(points)))
    assert ends["taken up"] > len(points) // 2
    sys.stdout.write(f"kill -9 at {len(points)} points: {dict(ends)}; one booking after each\n")


def die_and_go_on(point: Point, folder: Path) -> str:
    """Kill, take up, hold against the site's own record; what came of it."""
    with serving(booking_scene(), ThinkingModel) as served:
        killed = Killed(folder, served)
        assert kill_at(point, folder, served), f"never came to {point}"
        before, asked = killed.bookings, len(served[2].requests)
        try:
            run = take_up(killed, truthfully(killed))
        except LedgerProblem as problem:
            return over(problem, before)
        assert (run.ended.status, run.ended.final_text) == ("finished", DONE), (point, run.ended)
        assert killed.bookings == 1, (point, before)
        told = clicks_told(served[2].requests[asked].body)
        assert not (before and any(words in " ".join(told) for words in UNDONE)), (point, told)
        assert before or not any(words in " ".join(told) for words in DID), (point, told)
        assert verify(killed.path).whole, (point, verify(killed.path).findings)
        check_journal(run.events, dropped=True)
        check_timeline(run.timeline)
        return "taken up"


def over(problem: LedgerProblem, bookings: int) -> str:
    """It died after the model's last words."""
    assert "final message" in str(problem)
    assert bookings == 1
    return "over already"


UNDONE = (NOT_BEGUN, NOT_ALLOWED, FOUND["not_done"])
DID = (RESULT_LOST, FOUND["done"])


def chosen_points(log: list[str]) -> list[Point]:
    """All around the reservation, and a few before; every one where everything is wanted."""
    commits = sum(line == "commit" for line in log)
    effects = sum(line.startswith("begin") for line in log)
    reserved = sum(line == "commit" for line in log[: next(at for at, line in enumerate(log) if "begin click" in line)])
    near = range(1, commits + 1) if EVERYTHING else [2, *(reserved + at for at in (-4, -2, -1, 0, 1, 3))]
    return [Point(place, effects) for place in ("begin", "half", "end")] + [Point("after", number) for number in near]
