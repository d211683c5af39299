"""A run leaves behind what its last action led to, and nothing that was not to be recorded."""

from dataclasses import replace
from pathlib import Path

from app.core.events import ActionEnded, ActionStarted, AskRaised, PictureTaken, Recorded
from app.core.human import RecordingChanged
from app.core.live import LatestFrame
from app.rehearsal.scenario import load_scenario
from app.runner.last_look import last_look
from app.runner.session import Session
from tests.helpers.journals import JournalWriter, booking
from tests.unit.app.runner.harness import run_scenario
from tests.unit.app.runner.test_screen import SetClock, frame

LATER = 1_000_000
"""Nanoseconds after an event."""


def upto_last_action() -> JournalWriter:
    """A booking, as far as its last click has begun."""
    whole, cut = booking(), JournalWriter()
    begun = max(at for at, one in enumerate(whole.records) if isinstance(one.event, ActionStarted))
    for recorded in whole.records[: begun + 1]:
        cut.add(recorded.event)
    return cut


def looked(writer: JournalWriter, taken_ns: int) -> bool:
    frames = LatestFrame()
    frames.put(frame(taken_ns))
    return last_look(writer.records, frames, SetClock()) is not None


def test_a_saved_run_shows_what_its_last_action_led_to(tmp_path: Path) -> None:
    def show(session: Session) -> None:
        def listen(recorded: Recorded) -> None:
            if isinstance(recorded.event, ActionEnded):
                session.frames.put(replace(frame(recorded.mono_ns), data=b"after %d" % recorded.seq))

        session.subscribe(listen)

    run = run_scenario(load_scenario("refusal"), tmp_path, before=show)
    last = run.timeline.frames.last(run.timeline.last_seq)
    assert last is not None
    ended = run.timeline.endings.seq_of(len(run.timeline.endings) - 1)
    assert (last.role, run.session.blobs.blob(last.picture.digest)) == ("live", b"after %d" % ended)


def test_it_is_looked_only_where_something_was_done_since_the_last_picture() -> None:
    writer = upto_last_action()
    after = writer.records[-1].mono_ns + LATER
    assert looked(writer, after)
    assert last_look(writer.records, LatestFrame(), SetClock()) is None
    picture = next(one.event.ask.evidence.picture for one in writer.records if isinstance(one.event, AskRaised))
    assert picture is not None
    writer.add(PictureTaken(role="read", picture=picture))
    assert not looked(writer, after)


def test_nothing_of_a_time_in_which_nothing_is_recorded_is_kept() -> None:
    writer = upto_last_action()
    writer.add(RecordingChanged(recording=False, reason="a person's secret"))
    within = writer.records[-1].mono_ns + LATER
    assert not looked(writer, within)
    writer.add(RecordingChanged(recording=True, reason="it is over"))
    assert not looked(writer, within)
    assert looked(writer, writer.records[-1].mono_ns + LATER)
