"""A record that cannot be written ends the run before anything else happens, in words that say what and where."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.cli.ending import report
from app.clock import SystemClock
from app.core.errors import NotDurable
from app.core.events import ActionStarted, Event, Recorded
from app.core.evidence import Blob
from app.core.timeline import Timeline
from app.ledger.store import RunLedger
from app.runner.session import Session
from tests.helpers.log_watch import LogWatch
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import Run, SeenDriver, run_scenario, several_at_once
from tests.unit.app.runner.scenes import answer, batch, deny, scene

ALL_KINDS = scene(
    answer(scenes.READ, scenes.OPENING_HOURS),
    answer(scenes.ASK_GUEST, scenes.TYPE_NAME),
    answer(scenes.GUEST_FOUND, batch(scenes.CLICK_NAME, scenes.WAIT)),
    answer(scenes.DONE),
    operator=deny("computer_action", member="wait", note="No waiting."),
    keys='computer = true\nfunctions = ["opening_hours"]',
    mcp=scenes.GUEST_LIST,
)


class FailsAt:
    """A real ledger whose n-th write fails, and which takes every later one: nobody else may forget the failure."""

    def __init__(self, ledger: RunLedger, number: int) -> None:
        self._ledger = ledger
        self._number = number
        self.writes = 0
        self.path = ledger.path
        self.driver: SeenDriver | None = None
        self.done_at_failure: int | None = None
        self.failed_event: str = ""
        self.after: list[str] = []
        """Types of the events that were written after the failure."""

    def append(self, event: Event, blobs: Sequence[Blob] = ()) -> Recorded:
        self._count(event.type)
        return self._ledger.append(event, blobs)

    def append_soon(self, event: Event, blobs: Sequence[Blob] = ()) -> Recorded:
        self._count(event.type)
        return self._ledger.append_soon(event, blobs)

    def save_checkpoint(self, checkpoint: dict[str, Any]) -> Recorded:
        self._count("checkpoint_saved")
        return self._ledger.save_checkpoint(checkpoint)

    def _count(self, what: str) -> None:
        self.writes += 1
        if self.done_at_failure is not None:
            self.after.append(what)
        if self.writes == self._number:
            self.failed_event = what
            self.done_at_failure = len(self.driver.did) if self.driver else 0
            raise NotDurable(f"{self.path}: write {self.writes} ({what}) did not reach the disk (no room)")

    def subscribe(self, listener: Any) -> None:
        self._ledger.subscribe(listener)

    def close(self) -> None:
        self._ledger.close()

    def blob(self, digest: str) -> bytes:
        return self._ledger.blob(digest)

    def thumbnail(self, digest: str) -> bytes | None:
        return self._ledger.thumbnail(digest)


def failing_run(folder: Path, number: int) -> tuple[Run, FailsAt]:
    """A run whose write `number` fails."""
    folder.mkdir(parents=True, exist_ok=True)
    ledger = FailsAt(RunLedger.create(folder / "run.signalbox", SystemClock()), number)

    def make_driver(url: str) -> SeenDriver:
        ledger.driver = SeenDriver(url)
        return ledger.driver

    return run_scenario(ALL_KINDS, folder, ledger=ledger, make_driver=make_driver), ledger


def test_nothing_happens_after_a_write_that_failed_whichever_it_was(quick_path: Path, expected_log: LogWatch) -> None:
    _, whole = failing_run(quick_path / "whole", 10**9)

    def one(number: int) -> None:
        run, ledger = failing_run(quick_path / str(number), number)
        ended = run.session.ended
        where = f"write {number} ({ledger.failed_event})"
        assert ended is not None
        assert isinstance(run.session.problem, NotDurable), where
        assert "did not reach the disk" in run.session.unrecorded, where
        assert ledger.done_at_failure == len(run.did), f"something was done after {where} had failed"
        assert f"{ledger.path}: {where} did not reach the disk (no room)" in ended.reason
        assert ended.status in ("failed", "needs_reconciling")
        assert set(ledger.after) <= {"run_ended", "failure_seen"}, where
        in_doubt = ledger.failed_event == "action_ended" and "browser.type" in ended.reason
        started = [event for event in run.of(ActionStarted) if not event.reads_only]
        if ended.status == "needs_reconciling":
            assert "may have happened" in ended.reason
            assert started[-1].member in ended.reason
        assert in_doubt <= (ended.status == "needs_reconciling")
        # Ended on its own: whoever reads the file sees a run that is over, or one that was cut off.
        assert run.session.join(0)

    several_at_once(one, range(2, whole.writes + 1))


def test_an_end_that_is_not_on_record_names_the_effect(quick_path: Path) -> None:
    _, whole = failing_run(quick_path / "whole", 10**9)
    types: list[str] = []
    run, _ = failing_run(quick_path / "again", 10**9)
    types = run.types()
    typed = next(i for i, e in enumerate(run.events) if isinstance(e, ActionStarted) and e.member == "type")
    ends = next(i for i in range(typed, len(types)) if types[i] == "action_ended")
    failed, ledger = failing_run(quick_path / "failed", ends + 1)
    assert ledger.failed_event == "action_ended"
    ended = failed.session.ended
    assert ended is not None
    assert ended.status == "needs_reconciling"
    assert "browser.type, action 1 of call call_002_02, was started and its end is not on record" in ended.reason
    assert [member for member, _ in failed.did] == ["type"]
    assert whole.writes == len(types)


@pytest.mark.parametrize("room", [200_000, 400_000])
def test_a_full_disk_ends_the_run_with_exit_code_1(
    tmp_path: Path, room: int, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = RunLedger.create(tmp_path / "run.signalbox", SystemClock(), limit_bytes=room)

    texts = (f"{number}" * 50_000 for number in range(10, 40))

    async def large(arguments: Any) -> str:
        return next(texts)

    looks = [answer('function = "large"\narguments = { }') for _ in range(20)]
    run = run_scenario(
        scene(*looks, answer(scenes.DONE), keys="max_steps = 50"),
        tmp_path,
        ledger=ledger,
        functions=[function("large", large)],
    )
    session: Session = run.session
    assert session.ended is not None
    assert session.ended.status in ("failed", "needs_reconciling")
    assert re.search(
        r"run\.signalbox: event \d+ \(\w+; last on record: event \d+, checkpoint \d+\)", session.ended.reason
    )
    assert "full" in session.ended.reason
    assert report(session, Timeline()) == 1
    written = capsys.readouterr()
    assert "did not reach the disk" in written.err
    assert written.out.startswith("run 20261129-2100-abcdef · ")
    # Not locked any more, and what was written is whole.
    RunLedger.open_owned(tmp_path / "run.signalbox", SystemClock()).close()


def function(name: str, execute: Any) -> Any:
    """A registered function without arguments."""
    from app.runner.specs import FunctionSpec

    tool = {
        "type": "function",
        "name": name,
        "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
        "strict": True,
    }
    return FunctionSpec(tool, execute)
