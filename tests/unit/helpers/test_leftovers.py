"""What a test leaves behind is found and named; what has ended, or was there before, is not."""

import asyncio
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import leftovers
from tests.helpers.leftovers import Leftovers, watch_abandoned_tasks

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "GRACE_SECS", 0.05)


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is called like a browser and waits."""
    browser = tmp_path / "chromium-x"
    shutil.copy(shutil.which("cat") or "/bin/cat", browser)
    process = subprocess.Popen([browser], stdin=subprocess.PIPE)
    yield process
    process.communicate()


def test_a_thread_that_runs_on_is_named() -> None:
    before, may_end = Leftovers.now(), threading.Event()
    thread = threading.Thread(target=may_end.wait, name="straggler")
    thread.start()
    assert before.since() == ["thread straggler"]
    assert Leftovers.now().since() == []
    may_end.set()
    thread.join()
    assert before.since() == []


@LINUX
def test_a_browser_that_runs_on_is_named(sleeper: subprocess.Popen[bytes]) -> None:
    before = Leftovers(frozenset(threading.enumerate()), frozenset(), frozenset())
    assert before.since() == [f"process chromium-x ({sleeper.pid})"]
    assert Leftovers.now().since() == []
    sleeper.communicate()
    assert before.since() == []


def test_a_task_that_its_loop_had_to_cancel_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def cancel_unwatched(loop: asyncio.AbstractEventLoop) -> None:
        for task in asyncio.all_tasks(loop):
            task.cancel()

    monkeypatch.setattr(asyncio.runners, "_cancel_all_tasks", cancel_unwatched)

    async def forget() -> None:
        forgotten.append(asyncio.get_running_loop().create_task(asyncio.Event().wait(), name="forgotten"))

    forgotten: list[asyncio.Task[bool]] = []
    with watch_abandoned_tasks() as abandoned:
        asyncio.run(forget())
    assert [text.split()[:2] for text in abandoned] == [["task", "forgotten"]]


def test_a_task_that_was_ended_is_not() -> None:
    async def tidy() -> None:
        task = asyncio.get_running_loop().create_task(asyncio.Event().wait(), name="tidy")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    with watch_abandoned_tasks() as abandoned:
        asyncio.run(tidy())
    assert abandoned == []
