"""Ledgers of each format are kept and open for ever; one from the future is shown as far as it is understood.

``tests/recordings/format-N.signalbox`` is a run of the demo with a denial, saved by the first program of that format.
It is never made anew: a change that cannot read it needs a converter.
"""

import shutil
from pathlib import Path

import pytest

from app.core.errors import LedgerProblem
from app.core.settle import settle
from app.ledger.schema import FORMAT
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from app.replay.frames import Frames, SafePicture
from app.replay.source import open_source
from tests.unit.app.ledger.made_up import StandingClock
from tests.unit.app.replay.saved import fold

RECORDINGS = Path(__file__).parents[3] / "recordings"


def test_there_is_one_of_each_format() -> None:
    kept = sorted(file.name for file in RECORDINGS.glob("format-*.signalbox"))
    assert kept == sorted(f"format-{number}.signalbox" for number in range(1, FORMAT + 1))


@pytest.mark.parametrize("number", range(1, FORMAT + 1))
def test_a_ledger_of_that_format_opens_whole(number: int) -> None:
    path = RECORDINGS / f"format-{number}.signalbox"
    assert verify(path).whole
    source = open_source(path)
    timeline = fold(source)
    assert source.flags == {"copied"}
    assert (len(timeline.asks), len(timeline.allowed), len(timeline.denied)) == (5, 4, 1)
    assert [ended.status for ended in timeline.ended] == ["finished"]
    assert {call.outcome for call in settle(source.events)} == {"done", "not_done"}
    frames = Frames(source.blobs)
    assert len(timeline.frames) > 0
    for frame in timeline.frames:
        shown = frames.picture(frame.picture.digest)
        assert isinstance(shown, SafePicture)
        assert (shown.header.width, shown.header.height) == (frame.picture.width, frame.picture.height)
        assert frames.thumbnail(frame.picture.digest) is not None
    source.close()


def test_one_from_the_future_is_shown_as_far_as_it_is_understood(tmp_path: Path) -> None:
    path = tmp_path / "from-the-future.signalbox"
    shutil.copy(RECORDINGS / path.name, path)
    source = open_source(path)
    assert source.flags == {"newer", "copied"}
    assert source.notes == (
        "made by a newer Signalbox (format 2): to be looked at only",
        "readable up to event 3 of 7: the rest needs a newer Signalbox",
    )
    assert [recorded.event.type for recorded in source.events] == ["run_started", "turn_answered", "ask_raised"]
    assert len(fold(source).asks) == 1
    source.close()
    assert not verify(path).whole
    with pytest.raises(LedgerProblem, match="newer"):
        RunLedger.open_owned(path, StandingClock())
