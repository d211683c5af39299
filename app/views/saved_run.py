"""Fills a window with a saved run: the first events at once, the rest as it is read, and last what a check found.

Until the whole file has been read and checked the window says *checking…* and nothing else.
"""

import contextlib
import logging
import threading
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer, Signal

from app.core.errors import LedgerProblem
from app.core.events import Recorded
from app.core.sealed import SHORT, SealFound
from app.replay.cursor import Follow, Seek
from app.replay.marks import MarkBook
from app.replay.reading import Checked, Reading
from app.views.models.timeline_model import TimelineModel
from app.views.switching import ShortTurns
from app.views.theme import Tone
from app.views.window import ConsoleWindow

log = logging.getLogger(__name__)

PART_EVENTS = 2048
"""Folded in between two turns of the window's loop."""

UNPAINTED_MS = 300
"""A timeline that is not painted by then (a hidden panel, a minimised window) is not waited for."""

CHECKING = "saved run · checking…"
WHOLE = "saved run · checked, whole"
NOT_WHOLE = "saved run · not whole"
UNCHECKED = "saved run · could not be checked"
UNPROVEN = "saved run · nothing proves it"
IN_USE = "saved run · in use when it was opened"
MOST_FINDINGS = 3


class SavedRun(QObject):
    """Reads in a thread of its own, folds in the window's; closing the window ends both.

    Signals:
        read_whole: every event that can be shown is folded in.
        checked: it is known whether the record is whole, or that this cannot be known.
        seal_seen: what is known of its seal is shown.
    """

    read_whole = Signal()
    checked = Signal()
    seal_seen = Signal()
    _part = Signal(object)
    _found = Signal(object)
    _sealed = Signal(object)

    def __init__(
        self,
        window: ConsoleWindow,
        reading: Reading,
        marks: MarkBook | None = None,
        seal: Callable[[Reading], SealFound] | None = None,
    ) -> None:
        """`seal` tells of a reading that has been checked; it may wait for a person who unlocks the key store."""
        super().__init__(window)
        self._seal = seal
        self._window = window
        self._reading = reading
        self._taken = threading.Event()
        self._closed = threading.Event()
        self._said: set[str] = set()
        self._started = self._working = False
        self.model = TimelineModel(blobs=reading.blobs)
        self.model.marks = marks
        self.model.expected = reading.total
        self.model.fold(reading.first)
        self._stood_at = self.model.timeline.last_seq
        if not reading.ended:
            self.model.do(Seek(self._stood_at))
        self._thread = threading.Thread(target=self._work, name=f"reading {reading.path.stem}", daemon=True)
        self._part.connect(self._on_part)
        self._found.connect(self._on_found)
        self._sealed.connect(self._on_sealed)
        window.closed.connect(self.close)
        window.show_run(self.model, run_id=reading.title, rest_later=True)
        window.header.say_record(CHECKING, "dim")
        self._say_notes()
        strip = getattr(window.docks["timeline"].panel, "strip", None)
        self._painted = strip.viewport() if strip is not None else window
        self._painted.installEventFilter(self)
        QTimer.singleShot(UNPAINTED_MS, self, self._go_on)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self._started:
            # After this paint, not within it.
            QTimer.singleShot(0, self, self._go_on)
        return False

    def close(self) -> None:
        """Read no further; waits for the part in hand."""
        self._closed.set()
        self._taken.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._working:
            self._working = False
            ShortTurns.give_back()

    def _go_on(self) -> None:
        """The timeline is on the screen: now the other panels, and the rest of the run."""
        if not self._started:
            self._started = True
            self._painted.removeEventFilter(self)
            self._fill()

    def _fill(self) -> None:
        """One panel in each turn of the loop."""
        if self._closed.is_set():
            return
        if self._window.fill_next():
            QTimer.singleShot(0, self, self._fill)
            return
        self._working = True
        ShortTurns.take()
        self._thread.start()

    def _work(self) -> None:
        try:
            while not self._reading.ended and not self._closed.is_set():
                self._taken.clear()
                self._part.emit(self._reading.more(PART_EVENTS))
                self._taken.wait()
            if self._closed.is_set():
                return
            self._part.emit(None)
            self._found.emit(self._checked())
        except Exception:
            log.exception("a saved run could not be read on")
            self._found.emit(None)

    def _checked(self) -> Checked | None:
        if not self._reading.can_be_checked:
            return None
        try:
            return self._reading.check(lambda: not self._closed.is_set())
        except LedgerProblem:
            return None

    def _on_part(self, records: list[Recorded] | None) -> None:
        if self._closed.is_set():
            return
        if records is None:
            self._on_read_whole()
            return
        self.model.fold(records)
        self.model.changed.emit()
        self._taken.set()

    def _on_read_whole(self) -> None:
        model = self.model
        model.expected = 0
        model.timeline.cut_off = "cut_off" in self._reading.flags
        self._say_notes()
        model.changed.emit()
        # A person who has moved the cursor meanwhile keeps their place.
        if model.following or model.seq != self._stood_at or not model.do(Follow()):
            model.moment_changed.emit()
        self.read_whole.emit()

    def _on_found(self, found: Checked | None) -> None:
        if self._closed.is_set():
            return
        flags, header = self._reading.flags, self._window.header
        if found is not None and self._seal is not None:
            # Not waited for when the window is closed: a locked key store may never answer.
            threading.Thread(target=self._look_at_seal, name="seal", daemon=True).start()
        if found is None:
            words = IN_USE if "running" in flags else UNPROVEN if "foreign" in flags else UNCHECKED
            header.say_record(words, "hold" if words == UNCHECKED else "dim")
        elif found.whole:
            header.say_record(WHOLE, "clear")
        else:
            header.say_record(NOT_WHOLE, "danger")
            self._window.say_notes([f"The check found: {words}" for words in found.findings[:MOST_FINDINGS]])
        self._working = False
        ShortTurns.give_back()
        self.checked.emit()

    def _look_at_seal(self) -> None:
        assert self._seal is not None
        try:
            found: SealFound | None = self._seal(self._reading)
        except LedgerProblem:
            found = None
        except Exception:
            log.exception("the seal of a saved run could not be looked at")
            found = None
        if not self._closed.is_set():
            # The window may go in this very moment.
            with contextlib.suppress(RuntimeError):
                self._sealed.emit(found)

    def _on_sealed(self, found: SealFound | None) -> None:
        if self._closed.is_set():
            return
        if found is not None:
            header = self._window.header
            header.say_record(f"{header.mode.text()} · {SHORT[found.state]}", self._seal_tone(found))
            if found.bad:
                self._window.say_notes([f"The seal: {found.words}"])
            self.model.say_seal(found)
        self.seal_seen.emit()

    def _seal_tone(self, found: SealFound) -> Tone:
        whole = self._reading.report is not None and self._reading.report.whole
        if found.bad or not whole:
            return "danger"
        return "hold" if found.state in ("partly", "cannot_tell") else "clear"

    def _say_notes(self) -> None:
        """What is newly known to be unusual."""
        fresh = [note for note in self._reading.notes if note not in self._said]
        self._said.update(fresh)
        self._window.say_notes(fresh)
