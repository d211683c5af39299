"""A whole run (session, gate, ledger, SDK, HTTP service) that kills itself at a chosen point and keeps a true log.

The true log is written by the driver itself, beside the ledger: what really began, what really ended, and what was
acknowledged as saved. `sweep` forks one process a point.
"""

import os
import signal
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.clock import SystemClock
from app.core.value import call_digest
from app.ledger.store import RunLedger
from app.rehearsal.scenario import load_scenario
from tests.unit.app.runner.harness import SeenDriver, run_scenario

ACTS = ("navigate", "click", "type", "select_option")


@dataclass(frozen=True)
class Point:
    """Where to die: `before` or `after` commit `number`, or at `begin`, `half` or `end` of effect `number`."""

    place: str
    number: int

    def __str__(self) -> str:
        return f"{self.place} {self.number}"


class TrueLog:
    """Lines that survive the process: one plain write each."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def say(self, words: str) -> None:
        os.write(self._handle, f"{words}\n".encode())


class Death:
    """Counts places of each kind and ends the process at the chosen one, as kill -9 does."""

    def __init__(self, point: Point | None) -> None:
        self._point = point
        self._counts: dict[str, int] = {}

    def at(self, place: str) -> None:
        self._counts[place] = self._counts.get(place, 0) + 1
        if self._point == Point(place, self._counts[place]):
            os.kill(os.getpid(), signal.SIGKILL)


class DyingLedger(RunLedger):
    """A ledger around whose commits the process may die."""

    death: Death
    log: TrueLog

    def _commit(self, *args: Any) -> Any:
        self.death.at("before")
        done = super()._commit(*args)
        self.log.say("commit")
        self.death.at("after")
        return done

    def append(self, *args: Any) -> Any:
        recorded = super().append(*args)
        self.log.say(f"event {recorded.seq}")
        return recorded

    def save_checkpoint(self, checkpoint: dict[str, Any]) -> Any:
        recorded = super().save_checkpoint(checkpoint)
        self.log.say(f"event {recorded.seq}")
        self.log.say(f"saved {checkpoint['revision']}")
        return recorded


def dying_driver(death: Death, log: TrueLog, base: type[SeenDriver] = SeenDriver) -> Callable[[str], SeenDriver]:
    """Makes drivers that write down what they really do."""
    mortal = type("DyingDriver", (base,), {"__doc__": "The page driver, mortal."})

    def acting(member: str) -> Callable[[Any, Any], Any]:
        async def act(self: Any, args: Any) -> str:
            digest = call_digest(member, {key: args[key] for key in args})
            death.at("begin")
            log.say(f"begin {member} {digest}")
            death.at("half")
            result: str = await getattr(base, member)(self, args)
            log.say(f"end {member} {digest}")
            death.at("end")
            return result

        return act

    for member in ACTS:
        setattr(mortal, member, acting(member))
    return mortal


def run_to_death(scenario: str, folder: Path, point: Point | None) -> None:
    """Run; returns only if the point is never reached."""
    death, log = Death(point), TrueLog(folder / "true.log")
    ledger = DyingLedger.create(folder / "run.signalbox", SystemClock())
    assert isinstance(ledger, DyingLedger)
    ledger.death, ledger.log = death, log
    run_scenario(load_scenario(scenario), folder, ledger=ledger, make_driver=dying_driver(death, log))


def die_in_a_process_of_its_own(scenario: str, folder: Path, point: Point | None) -> bool:
    """Fork and run there; whether it died at the point."""
    child = os.fork()
    if child == 0:
        code = 3
        try:
            run_to_death(scenario, folder, point)
            code = 0
        finally:
            if code:
                # Nobody else would say what it was.
                traceback.print_exc()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0, f"the run failed at {point}"
    return False


def points(commits: int, effects: int) -> Iterator[Point]:
    """Every labelled point of a run."""
    for number in range(1, commits + 1):
        yield Point("before", number)
        yield Point("after", number)
    for number in range(1, effects + 1):
        for place in ("begin", "half", "end"):
            yield Point(place, number)
