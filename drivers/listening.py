"""Connections taken on loopback: each one is ended by the time its listener is, also one that has only just come."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from collections.abc import Callable, Coroutine, Iterator

log = logging.getLogger(__name__)

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]]


class Listening:
    """Every connection has one task that serves it, and is closed when that task ends, even where it never began."""

    def __init__(self, serve: Serve, *, limit: int = 65536, tls: ssl.SSLContext | None = None) -> None:
        """`limit`: how many bytes a reader looks ahead for the end of a line."""
        self._serve = serve
        self._limit = limit
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        """Listen, and give the port."""
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0, limit=self._limit, ssl=self._tls)
        return int(self._server.sockets[0].getsockname()[1])

    def shut(self) -> None:
        """Take no further connection; those that are open go on. Doing it twice is allowed."""
        if self._server is not None:
            stop_taking(self._server)

    async def close(self) -> None:
        """Take no further connection and cut those that are open."""
        self.shut()
        # Two turns: in the first a connection that was just taken reports, in the second its task is made.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for task in (tasks := list(self._open)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(lambda _: self._ended(task, writer))

    def _ended(self, task: asyncio.Task[None], writer: asyncio.StreamWriter) -> None:
        self._open.discard(task)
        if task.cancelled():
            # What the other side has not read yet would keep a transport that is only closed.
            writer.transport.abort()
            return
        writer.close()
        if (failure := task.exception()) is not None:
            log.error("serving a connection failed: %s", type(failure).__name__)


def stop_taking(server: asyncio.Server) -> None:
    """Let `server` take no further connection; it is closed a turn of the loop later.

    What was taken in this very turn reports to the server in the next one. Up to Python 3.12 a server that is closed by
    then refuses it, and its socket is nobody's until it is collected as garbage.
    """
    loop = asyncio.get_running_loop()
    for listener in server.sockets:
        loop.remove_reader(listener.fileno())
    loop.call_soon(server.close)


@contextlib.contextmanager
def ending(writer: asyncio.StreamWriter) -> Iterator[None]:
    """Close `writer` at the end of the block; cut it where the block was cut, whatever the other side has not read."""
    try:
        yield
    except asyncio.CancelledError:
        writer.transport.abort()
        raise
    except BaseException:
        writer.close()
        raise
    writer.close()
