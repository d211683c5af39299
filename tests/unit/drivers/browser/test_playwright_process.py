"""Playwright's own process: it goes without words of its own, always ends, and what it wrote goes with it."""

import asyncio
import contextlib
import gc
import os
import select
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.browser import playwright_process
from drivers.browser.playwright_process import PlaywrightProcess
from drivers.browser.session import BrowserSession
from drivers.errors import BrowserError, BrowserMissing
from drivers.own_folder import OwnFolder, sweep
from tests.unit.drivers.conftest import OPTIONS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")

WAIT_SECS = 60


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The temporary folder of this machine, as far as the test is concerned; its name is short, as they are."""
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        monkeypatch.setenv("TMPDIR", made)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield Path(made)


def held(folder: Path) -> list[Path]:
    """What is in it."""
    return sorted(folder.iterdir())


@pytest.fixture
async def told() -> list[str]:
    """What asyncio would have told people about futures that nobody asked."""
    said: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: said.append(context["message"]))
    return said


def of_browser(room: Path) -> Path:
    """The one that a browser has."""
    (folder,) = room.glob("signalbox-browser-*")
    return folder


def in_room(room: Path) -> list[int]:
    """The processes that write below `room`."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and f"TMPDIR={room}/".encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
    return found


@contextlib.contextmanager
def watched(pids: list[int]) -> Iterator[list[int]]:
    """Handles of these processes, closed again; one that has ended is readable."""
    with contextlib.ExitStack() as stack:
        handles = []
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                handles.append(os.pidfd_open(pid))
                stack.callback(os.close, handles[-1])
        yield handles


def ended(handle: int) -> bool:
    """Waits for it."""
    return bool(select.select([handle], [], [], WAIT_SECS)[0])


def nobody_in(room: Path) -> None:
    """Waits for those that were started last, too."""
    while pids := in_room(room):
        with watched(pids) as handles:
            assert all(ended(handle) for handle in handles)


async def test_a_process_that_goes_is_told_by_what_fails_and_by_nothing_else(told: list[str]) -> None:
    session = await BrowserSession.open(OPTIONS)
    process: Any = session._process._client._pipe._process
    assert os.getpgid(process.pid) != os.getpgid(0)
    process.terminate()
    await process.wait()
    with pytest.raises(BrowserError):
        await session.driver.new_tab({"url": None})
    await session.close()
    del session, process
    gc.collect()
    assert told == []


async def test_one_that_ends_before_it_speaks_is_said(
    told: list[str], room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/bin/false")
    with pytest.raises(BrowserMissing, match="Playwright, which drives the browser, could not be started"):
        await BrowserSession.open(OPTIONS)
    gc.collect()
    assert (told, held(room)) == ([], [])


@pytest.mark.parametrize("rest", ["cat > /dev/null", "exec sleep 600"], ids=["ends when asked", "never ends"])
async def test_one_that_does_not_speak_ends_with_who_waited_for_it(
    told: list[str], room: Path, monkeypatch: pytest.MonkeyPatch, rest: str
) -> None:
    if "sleep" in rest:
        monkeypatch.setattr(playwright_process, "STOP_SECS", 0.01)
    pipe, program = room / "pipe", room / "program"
    os.mkfifo(pipe)
    program.write_text(f'#!/bin/sh\necho $$ > "{pipe}"\n{rest}\n')
    program.chmod(0o700)
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(program))
    starting = asyncio.ensure_future(PlaywrightProcess.start())
    pid = int(await asyncio.to_thread(pipe.read_text))
    with watched([pid]) as (handle,):
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        assert ended(handle)
    del starting
    gc.collect()
    assert (told, held(room)) == ([], [pipe, program])


async def test_all_that_a_browser_writes_is_in_one_folder_and_goes_with_it(room: Path) -> None:
    session = await BrowserSession.open(OPTIONS)
    folder = of_browser(room)
    assert len(held(folder)) > 1
    with watched(in_room(room)) as handles:
        # Playwright's own, and the browser's.
        assert len(handles) > 2
        await session.close()
        assert all(ended(handle) for handle in handles)
    nobody_in(room)
    # What was still being written to when the session was closed is nobody's now, and goes like a killed one's.
    sweep()
    assert held(room) == []


CONSOLE = """
import asyncio
from drivers.browser.session import BrowserSession
from tests.unit.drivers.conftest import OPTIONS

async def main():
    session = await BrowserSession.open(OPTIONS)
    print("open", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_what_a_killed_console_left_goes_when_the_next_browser_is_opened(room: Path) -> None:
    console = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CONSOLE, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[4]
    )
    assert console.stdout is not None
    assert await console.stdout.readline() == b"open\n"
    folder = of_browser(room)
    with watched(in_room(room)) as handles:
        os.kill(console.pid, 9)
        await console.wait()
        assert all(ended(handle) for handle in handles)
    nobody_in(room)
    (folder / "left").write_text("by somebody who was killed, too")
    made = OwnFolder("browser")
    assert held(room) == [made.path]
    made.close()
