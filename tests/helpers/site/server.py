"""A small web server on the test's own event loop: pages are given inline and each request is recorded."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from drivers.listening import Listening


@dataclass
class Request:
    """What the browser asked."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""


@dataclass
class Answer:
    """What it is told; `hold` keeps the answer back until the event is set."""

    body: bytes | str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hold: asyncio.Event | None = None


Responder = Callable[[Request], Awaitable[Answer]]


class Site:
    """Serves on a loopback port under two names, 127.0.0.1 and localhost, which are two sites to a browser."""

    def __init__(self) -> None:
        self.routes: dict[str, Answer | Responder] = {}
        self.requests: list[Request] = []
        self._came = asyncio.Event()
        self._listening = Listening(self._serve)
        self.port = 0
        """The port listened on."""

    async def start(self) -> None:
        """Listen on a free port."""
        self.port = await self._listening.start()

    async def stop(self) -> None:
        """Stop listening and end the open connections."""
        await self._listening.close()

    def url(self, path: str, *, host: str = "127.0.0.1") -> str:
        """The address of a path."""
        return f"http://{host}:{self.port}{path}"

    def page(self, path: str, html: str, **more: object) -> str:
        """Serve a page and give its address."""
        self.routes[path] = Answer(html, headers={"Content-Type": "text/html; charset=utf-8"}, **more)  # type: ignore[arg-type]
        return self.url(path)

    def asked(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(request.path.split("?")[0] == path for request in self.requests)

    async def until_asked(self, path: str, times: int = 1) -> None:
        """Wait until a path has been asked for so often."""
        async with asyncio.timeout(60):
            while self.asked(path) < times:
                self._came.clear()
                await self._came.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await self._read(reader)
            if request is not None:
                self.requests.append(request)
                self._came.set()
                await self._answer(request, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass

    async def _read(self, reader: asyncio.StreamReader) -> Request | None:
        line = (await reader.readline()).decode("latin-1").split()
        if len(line) < 2:
            return None
        headers: dict[str, str] = {}
        while (header := (await reader.readline()).decode("latin-1").strip()) != "":
            name, _, value = header.partition(":")
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        return Request(line[0], line[1], headers, body)

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> None:
        route = self.routes.get(request.path) or self.routes.get(request.path.split("?")[0])
        answer = (
            Answer("not found", 404) if route is None else route if isinstance(route, Answer) else await route(request)
        )
        if answer.hold is not None:
            await answer.hold.wait()
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        length = [] if "Content-Length" in answer.headers else [f"Content-Length: {len(body)}"]
        lines = [f"HTTP/1.1 {answer.status} X", *length, "Connection: close"]
        lines += [f"{name}: {value}" for name, value in answer.headers.items()]
        writer.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
        await writer.drain()
