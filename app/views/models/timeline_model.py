"""The timeline of one run and the place on it, for every panel, live and in replay alike."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.core.events import Recorded
from app.core.moment import Moment
from app.core.ports import Blobs
from app.core.sealed import SealFound
from app.core.timeline import Timeline
from app.replay.cursor import Command, Cursor
from app.replay.frames import Frames
from app.replay.marks import MarkBook


class TimelineModel(QObject):
    """Holds the fold and the cursor; both change only here, in the window's thread.

    Signals:
        changed: events were folded in. Panels that show the newest read `moment`; lists may grow.
        moment_changed: `moment` is another one, by new events while following or by moving the cursor.
    """

    changed = Signal()
    moment_changed = Signal()

    def __init__(
        self,
        timeline: Timeline | None = None,
        *,
        blobs: Blobs,
        live: bool = False,
        cut_off: bool = False,
        parent: QObject | None = None,
    ) -> None:
        """`live`: a run is writing, so the cursor follows. `cut_off`: nobody writes although no end is recorded."""
        super().__init__(parent)
        self.timeline = timeline if timeline is not None else Timeline()
        self.blobs = blobs
        self.pictures = Frames(blobs)
        self.live = live
        self.timeline.cut_off = cut_off
        self.marks: MarkBook | None = None
        """A reviewer's marks; None where none can be set."""
        self.seal: SealFound | None = None
        """What is known of a saved run's seal; None until it has been looked at, and while a run goes on."""
        self.expected = 0
        """How many events a saved run seems to have, while it is still being read."""
        self.cursor = Cursor(self.timeline)
        self.cursor.listen(self.moment_changed.emit)

    @property
    def moment(self) -> Moment:
        """The run as it stood where the cursor is."""
        return Moment(self.timeline, self.seq)

    @property
    def cut_off(self) -> bool:
        """Whether nobody writes it any more although no end is on record."""
        return self.timeline.cut_off

    @property
    def seq(self) -> int:
        """Where the cursor is; the newest event while following."""
        return self.cursor.seq

    @property
    def following(self) -> bool:
        """Whether the cursor moves on with each new event."""
        return self.cursor.following

    def do(self, command: Command) -> bool:
        """Move the cursor; whether that moved it."""
        return self.cursor.do(command)

    def fold(self, records: Sequence[Recorded]) -> None:
        """Take in new events, in order; whoever does so calls `tell` soon after."""
        for recorded in records:
            self.timeline.apply(recorded)

    def tell(self) -> None:
        """Say that events were folded in since the last time."""
        self.changed.emit()
        if self.following:
            self.moment_changed.emit()

    def extend(self, records: Sequence[Recorded]) -> None:
        """Fold in new events and say so at once."""
        if records:
            self.fold(records)
            self.tell()

    def say_seal(self, found: SealFound) -> None:
        """The seal has been looked at."""
        self.seal = found
        self.moment_changed.emit()

    def stopped_writing(self) -> None:
        """The run's thread has ended: without an end on record, the run was cut off."""
        self.live = False
        self.timeline.cut_off = Moment(self.timeline).ended is None
        self.moment_changed.emit()
