"""Everything that a run's events say, to be searched: an index made anew at each opening, and never evidence.

It is a database of its own that SQLite keeps in a nameless temporary file, gone when it is closed.
"""

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.core.events import Recorded
from app.core.value import Json

MOST_EVENT_CHARS = 200_000
"""Of one event; what comes after is not found."""

MOST_FOUND = 500
SNIPPET_WORDS = 14
CACHE_KIB = 8 * 1024

_TABLE = "CREATE VIRTUAL TABLE said USING fts5(words, tokenize = \"unicode61 remove_diacritics 2\", prefix = '2 3')"
_FIND = "SELECT rowid, snippet(said, 0, char(1), char(2), '…', ?) FROM said WHERE said MATCH ? ORDER BY rowid LIMIT ?"


@dataclass(frozen=True)
class Hit:
    """One event that says what was looked for."""

    seq: int
    before: str
    found: str
    after: str
    """Outside text around and at the first place that fits."""


class TextIndex:
    """Filled and asked from any thread; an event can be found as soon as `add` has returned."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        try:
            for statement in (
                "PRAGMA journal_mode = OFF",
                "PRAGMA synchronous = OFF",
                f"PRAGMA cache_size = -{CACHE_KIB}",
                _TABLE,
            ):
                self._connection.execute(statement).fetchall()
        except BaseException:
            self._connection.close()
            raise
        self.newest = 0
        """The newest event in it."""

    def add(self, records: Iterable[tuple[Recorded, str]]) -> None:
        """Take in events, in order, each with the console's own words for it."""
        with self._lock:
            self._connection.execute("BEGIN")
            for recorded, words in records:
                said = f"{words} {said_in(recorded.event.model_dump())}"
                self._connection.execute("INSERT INTO said(rowid, words) VALUES(?, ?)", (recorded.seq, said))
                self.newest = recorded.seq
            self._connection.execute("COMMIT")

    def find(self, wanted: str) -> list[Hit]:
        """Events in which every word of `wanted` occurs, or begins one that does; oldest first, up to a limit."""
        terms = [_term(word) for word in wanted.split()]
        if not any(terms):
            return []
        with self._lock:
            found = self._connection.execute(
                _FIND, (SNIPPET_WORDS, " AND ".join(term for term in terms if term), MOST_FOUND)
            ).fetchall()
        return [_hit(seq, snippet) for seq, snippet in found]

    def close(self) -> None:
        """Drop it."""
        with self._lock:
            self._connection.close()


def said_in(value: Json) -> str:
    """Every text and number of a value on one line, as far as an event's limit goes."""
    parts: list[str] = []
    length = 0
    for text in _texts(value):
        parts.append(text)
        length += len(text)
        if length > MOST_EVENT_CHARS:
            break
    # SQLite takes valid Unicode only.
    return " ".join(parts)[:MOST_EVENT_CHARS].encode("utf-8", "replace").decode("utf-8")


def _texts(value: Json) -> Iterator[str]:
    waiting: list[Json] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting.extend(reversed([part for pair in one.items() for part in pair if _told(part)]))
        elif isinstance(one, list | tuple):
            waiting.extend(reversed(one))
        elif isinstance(one, int | float) and not isinstance(one, bool):
            yield str(one)


def _told(part: Json) -> bool:
    return part is not None and part != "" and part != [] and part != {}


def _term(word: str) -> str:
    """One word as a phrase whose end may be missing; nothing in it is ever a command to the index."""
    plain = word.encode("utf-8", "replace").decode("utf-8").replace("\0", "").replace('"', '""')
    return f'"{plain}" *' if any(letter.isalnum() for letter in plain) else ""


def _hit(seq: int, snippet: str) -> Hit:
    before, _, rest = snippet.partition("\x01")
    found, _, after = rest.partition("\x02")
    return Hit(seq, before, found, after.replace("\x01", "").replace("\x02", ""))
