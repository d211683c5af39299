"""An HTTP server on 127.0.0.1 in a thread and loop of its own; what it serves is given to it."""

import asyncio
import contextlib
import os
import socket
import threading
from typing import Self

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.core.errors import RehearsalProblem

HOST = "127.0.0.1"
GRACE_SECS = 2

Peer = tuple[str, int]


def _connection_class(open_now: dict[asyncio.Transport, Peer]) -> type[asyncio.Protocol]:
    """uvicorn's own protocol, which also keeps the table of open connections, so that one can be cut on purpose."""

    class Connection(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            open_now[transport] = transport.get_extra_info("peername")

        def connection_lost(self, exc: Exception | None) -> None:
            open_now.pop(self.transport, None)
            super().connection_lost(exc)

    return Connection


class _Uvicorn(uvicorn.Server):
    """A server that says when it has started, and ends when it is told to; neither side polls."""

    def __init__(self, config: uvicorn.Config, open_now: dict[asyncio.Transport, Peer]) -> None:
        super().__init__(config)
        self._open_now = open_now
        self.up = threading.Event()
        self.listening = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._loop = asyncio.get_running_loop()
        self.listening = True
        self.up.set()

    async def main_loop(self) -> None:
        await self.on_tick(0)
        await self._end.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End every connection, also one that came at the last moment and one whose other side reads nothing."""
        loop = asyncio.get_running_loop()
        for listener in sockets or []:
            with contextlib.suppress(NotImplementedError):  # Windows has nothing to remove
                loop.remove_reader(listener.fileno())
        # A connection taken in this very turn reports to the listener in the next one, and to uvicorn in the one after
        # that. Up to Python 3.12 a listener that is closed by then refuses it, and nobody closes its socket.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await super().shutdown(sockets=sockets)
        for transport in list(self._open_now):
            transport.abort()
        await asyncio.sleep(0)

    def end(self) -> None:
        """Stop serving; may be called from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._end.set)


class Loopback:
    """Serves one ASGI application from `start` to `stop`; never listens on anything but 127.0.0.1.

    The socket is bound in the caller's thread, so that a taken port is an error where it was asked for.
    """

    def __init__(self, application: ASGIApp, *, what: str, port: int = 0) -> None:
        self._application = application
        self._what = what
        self._port = port
        self._server: _Uvicorn | None = None
        self._thread: threading.Thread | None = None
        self._connections: dict[asyncio.Transport, Peer] = {}

    def start(self) -> str:
        """Listen and return ``http://127.0.0.1:PORT``; connections are taken from here on.

        Raises:
            RehearsalProblem: the port is taken, or the server is running already.
        """
        if self._thread is not None:
            raise RehearsalProblem(f"{self._what} is running already")
        listener = self._listen()
        config = uvicorn.Config(
            self._application,
            loop="asyncio",
            http=_connection_class(self._connections),
            log_config=None,
            access_log=False,
            date_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=GRACE_SECS,
        )
        server = _Uvicorn(config, self._connections)
        thread = threading.Thread(target=self._serve, args=(server, listener), name=self._what, daemon=True)
        thread.start()
        server.up.wait()
        self._server, self._thread = server, thread
        if not server.listening:
            self.stop()
            raise RehearsalProblem(f"{self._what} did not start")
        host, port = listener.getsockname()[:2]
        return f"http://{host}:{port}"

    def stop(self) -> None:
        """Close the connections and end the thread; stopping twice is allowed."""
        server, thread = self._server, self._thread
        self._server = self._thread = None
        if server is not None and thread is not None:
            server.end()
            thread.join()

    def cut(self, peer: Peer) -> None:
        """Close a client's connection in the middle of an answer; called on the server's own loop."""
        for connection, its_peer in list(self._connections.items()):
            if its_peer == peer:
                connection.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _listen(self) -> socket.socket:
        # The protocol is named: only then asyncio turns Nagle's delay off, which costs 40 ms an answer.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":
            # Connections of a server that has just ended do not keep the port; a server that listens still does.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, self._port))
            listener.listen(64)
        except OSError as problem:
            listener.close()
            raise RehearsalProblem(
                f"{self._what}: port {self._port} on {HOST} cannot be used ({problem.strerror}). "
                "Choose another port, or 0 for any free one."
            ) from problem
        return listener

    @staticmethod
    def _serve(server: _Uvicorn, listener: socket.socket) -> None:
        try:
            server.run(sockets=[listener])
        finally:
            server.up.set()
            listener.close()
