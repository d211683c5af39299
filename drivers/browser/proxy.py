"""The only way out of a guarded browser: judges each connection by origin and by the address really connected to."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
from collections import deque
from dataclasses import dataclass
from urllib.parse import urlsplit

from drivers.browser.guard import Guard, GuardRequest, judged
from drivers.listening import Listening, ending

log = logging.getLogger(__name__)

CONNECT_SECS = 20.0
HEAD_BYTES = 256 * 1024
KEPT = 256
_CHUNK = 65536
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""An IPv4 address of the public network, as a network without IPv4 writes it."""
_GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
"""The part of IPv6 that public addresses are given out from."""
_OWN_HEADERS = (b"connection", b"proxy-connection", b"proxy-authorization", b"keep-alive")


@dataclass(frozen=True)
class Way:
    """Where one connection wants to go."""

    host: str
    port: int
    urls: tuple[str, ...]
    """The addresses it may stand for; a tunnel on an odd port does not say which scheme it carries."""


class Proxy:
    """Listens on loopback for one browser. A name is looked up once for each connection and that very address is
    used, so a name cannot be judged as one machine and reach another.
    """

    def __init__(self, guard: Guard | None, *, allow_private: bool) -> None:
        self._guard = guard
        self._allow_private = allow_private
        self._listening = Listening(self._serve, limit=HEAD_BYTES)
        self.refused: deque[tuple[str, int]] = deque(maxlen=KEPT)
        self.refusals = 0
        """Counts every refusal, so that a caller can tell whether one came since it looked."""
        self.passed = 0
        """Counts every connection that was let out."""
        self.awaited: str | None = None
        """A host that is asked for as a trial, to see whether the question comes here; None once it has come."""

    async def start(self) -> str:
        """Listen, and give the address for the browser's settings."""
        return f"http://127.0.0.1:{await self._listening.start()}"

    async def stop(self) -> None:
        """Stop listening and cut what is open."""
        await self._listening.close()

    def was_refused(self, host: str, port: int) -> bool:
        """Whether a connection to there was lately refused."""
        return (host.lower(), port) in self.refused

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._pass(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError, ValueError):
            log.debug("a proxied connection ended early")

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        line, _, rest = head.partition(b"\r\n")
        method, target, _ = line.decode("latin-1").split(" ", 2)
        way = _tunnel(target) if method == "CONNECT" else _plain(target)
        if way.host == self.awaited:
            self.awaited = None
            return
        address = await self._judge(way, method)
        if address is None:
            self.refused.append((way.host.lower(), way.port))
            self.refusals += 1
            return  # no answer at all: a page of our own in its place would be a lie
        self.passed += 1
        out_reader, out_writer = await asyncio.wait_for(asyncio.open_connection(address, way.port), CONNECT_SECS)
        with ending(out_writer):
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await _both_ways(reader, writer, out_reader, out_writer)
            else:
                await _exchange(method, target, rest, reader, writer, out_reader, out_writer)

    async def _judge(self, way: Way, method: str) -> str | None:
        """The address to connect to, or None for a refusal."""
        if self._guard is not None and not any(self._allowed(url, method) for url in way.urls):
            return None
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(way.host, way.port, type=socket.SOCK_STREAM)
        addresses = [str(entry[4][0]) for entry in found]
        public = [a for a in addresses if is_public(a)]
        usable = addresses if self._allow_private else public
        # A name that stands for both a public and a private machine is not to be trusted with either.
        if not self._allow_private and len(public) < len(addresses):
            return None
        return usable[0] if usable else None

    def _allowed(self, url: str, method: str) -> bool:
        asked = GuardRequest(url=url, method=method, kind="connection", tab_id=None, main_document=False, hop=0)
        return self._guard is None or judged(self._guard, asked).allow is True


def is_public(address: str) -> bool:
    """Whether an address lies in the public network, an IPv4 address inside of an IPv6 one included."""
    parsed = ipaddress.ip_address(address.split("%", 1)[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if parsed in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
        if inner is not None:
            parsed = inner
        elif parsed not in _GIVEN_OUT:
            return False  # what else was ever used to carry an IPv4 address, and whatever a network keeps to itself
    return parsed.is_global and not parsed.is_multicast


def _tunnel(target: str) -> Way:
    host, _, port_text = target.rpartition(":")
    port = int(port_text)
    bare = host.removeprefix("[").removesuffix("]")
    schemes = {443: ("https",), 80: ("http",)}.get(port, ("https", "http"))
    return Way(bare, port, tuple(f"{scheme}://{host}:{port}/" for scheme in schemes))


def _plain(target: str) -> Way:
    parts = urlsplit(target)
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError("not a plain http address")
    return Way(parts.hostname, parts.port or 80, (target,))


async def _both_ways(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
    out_reader: asyncio.StreamReader, out_writer: asyncio.StreamWriter,
) -> None:  # fmt: skip
    async with asyncio.TaskGroup() as both:
        both.create_task(_pipe(reader, out_writer))
        both.create_task(_pipe(out_reader, writer))


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()


async def _exchange(
    method: str, target: str, headers: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
    out_reader: asyncio.StreamReader, out_writer: asyncio.StreamWriter,
) -> None:  # fmt: skip
    """One plain request and its answer; the connection serves no second one, which could be for another host."""
    parts = urlsplit(target)
    path = parts._replace(scheme="", netloc="").geturl() or "/"
    kept = _without_own(headers)
    out_writer.write(f"{method} {path} HTTP/1.1\r\n".encode("latin-1") + kept + b"Connection: close\r\n\r\n")
    left = _body_length(headers)
    while left > 0:
        data = await reader.read(min(left, _CHUNK))
        if not data:
            return
        left -= len(data)
        out_writer.write(data)
        await out_writer.drain()
    head = await out_reader.readuntil(b"\r\n\r\n")
    line, _, rest = head.partition(b"\r\n")
    writer.write(line + b"\r\n" + _without_own(rest) + b"Connection: close\r\n\r\n")
    answer = asyncio.ensure_future(_pipe(out_reader, writer))
    gone = asyncio.ensure_future(reader.read(1))
    try:
        await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (answer, gone):
            task.cancel()
        await asyncio.gather(answer, gone, return_exceptions=True)


def _without_own(headers: bytes) -> bytes:
    lines = [line for line in headers.split(b"\r\n") if line]
    return b"".join(line + b"\r\n" for line in lines if line.split(b":", 1)[0].strip().lower() not in _OWN_HEADERS)


def _body_length(headers: bytes) -> int:
    for line in headers.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    return 0
