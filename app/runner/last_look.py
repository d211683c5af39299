"""The picture that a run leaves behind: what its last action led to, which no later question shows."""

from collections.abc import Sequence

from app.core.events import ActionStarted, AskRaised, PictureTaken, Recorded
from app.core.evidence import Blob, Picture
from app.core.human import RecordingChanged
from app.core.live import LatestFrame
from app.core.ports import Clock
from app.runner.screen import picture_of_frame


def last_look(written: Sequence[Recorded], frames: LatestFrame, clock: Clock) -> tuple[Picture, Blob] | None:
    """The newest live picture, if an action that is no mere read has begun since one was taken for the record.

    None while nothing is recorded, and none that was taken in such a gap.
    """
    frame = frames.frame
    if frame is None or not _acted_since_a_picture(written):
        return None
    for recorded in reversed(written):
        if isinstance(recorded.event, RecordingChanged):
            if not recorded.event.recording or frame.taken_mono_ns <= recorded.mono_ns:
                return None
            break
    return picture_of_frame(frame, clock)


def _acted_since_a_picture(written: Sequence[Recorded]) -> bool:
    for recorded in reversed(written):
        match recorded.event:
            case ActionStarted(reads_only=False):
                return True
            case PictureTaken():
                return False
            case AskRaised() as raised if raised.ask.evidence.picture is not None:
                return False
            case _:
                pass
    return False
