"""Searching one run: its events go into an index as far as they are there, then words are looked up in it."""

from collections.abc import Callable

from app.core.events import Event
from app.core.timeline import Timeline
from app.ledger.text_index import MOST_FOUND, Hit, TextIndex

__all__ = ["MOST_FOUND", "Hit", "RunSearch"]

AT_ONCE = 500
"""Events that are put into the index before it is asked whether to go on."""


class RunSearch:
    """Reads a timeline that another thread may append to; used by one thread at a time."""

    def __init__(self, timeline: Timeline, words: Callable[[Event], str]) -> None:
        """`words`: the console's own words for an event, by which it is found too."""
        self._timeline = timeline
        self._words = words
        self._index = TextIndex()

    def look(self, wanted: str, upto: int, goes_on: Callable[[], bool]) -> tuple[Hit, ...] | None:
        """What fits among the events up to `upto`; None once `goes_on` says no."""
        index = self._index
        while index.newest < upto:
            records = self._timeline.events.between(index.newest, min(upto, index.newest + AT_ONCE))
            index.add((one, self._words(one.event)) for one in records)
            if not goes_on():
                return None
        return tuple(index.find(wanted))

    def close(self) -> None:
        """Drop the index."""
        self._index.close()
