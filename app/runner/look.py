"""A page shown to a person before a run goes on: opened in a thread of its own, never driven, closed when told."""

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from app.core.errors import SignalboxError
from app.core.live import LatestFrame

log = logging.getLogger(__name__)

OPENING, OPEN = "Opening…", ""
FAILED = "The page could not be opened; the log has the reason."

OpenPage = Callable[[str, LatestFrame], AbstractAsyncContextManager[None]]


class Look:
    """Implements `core.resuming.PageLook`. At most one page is open; each thread waits for the one before it."""

    def __init__(self, open_page: OpenPage) -> None:
        self._open_page = open_page
        self._frames = LatestFrame()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._end: Callable[[], None] = lambda: None

    @property
    def frames(self) -> LatestFrame:
        """See `PageLook.frames`."""
        return self._frames

    def open(self, url: str, said: Callable[[str], None]) -> None:
        """See `PageLook.open`."""
        with self._lock:
            self._end()
            before = self._thread
            ended = threading.Event()
            loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
            self._end = lambda: self._tell(ended, loops)
            self._thread = threading.Thread(
                target=self._main, args=(url, said, before, ended, loops), name="page to look at"
            )
            self._thread.start()

    def close(self) -> None:
        """See `PageLook.close`."""
        with self._lock:
            self._end()

    def join(self) -> None:
        """Wait until the page is closed. Not on the window's loop."""
        if (thread := self._thread) is not None:
            thread.join()

    def _tell(self, ended: threading.Event, loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]]) -> None:
        ended.set()
        for loop, over in loops:
            try:
                loop.call_soon_threadsafe(over.set)
            except RuntimeError:
                log.info("the page had been closed before")

    def _main(
        self,
        url: str,
        said: Callable[[str], None],
        before: threading.Thread | None,
        ended: threading.Event,
        loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]],
    ) -> None:
        if before is not None:
            before.join()
        said(OPENING)
        try:
            asyncio.run(self._shown(url, said, ended, loops))
        except SignalboxError as problem:
            said(str(problem))
        except Exception:
            log.exception("a page could not be looked at")
            said(FAILED)

    async def _shown(
        self,
        url: str,
        said: Callable[[str], None],
        ended: threading.Event,
        loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]],
    ) -> None:
        over = asyncio.Event()
        loops.append((asyncio.get_running_loop(), over))
        if ended.is_set():
            return
        async with self._open_page(url, self._frames):
            said(OPEN)
            await over.wait()
