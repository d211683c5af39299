"""Opening a saved run of 1,000 steps, jumping about in it, and what it holds in memory.

Floor: a bare list that reads from the same file only what it shows; for a picture, that picture decoded beside it.
A program of its own too: ``python -m tests.benchmarks.opening bare|console FILE`` opens the file once.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.folder import work_folder
from tests.benchmarks.long_ledger import write, write_tiny
from tests.benchmarks.rows import Fact, Line, Row, hand_over, median

STEPS = 1000
TINY_EVENTS = 20_000
ROUNDS = 3
JUMPS = 25
MOST_SECS = 20
SCRUBBED = 100
PAUSE_SECS = 0.15
SIDES = ("bare", "console", "fresh")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def measure() -> list[Line]:
    """The two in turn, each in a process of its own, the file's pages dropped from memory where that can be had."""
    file, small = work_folder() / "opening.signalbox", work_folder() / "tiny.signalbox"
    write(file, STEPS)
    write_tiny(small, TINY_EVENTS)
    sides = _in_turn(file)
    bare, console, fresh = sides["bare"], sides["console"], sides["fresh"]
    tiny = _in_turn(small, sides=("console",))["console"]
    opened, pictures, rss = ([_all(side, name) for side in (bare, console)] for name in ("opened", "pictures", "rss"))
    jumps = [_all(side, "jumps") for side in (bare, console)]
    scrubbed, read, checked = (_all(console, name) for name in ("scrubbed", "read", "checked"))
    floor = median(opened[0])
    return [
        Row(f"open {STEPS:,} steps: first painted timeline", floor, median(opened[1]), 3, ROUNDS),
        Row(f"open {TINY_EVENTS:,} tiny events: the same", floor, median(_all(tiny, "opened")), 3, ROUNDS),
        Row("jump to a random step, timeline painted", median(jumps[0]), median(jumps[1]), 2.5, len(jumps[1])),
        Row(
            "the same, its picture and thumbnails there",
            median(pictures[0]),
            median(pictures[1]),
            2.5,
            len(pictures[1]),
        ),
        Row("one picture while scrubbing (30 a second)", 1000 / 30, median(scrubbed), 1, len(scrubbed)),
        Row("memory of the process after all that (of 400)", 400, median(rss[1]), 1, ROUNDS, "MB"),
        Fact(f"opening: as the first window of a new process after {median(_all(fresh, 'fresh')):.0f} ms"),
        Fact(f"opening: all {STEPS:,} steps there after {median(read):.0f} ms, checked after {median(checked):.0f} ms"),
        Fact(f"opening: all {TINY_EVENTS:,} tiny events there after {median(_all(tiny, 'read')):.0f} ms"),
    ]


def _in_turn(file: Path, sides: tuple[str, ...] = SIDES) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {side: [] for side in SIDES}
    for _ in range(ROUNDS):
        for side in sides:
            _forget(file)
            done = subprocess.run(
                [sys.executable, "-m", __spec__.name, side, str(file)], stdout=subprocess.PIPE, text=True, check=True
            )
            found[side].append(json.loads(done.stdout.splitlines()[-1]))
    return found


def _all(side: list[dict[str, Any]], name: str) -> list[float]:
    """Every sample of that name, of all rounds."""
    found: list[float] = []
    for one in side:
        found += one[name] if isinstance(one[name], list) else [one[name]]
    return found


def _forget(file: Path) -> None:
    if hasattr(os, "posix_fadvise"):
        handle = os.open(file, os.O_RDONLY)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)


def _resident_mb() -> float:
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES / 1e6
    except OSError:
        return 0.0


def _bare(file: Path) -> dict[str, Any]:
    import sqlite3

    from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt
    from PySide6.QtGui import QImage, QPaintEvent, QPixmap
    from PySide6.QtWidgets import QApplication, QLabel, QListView

    Index = QModelIndex | QPersistentModelIndex

    class Pictures(QAbstractListModel):
        def __init__(self) -> None:
            super().__init__()
            self._connection = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
            kinds = "SELECT digest FROM blobs WHERE media_type LIKE 'image/%' ORDER BY id"
            self._digests = [row[0] for row in self._connection.execute(kinds)]

        def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
            return len(self._digests)

        def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
            if role == Qt.ItemDataRole.SizeHintRole:
                return QSize(192, 140)
            if role != Qt.ItemDataRole.DecorationRole:
                return str(index.row()) if role == Qt.ItemDataRole.DisplayRole else None
            asked = self._connection.execute("SELECT jpeg FROM thumbs WHERE digest = ?", (self._digests[index.row()],))
            return QPixmap.fromImage(QImage.fromData(asked.fetchone()[0]))

        def picture(self, row: int) -> QImage:
            asked = self._connection.execute("SELECT bytes FROM blobs WHERE digest = ?", (self._digests[row],))
            return QImage.fromData(asked.fetchone()[0])

    class Stage(QLabel):
        def show_row(self, row: int) -> None:
            self.setPixmap(QPixmap.fromImage(pictures.picture(row)))
            self.repaint()

    class Strip(QListView):
        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            if not opened:
                opened.append((time.monotonic_ns() - began) / 1e6)

    qapp = QApplication([])
    earlier = QListView()
    earlier.show()
    qapp.processEvents()
    opened: list[float] = []
    jumps: list[float] = []
    shown: list[float] = []
    began = time.monotonic_ns()
    strip, pictures = Strip(), Pictures()
    strip.setFlow(QListView.Flow.LeftToRight)
    strip.setUniformItemSizes(True)
    strip.resize(1440, 180)
    strip.setModel(pictures)
    strip.show()
    stage = Stage()
    stage.resize(800, 500)
    stage.show()
    while not opened:
        qapp.processEvents()
    for row in _places(pictures.rowCount()):
        qapp.processEvents()
        time.sleep(PAUSE_SECS)
        at = time.monotonic_ns()
        strip.scrollTo(pictures.index(row, 0))
        strip.viewport().repaint()
        jumps.append((time.monotonic_ns() - at) / 1e6)
        stage.show_row(row)
        shown.append((time.monotonic_ns() - at) / 1e6)
    return {"opened": opened[0], "jumps": jumps, "pictures": shown, "rss": _resident_mb()}


