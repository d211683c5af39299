"""The way from Playwright to somebody else's browser: one connection, checked, with what proves who asks added to it.

Playwright itself is told neither the address nor the secret, and follows no redirect to another machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
from urllib.parse import urlsplit

from drivers.listening import Listening, ending
from drivers.remote.endpoint import Endpoint, RemoteMissing

log = logging.getLogger(__name__)

ANSWER_SECS = 20.0
MOST_ANSWER_BYTES = 1 << 20
_CHUNK = 65536
_OWN_HEADERS = ("host", "authorization", "origin", "proxy-authorization")


class Relay:
    """Listens on loopback for one connection, which must know a word that nobody else on this machine is told."""

    def __init__(self, endpoint: Endpoint, path: str) -> None:
        """`path` is where the other side takes a WebSocket."""
        self._endpoint = endpoint
        self._path = path
        self._word = secrets.token_urlsafe(32)
        self._listening = Listening(self._serve, limit=_CHUNK)
        self._taken = False
        self.refusal: str | None = None
        """Why the other side was not reached, in words."""

    async def open(self) -> str:
        """Listen, and give the address for Playwright."""
        return f"ws://127.0.0.1:{await self._listening.start()}/{self._word}"

    async def close(self) -> None:
        """Stop listening and cut what is open."""
        await self._listening.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), ANSWER_SECS)
            line = head.split(b" ", 2)[1:2]
            known = bool(line) and secrets.compare_digest(line[0], f"/{self._word}".encode())
            if known and not self._taken:
                self._taken = True
                self._listening.shut()
                await self._pass(head.decode("latin-1"), reader, writer)
        except RemoteMissing as missing:
            self.refusal = str(missing)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            log.debug("a relayed connection ended early")

    async def _pass(self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        out_reader, out_writer = await self._endpoint.connect()
        with ending(out_writer):
            headers = [line for line in head.split("\r\n")[1:] if line]
            kept = [line for line in headers if line.partition(":")[0].strip().lower() not in _OWN_HEADERS]
            out_writer.write(request(self._endpoint, self._path, kept))
            answer = await _answer(out_reader, self._endpoint)
            _require(answer, "101", self._endpoint)
            writer.write(answer)
            async with asyncio.TaskGroup() as both:
                ways = [
                    both.create_task(_pipe(reader, out_writer)),
                    both.create_task(_pipe(out_reader, writer)),
                ]
                for way in ways:
                    # When one side has gone there is nothing left to say to the other.
                    way.add_done_callback(lambda _: [other.cancel() for other in ways])


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()


def request(endpoint: Endpoint, path: str, headers: list[str]) -> bytes:
    """The head of a GET with the endpoint's secret in its place."""
    secret = endpoint.secret
    if secret is not None and (query := secret.query()):
        path = f"{path}{'&' if '?' in path else '?'}{query}"
    lines = [f"GET {path or '/'} HTTP/1.1", f"Host: {endpoint.authority}", *headers]
    if secret is not None and (header := secret.header()):
        lines.append(header)
    return "\r\n".join([*lines, "", ""]).encode("utf-8")


async def _answer(reader: asyncio.StreamReader, endpoint: Endpoint) -> bytes:
    try:
        return await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), ANSWER_SECS)
    except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as wrong:
        raise RemoteMissing(f"{endpoint.authority} gives no answer that a browser would give.") from wrong


def _require(answer: bytes, wanted: str, endpoint: Endpoint) -> None:
    status = answer.split(b"\r\n", 1)[0].decode("latin-1").split(" ")[1:2]
    if status == [wanted]:
        return
    if status in (["401"], ["403"]):
        words = "its secret is wrong" if endpoint.secret is not None else "it wants a secret"
        raise RemoteMissing(f"{endpoint.authority} lets nobody in: {words}.")
    said = status[0] if status and status[0].isdecimal() else "something else"
    raise RemoteMissing(f"{endpoint.authority} is no such browser: it answers {said} where {wanted} was wanted.")


async def devtools_path(endpoint: Endpoint) -> str:
    """Where the browser behind an http(s) address takes a WebSocket; only the path is taken from its answer.

    Raises :class:`RemoteMissing`.
    """
    reader, writer = await endpoint.connect()
    try:
        writer.write(request(endpoint, f"{endpoint.path}/json/version", ["Connection: close"]))
        head = await _answer(reader, endpoint)
        _require(head, "200", endpoint)
        body = await asyncio.wait_for(_body(head, reader), ANSWER_SECS)
        told = urlsplit(str(json.loads(body)["webSocketDebuggerUrl"]))
    except (
        OSError,
        TimeoutError,
        ValueError,
        RecursionError,
        LookupError,
        TypeError,
        asyncio.IncompleteReadError,
    ) as wrong:
        raise RemoteMissing(f"{endpoint.authority} does not say where its browser can be reached.") from wrong
    finally:
        writer.close()
    return told.path + (f"?{told.query}" if told.query else "")


async def _body(head: bytes, reader: asyncio.StreamReader) -> bytes:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return await reader.readexactly(min(int(value), MOST_ANSWER_BYTES))
        if name.strip().lower() == b"transfer-encoding":
            raise ValueError("an answer in pieces")
    return await reader.read(MOST_ANSWER_BYTES)
