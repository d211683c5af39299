"""Whole runs: what the model is told, what is on record, in which order."""

import hashlib
from copy import deepcopy
from pathlib import Path
from typing import Any

from app.clock import SystemClock
from app.core.events import AskRaised, Recorded, RunEnded, SegmentStarted
from app.ledger.reader import LedgerReader
from app.ledger.shelf import summary_of
from app.ledger.store import RunLedger
from app.rehearsal.scenario import load_scenario
from app.runner.session import Session
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import run_scenario
from tests.unit.app.runner.scenes import answer, batch, deny, scene


def test_booking_runs_to_its_final_message(tmp_path: Path) -> None:
    run = run_scenario(load_scenario("booking"), tmp_path)
    assert run.model.problems == []
    ended = run.events[-1]
    assert isinstance(ended, RunEnded)
    assert ended.status == "finished", ended
    assert [booking.name for booking in run.site.bookings] == ["Ada Park"]


def test_the_pictures_of_a_run_can_be_seen_after_its_end(tmp_path: Path) -> None:
    """Its window stays open, and whoever scrubs back wants to see what was asked."""
    run = run_scenario(load_scenario("booking"), tmp_path)
    digests = {frame.picture.digest for frame in run.timeline.frames}
    assert digests
    for digest in digests:
        assert hashlib.sha256(run.session.blobs.blob(digest)).hexdigest() == digest
        assert run.session.blobs.thumbnail(digest)


def test_the_pictures_of_a_run_can_be_seen_while_it_goes_on(tmp_path: Path) -> None:
    seen: list[bytes] = []

    def look(session: Session) -> None:
        def listen(recorded: Recorded) -> None:
            if isinstance(recorded.event, AskRaised) and (picture := recorded.event.ask.evidence.picture):
                seen.append(session.blobs.blob(picture.digest))

        session.subscribe(listen)

    run_scenario(load_scenario("booking"), tmp_path, before=look)
    assert seen


class Keeping:
    """A real ledger that keeps a copy of each checkpoint that it was handed."""

    def __init__(self, ledger: RunLedger) -> None:
        self._ledger = ledger
        self.path = ledger.path
        self.handed: list[dict[str, Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    def save_checkpoint(self, checkpoint: dict[str, Any]) -> Recorded:
        self.handed.append(deepcopy(checkpoint))
        return self._ledger.save_checkpoint(checkpoint)


def test_every_checkpoint_of_a_run_of_several_segments_comes_back_as_it_was_handed_over(tmp_path: Path) -> None:
    """The SDK changes an answer in place when a segment begins with an approval that was not used yet."""
    scenario = scene(
        answer(scenes.ASK_GUEST, batch(scenes.CLICK_NAME)),
        answer(scenes.GUEST_FOUND, batch(scenes.CLICK_NAME, scenes.WAIT)),
        answer(scenes.DONE),
        operator=deny("computer_action", member="click", note="Not there."),
        keys="computer = true",
        mcp=scenes.GUEST_LIST,
    )
    ledger = Keeping(RunLedger.create(tmp_path / "run.signalbox", SystemClock()))
    run = run_scenario(scenario, tmp_path, ledger=ledger)
    assert run.ended.status == "finished", run.ended.reason
    assert len(run.of(SegmentStarted)) == 3
    with LedgerReader.open(ledger.path) as reader:
        kept = [reader.checkpoint(revision) for revision in reader.revisions()]
    assert kept == ledger.handed
    assert [checkpoint["revision"] for checkpoint in kept] == list(range(1, len(kept) + 1))
    assert kept[-1]["consumed_requests"] == len(run.model.requests) == 3


def test_a_stop_that_comes_after_the_end_is_not_written_behind_it(tmp_path: Path) -> None:
    """The loop still winds up when the window is closed at the very end; a last event that is no end means cut off."""

    def stop_at_the_end(session: Session) -> None:
        session.subscribe(
            lambda recorded: session.request_stop("window_closed") if recorded.event.type == "run_ended" else None
        )

    run = run_scenario(scene(answer(scenes.DONE)), tmp_path, before=stop_at_the_end)
    assert run.ended.status == "finished"
    assert summary_of(run.ledger_path).status == "finished"
