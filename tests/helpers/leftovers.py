"""Finds what a test left behind: event-loop tasks, threads, top-level widgets, browser and node processes."""

import asyncio
import contextlib
import os
import re
import select
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GRACE_SECS = 30.0
"""How long an ending thread or process gets; what has ended costs nothing."""

WATCHED_PROCESSES = ("chrom", "node", "headless_shell", "msedge", "Xvfb")

_OF_A_LOOP = re.compile(r"asyncio_\d+\Z")
"""Threads of a loop's default executor."""


@dataclass(frozen=True)
class Leftovers:
    """What existed at one moment; `since` names what came later and is still there."""

    threads: frozenset[threading.Thread]
    processes: frozenset[int]
    widgets: frozenset[int]

    @classmethod
    def now(cls) -> "Leftovers":
        """Whatever exists at this moment."""
        widgets = frozenset(_top_level_widgets())
        return cls(frozenset(threading.enumerate()), frozenset(_watched_descendants()), widgets)

    def since(self) -> list[str]:
        """What is there now and was not then, each in words; ending threads and processes are waited for."""
        until = time.monotonic() + GRACE_SECS
        return [*self._widgets(), *self._threads(until), *self._processes(until)]

    def _widgets(self) -> list[str]:
        left = [widget for place, widget in _top_level_widgets().items() if place not in self.widgets]
        named = [f"widget {type(widget).__name__} {widget.objectName()!r}" for widget in left]
        for widget in left:
            widget.deleteLater()
        return named

    def _threads(self, until: float) -> list[str]:
        # A dummy stands for a thread of Qt's that ran Python once; it is Qt's to end. A loop's own workers end with the
        # loop, which may be a whole module's.
        strangers = [one for one in threading.enumerate() if one not in self.threads]
        left = [
            one for one in strangers if not isinstance(one, threading._DummyThread) and not _OF_A_LOOP.match(one.name)
        ]
        for one in left:
            # One that another thread is just starting cannot be waited for yet.
            while one.ident is None and time.monotonic() < until:
                time.sleep(0.001)
            if one.ident is not None:
                one.join(max(0.0, until - time.monotonic()))
        return [f"thread {one.name}" for one in left if one.is_alive()]

    def _processes(self, until: float) -> list[str]:
        left = {pid: name for pid, name in _watched_descendants().items() if pid not in self.processes}
        return [f"process {name} ({pid})" for pid, name in left.items() if not _ended(pid, until)]


def _top_level_widgets() -> dict[int, Any]:
    """The widgets without a parent by the address of their C++ part, which outlives any one Python wrapper."""
    if "PySide6.QtWidgets" not in sys.modules:
        return {}
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtWidgets import QApplication
    from shiboken6 import getCppPointer

    if QApplication.instance() is None:
        return {}
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return {getCppPointer(widget)[0]: widget for widget in QApplication.topLevelWidgets()}


def _watched_descendants() -> dict[int, str]:
    """The topmost browser and node processes below this one (Linux only; elsewhere none are seen).

    What such a process starts in its turn is its own affair: a browser that outlives one test makes renderers in it.
    """
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for entry in os.listdir("/proc") if sys.platform == "linux" else []:
        with contextlib.suppress(OSError, ValueError):
            pid = int(entry)
            stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
            state, parent = stat[stat.rindex(")") + 2 :].split(None, 2)[:2]
            if state != "Z":
                parents[pid] = int(parent)
                names[pid] = stat[stat.index("(") + 1 : stat.rindex(")")]
    watched = {pid for pid, name in names.items() if name.startswith(WATCHED_PROCESSES)}
    return {pid: names[pid] for pid in watched if _is_below_us(parents.get(pid, 0), parents, watched)}


def _is_below_us(pid: int, parents: dict[int, int], watched: set[int]) -> bool:
    while pid != os.getpid():
        if pid in watched or pid not in parents:
            return False
        pid = parents[pid]
    return True


def _ended(pid: int, until: float) -> bool:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        ready, _, _ = select.select([handle], [], [], max(0.0, until - time.monotonic()))
        return bool(ready)
    finally:
        os.close(handle)


@contextlib.contextmanager
def watch_abandoned_tasks() -> Iterator[list[str]]:
    """Names each task that was still pending when its event loop was shut down inside the block.

    `asyncio.Runner` (so `asyncio.run` and pytest-asyncio too) cancels such tasks without a word; the one function
    through which it does so is listened to here.
    """
    abandoned: list[str] = []
    cancel_all = asyncio.runners._cancel_all_tasks  # type: ignore[attr-defined]

    def listen(loop: asyncio.AbstractEventLoop) -> None:
        abandoned.extend(f"task {task.get_name()} {task.get_coro()}" for task in asyncio.all_tasks(loop))
        cancel_all(loop)

    asyncio.runners._cancel_all_tasks = listen  # type: ignore[attr-defined]
    try:
        yield abandoned
    finally:
        asyncio.runners._cancel_all_tasks = cancel_all  # type: ignore[attr-defined]
