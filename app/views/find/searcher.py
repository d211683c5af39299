"""Searches a run's events beside the window's thread; of many wishes only the newest is answered."""

import logging
import threading
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.core import describe
from app.core.events import Event
from app.core.timeline import Timeline
from app.replay.search import Hit, RunSearch
from app.views.switching import ShortTurns
from app.views.timeline.wording import event_words

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """What was found for one wish, among the events up to `upto`."""

    wanted: str
    hits: tuple[Hit, ...]
    upto: int


class Searcher(QObject):
    """Lives in the window's thread; its worker begins with the first wish and makes the index then.

    Signals:
        found: a `Found`.
    """

    found = Signal(object)
    _answered = Signal(object)

    def __init__(self, timeline: Timeline, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timeline = timeline
        self._changed = threading.Condition()
        self._wanted: tuple[str, int] | None = None
        self._closed = False
        self._hurried = False
        self._thread: threading.Thread | None = None
        self._answered.connect(self._on_answered)

    def want(self, words: str) -> None:
        """Look for these words among all events there are now."""
        if not self._hurried:
            self._hurried = True
            ShortTurns.take()
        with self._changed:
            self._wanted = (words, self._timeline.last_seq)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="search", daemon=True)
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """Find nothing more; waits for what is in hand."""
        with self._changed:
            self._closed = True
            thread, self._thread = self._thread, None
            self._changed.notify()
        if thread is not None:
            thread.join()
        self._rest()

    def _rest(self) -> None:
        if self._hurried:
            self._hurried = False
            ShortTurns.give_back()

    def _on_answered(self, found: Found | None) -> None:
        with self._changed:
            busy = self._wanted is not None
        if not busy:
            self._rest()
        if found is not None and not self._closed:
            self.found.emit(found)

    def _work(self) -> None:
        search = RunSearch(self._timeline, _words)
        try:
            while (wish := self._next_wish()) is not None:
                try:
                    self._answered.emit(self._look(search, *wish))
                except Exception:
                    log.exception("a search failed")
                    self._answered.emit(None)
        finally:
            search.close()

    def _next_wish(self) -> tuple[str, int] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._wanted is not None)
            wish, self._wanted = self._wanted, None
            return None if self._closed else wish

    def _look(self, search: RunSearch, wanted: str, upto: int) -> Found | None:
        """The answer, or None when it is not wanted any more."""
        hits = search.look(wanted, upto, self._still_wanted)
        return None if hits is None else Found(wanted, hits, upto)

    def _still_wanted(self) -> bool:
        with self._changed:
            return not self._closed and self._wanted is None


def _words(event: Event) -> str:
    return f"{describe.event_name(event)} {event_words(event)}"
