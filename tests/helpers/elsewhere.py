"""Browsers that somebody else runs, on loopback: one with a debugging port, one behind a Playwright server."""

import asyncio
import contextlib
import json
import os
import ssl
import subprocess
import tempfile
import urllib.request
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from playwright._impl._driver import compute_driver_executable, get_driver_env

from drivers.browser.launch import LaunchOptions, executable
from drivers.listening import stop_taking

START_SECS = 60.0
FLAGS = ("--no-first-run", "--disable-gpu", "--disable-background-networking", "--disable-sync",
         "--component-updater=url-source=http://127.0.0.1:1/,disable-background-downloads")  # fmt: skip
NO_CALLS = "--webrtc-ip-handling-policy=disable_non_proxied_udp"
"""What a browser needs that is to be kept to some origins."""


@asynccontextmanager
async def debugged_chromium(*flags: str, page: str = "about:blank") -> AsyncIterator[str]:
    """A browser of somebody else's with one tab; gives the address of its debugging port."""
    with tempfile.TemporaryDirectory(prefix="elsewhere-", ignore_cleanup_errors=True) as profile:
        command = [executable(LaunchOptions()), "--headless=new", *FLAGS, *flags, f"--user-data-dir={profile}"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        process = await asyncio.create_subprocess_exec(
            *command, "--remote-debugging-port=0", page, stdout=DEVNULL, stderr=PIPE
        )
        try:
            line = await _line(process.stderr, b"DevTools listening on ")
            yield f"http://{line.split('//', 1)[1].split('/', 1)[0]}"
        finally:
            await ended(process)


@asynccontextmanager
async def playwright_server() -> AsyncIterator[str]:
    """A server of Playwright with a browser behind it; gives its address."""
    with tempfile.TemporaryDirectory(prefix="elsewhere-", ignore_cleanup_errors=True) as folder:
        config = Path(folder) / "server.json"
        options = {"executablePath": executable(LaunchOptions()), "chromiumSandbox": os.geteuid() != 0,
                   "args": [*FLAGS, NO_CALLS], "host": "127.0.0.1"}  # fmt: skip
        config.write_text(json.dumps(options))
        command = [*compute_driver_executable(), "launch-server", "--browser", "chromium", "--config", str(config)]
        process = await asyncio.create_subprocess_exec(
            *command, env=get_driver_env(), stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL
        )
        try:
            yield await _line(process.stdout, b"ws://")
        finally:
            await ended(process)


async def ended(process: Process) -> None:
    """End it, and what it said last is read by nobody."""
    if process.returncode is None:
        process.terminate()
    await process.communicate()


async def _line(said: asyncio.StreamReader | None, begins: bytes) -> str:
    assert said is not None

    async def looked() -> str:
        async for line in said:
            if line.startswith(begins):
                return line.decode().strip()
        raise RuntimeError("it ended before it was there")

    return await asyncio.wait_for(looked(), START_SECS)


class Front:
    """Stands before a server on loopback: passes everything on, encrypted or not, until it is told to cut."""

    def __init__(self, port: int, *, tls: ssl.SSLContext | None = None, wants: str = "") -> None:
        """`wants`: a line that each request's head must hold, else it is answered with 401."""
        self._port = port
        self._tls = tls
        self._wants = wants.encode()
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0
        self.heads: list[str] = []
        """What each connection began with."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        self.cut()
        await asyncio.sleep(0)
        await asyncio.gather(*self._tasks)

    def cut(self) -> None:
        """End every connection in the middle of whatever it carries, and take no other."""
        stop_taking(self._server)
        for writer in self._take():
            writer.transport.abort()

    def _take(self) -> set[asyncio.StreamWriter]:
        """The open ones, no longer kept: a TLS transport that was ended once cannot be aborted any more."""
        taken, self._open = self._open, set()
        return taken

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await self._pass(reader, writer)
        for one in self._take() | {writer}:
            one.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = b""
        if self._wants:
            first = await reader.readuntil(b"\r\n\r\n")
            self.heads.append(first.decode())
            if self._wants not in first:
                writer.write(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
                return
        in_reader, in_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._open |= {writer, in_writer}
        in_writer.write(first)
        await asyncio.gather(_carried(reader, in_writer), _carried(in_reader, writer))


async def _carried(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


def certificate(folder: Path, host: str = "localhost") -> tuple[Path, ssl.SSLContext]:
    """A certificate that nobody has signed but its own key: its file, and what a server needs to show it."""
    file = folder / f"{host}.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={host}",
               "-addext", f"subjectAltName=DNS:{host}", "-keyout", str(file), "-out", f"{file}.crt"]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(f"{file}.crt", file)
    return Path(f"{file}.crt"), tls


async def only_tabs(address: str, wanted: list[str]) -> None:
    """Wait until those are all that it has."""
    async with asyncio.timeout(START_SECS):
        # Nobody tells when a browser has put a context away.
        for _ in range(int(START_SECS / 0.05)):
            if await tabs_of(address) == wanted:
                return
            await asyncio.sleep(0.05)
    raise TimeoutError


async def tabs_of(address: str) -> list[str]:
    """The addresses of every tab that a browser with a debugging port has, whoever opened it."""

    def asked() -> list[str]:
        with urllib.request.urlopen(f"{address}/json/list", timeout=START_SECS) as answer:
            return [str(one["url"]) for one in json.load(answer) if one["type"] == "page"]

    return await asyncio.to_thread(asked)