def _places(count: int) -> list[int]:
    chance = random.Random(count)
    return [chance.randrange(count) for _ in range(JUMPS if count else 0)]


def _console(file: Path, *, fresh: bool = False) -> dict[str, Any]:
    """From the list of saved runs, as it stands when a person chooses one; `fresh`: as ``signalbox replay`` does it."""
    from app.views.bare_window import BareWindow
    from app.views.bridge import run_window
    from app.views.runs.runs_window import RunsWindow
    from tests.benchmarks.painting import WatchedWindow

    made: list[BareWindow] = []
    found: list[dict[str, Any]] = []

    def first(_qapp: Any) -> BareWindow:
        made.append(WatchedWindow() if fresh else RunsWindow())
        made[0].show()
        return made[0]

    async def main(_qapp: Any) -> int:
        if isinstance(made[0], RunsWindow):
            made[0].show_runs(list)
            await _warm(made[0])
        found.append(await _opened(file, made[0]))
        if not fresh:
            made[0].close()
        return 0

    run_window(main, first=first)
    return found[0]


async def _warm(listed: Any) -> None:
    """Until the list has loaded what the runs chosen in it will need."""
    warm = asyncio.Event()
    listed.warming.done.connect(warm.set)
    if listed.warming.left:
        await asyncio.wait_for(warm.wait(), MOST_SECS)


async def _opened(file: Path, first: Any) -> dict[str, Any]:
    from PySide6.QtCore import QTimer

    from app.cli.saved import show_saved
    from app.replay.cursor import Seek
    from app.tasks import TaskOwner, spawn
    from app.views.saved_run import SavedRun
    from tests.benchmarks.painting import WatchedWindow

    owner = TaskOwner("opened")
    began = time.monotonic_ns()
    window: Any = first if isinstance(first, WatchedWindow) else WatchedWindow()
    spawn("replay", show_saved(file, window, None), owner=owner)
    await window.passed.wait()
    opened = (window.passed_ns - began) / 1e6
    if window is first:
        window.close()
        await owner.aclose()
        return {"fresh": opened}
    saved = window.findChild(SavedRun)
    whole, checked = asyncio.Event(), asyncio.Event()
    saved.read_whole.connect(whole.set)
    saved.checked.connect(checked.set)
    await asyncio.wait_for(whole.wait(), MOST_SECS)
    read = (time.monotonic_ns() - began) / 1e6
    await asyncio.wait_for(checked.wait(), MOST_SECS)
    numbers: dict[str, Any] = {"opened": opened, "read": read, "checked": (time.monotonic_ns() - began) / 1e6}
    swapped = asyncio.Event()
    window.stage.picture_changed.connect(lambda: QTimer.singleShot(0, swapped.set))
    if window.stage.picture.decoder.busy:
        await asyncio.wait_for(swapped.wait(), MOST_SECS)
    thumbnails, small_ones = window.docks["timeline"].panel.strip.thumbnails, asyncio.Event()
    thumbnails.idle.connect(lambda: QTimer.singleShot(0, small_ones.set))
    frames, timeline_jumps, jumps, scrubbed = window.model.timeline.frames, [], [], []
    for place in _places(len(frames)):
        await _settled(window)
        swapped.clear()
        small_ones.clear()
        window.passed.clear()
        at = time.monotonic_ns()
        if window.model.do(Seek(frames[place].seq)):
            await asyncio.wait_for(window.passed.wait(), MOST_SECS)
            timeline_jumps.append((window.passed_ns - at) / 1e6)
            await asyncio.wait_for(swapped.wait(), MOST_SECS)
            if thumbnails.busy:
                await asyncio.wait_for(small_ones.wait(), MOST_SECS)
            jumps.append((time.monotonic_ns() - at) / 1e6)
    for place in range(min(SCRUBBED, len(frames))):
        swapped.clear()
        at = time.monotonic_ns()
        if window.model.do(Seek(frames[place].seq)):
            await asyncio.wait_for(swapped.wait(), MOST_SECS)
            scrubbed.append((time.monotonic_ns() - at) / 1e6)
    numbers |= {"jumps": timeline_jumps, "pictures": jumps, "scrubbed": scrubbed, "rss": _resident_mb()}
    window.close()
    await owner.aclose()
    return numbers


async def _settled(window: Any) -> None:
    """Until what the last jump began is over: a jump is measured from a window that stands still."""
    from app.views.snapshot import pictures_settled

    await pictures_settled(window)
    await asyncio.sleep(PAUSE_SECS)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sides: dict[str, Callable[[Path], dict[str, Any]]] = {
            "bare": _bare,
            "console": _console,
            "fresh": partial(_console, fresh=True),
        }
        print(json.dumps(sides[sys.argv[1]](Path(sys.argv[2]))))
    else:
        hand_over(measure)
