"""What a ledger does after a save, in a thread of its own: thumbnails, room in its log, folding that into the file,
freeing the checkpoint before."""

import logging
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from app.ledger import room
from app.ledger.pictures import thumbnail
from app.ledger.schema import connect_to_write

logger = logging.getLogger(__name__)

FOLD_AT_BYTES = 16 * 1024 * 1024
"""So much written since the last time, and the write-ahead log is folded into the file."""

LONGEST_LOG_BYTES = 128 * 1024 * 1024
"""A log that grew so long although it was folded again and again makes the writer wait until it is empty."""

LAST_BYTES = 1024 * 1024
"""So much at most is folded while the writer waits."""

PAGE_BYTES = 4096
MOST_FOLDS = 4
COMMIT_BYTES = 3 * PAGE_BYTES
"""What a commit writes to the log beside its pictures and texts, roughly."""

MOST_WAITING = 64
"""Pictures that wait for their thumbnail; a further one goes without, and a reader makes it when it is needed."""

FREED_AT_ONCE = 64
"""Items of a list. Freeing holds the interpreter, and a save that runs meanwhile would wait for all of it."""

PAUSE_SECS = 0.0002
"""Between two such pieces: long enough for whoever waits for the interpreter to get it."""

MOST_OLD = 6
"""Long histories that wait to be freed; a caller frees a further one itself."""


class Afterwork:
    """One thread from the first job to `close`. It never writes an event and no save ever waits for a thumbnail."""

    def __init__(self, path: Path, writing: threading.Lock) -> None:
        self._path = path
        self._writing = writing
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None
        self._folding = False
        self._unfolded = 0
        self._room = 0
        self._making_room = False
        self._thumbs: dict[str, bytes] = {}
        self._old: deque[list[Any]] = deque()

    def picture(self, digest: str, data: bytes) -> None:
        """Make a thumbnail of a picture that is durable now."""
        if not self._start(lambda: self._thumbnail(digest, data)):
            logger.info("A picture goes without a stored thumbnail: too many are waiting")

    def wrote(self, count: int) -> None:
        """A commit brought `count` bytes of pictures and texts: fold the log, or make room in it, when it is time."""
        self._unfolded += count + COMMIT_BYTES
        if not self._making_room and (wanted := room.wanted(self._unfolded, self._room)) > self._room:
            self._making_room = self._start(lambda: self._make_room(wanted))
        if self._unfolded > FOLD_AT_BYTES and not self._folding:
            self._folding = self._start(self._fold)
            self._unfolded = 0

    def let_go(self, old: dict[str, Any]) -> None:
        """Nobody needs `old` any longer. To free the copy of a long history takes as long as to compare it.

        It is done while there is nothing else to do, and takes no picture's place.
        """
        for value in old.values():
            is_long = isinstance(value, list) and len(value) > FREED_AT_ONCE and not isinstance(value[0], str)
            if is_long and len(self._old) < MOST_OLD:
                self._old.append(value)
        if self._old and self._jobs.empty():
            self._start(_nothing)

    def thumbnail(self, digest: str) -> bytes | None:
        """A thumbnail that is made and not yet in the file."""
        return self._thumbs.get(digest)

    def made(self) -> dict[str, bytes]:
        """Thumbnails that are made and not yet in the file; a caller that has stored some says so by `stored`."""
        return dict(self._thumbs)

    def stored(self, digests: dict[str, bytes]) -> None:
        """These are in the file now."""
        for digest in digests:
            self._thumbs.pop(digest, None)

    def close(self) -> None:
        """Finish what is waiting and end the thread."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            thread.join()

    def _start(self, job: Callable[[], None]) -> bool:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=f"afterwork {self._path.stem}", daemon=True)
            self._thread.start()
        try:
            self._jobs.put_nowait(job)
        except queue.Full:
            return False
        return True

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception:
                logger.exception("Work after a save failed")
            del job  # and what it holds, before the next one is waited for
            self._free()
        self._old.clear()

    def _free(self) -> None:
        while self._old and self._jobs.empty():
            items = self._old[0]
            del items[-FREED_AT_ONCE:]
            if not items:
                self._old.popleft()
            time.sleep(PAUSE_SECS)

    def _thumbnail(self, digest: str, data: bytes) -> None:
        if (made := thumbnail(data)) is not None:
            self._thumbs[digest] = made

    def _make_room(self, until: int) -> None:
        try:
            room.make(self._path.with_name(self._path.name + "-wal"), until, self._writing)
        except OSError as error:
            logger.info("no room was made in the write-ahead log: %s", error.strerror)
        finally:
            self._room = until
            self._making_room = False

    def _fold(self) -> None:
        try:
            with closing(connect_to_write(self._path)) as connection:
                # Beside the writer, most of it.
                for _ in range(MOST_FOLDS):
                    _, pages, folded = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                    if pages == folded:
                        break
                # The writer begins the log anew only where it finds all of it in the file, which one that writes on and
                # on would never do: it waits for what it wrote in the last moment.
                with self._writing:
                    if pages * PAGE_BYTES > LONGEST_LOG_BYTES:
                        connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
                    elif (pages - folded) * PAGE_BYTES < LAST_BYTES:
                        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.Error:
            # The log holds everything and goes on growing; the writer meets the disk's trouble itself.
            logger.exception("The write-ahead log could not be folded")
        finally:
            self._folding = False


def _nothing() -> None:
    """Only the thread is woken."""
