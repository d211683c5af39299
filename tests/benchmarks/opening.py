"""Opening a saved run of 1,000 steps, jumping about in it, and what it holds in memory.

Floor: a bare list that reads from the same file only what it shows. For information; no goal is set yet.
A program of its own too: ``python -m tests.benchmarks.opening bare|console FILE`` opens the file once.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.folder import work_folder
from tests.benchmarks.long_ledger import write
from tests.benchmarks.rows import Line, Row, hand_over, median

STEPS = 1000
ROUNDS = 3
JUMPS = 25
MOST_SECS = 20
SIDES = ("bare", "console")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def measure() -> list[Line]:
    """The two in turn, each in a process of its own, the file's pages dropped from memory where that can be had."""
    file = work_folder() / "opening.signalbox"
    write(file, STEPS)
    found: dict[str, list[dict[str, Any]]] = {side: [] for side in SIDES}
    for _ in range(ROUNDS):
        for side in SIDES:
            _forget(file)
            done = subprocess.run(
                [sys.executable, "-m", __spec__.name, side, str(file)], stdout=subprocess.PIPE, text=True, check=True
            )
            found[side].append(json.loads(done.stdout.splitlines()[-1]))
    bare, console = found["bare"], found["console"]
    jumps = [[jump for one in side for jump in one["jumps"]] for side in (bare, console)]
    opened, rss = ([[one[name] for one in side] for side in (bare, console)] for name in ("opened", "rss"))
    return [
        Row(f"open {STEPS:,} steps: first painted timeline", median(opened[0]), median(opened[1]), None, ROUNDS),
        Row("jump to a random step, its picture painted", median(jumps[0]), median(jumps[1]), None, len(jumps[1])),
        Row("memory of the process after the jumps", median(rss[0]), median(rss[1]), None, ROUNDS, "MB"),
    ]


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
    from PySide6.QtWidgets import QApplication, QListView

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

    class Strip(QListView):
        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            if not opened:
                opened.append((time.monotonic_ns() - began) / 1e6)

    qapp = QApplication([])
    opened: list[float] = []
    jumps: list[float] = []
    began = time.monotonic_ns()
    strip, pictures = Strip(), Pictures()
    strip.setFlow(QListView.Flow.LeftToRight)
    strip.setUniformItemSizes(True)
    strip.resize(1440, 180)
    strip.setModel(pictures)
    strip.show()
    while not opened:
        qapp.processEvents()
    for row in _places(pictures.rowCount()):
        at = time.monotonic_ns()
        strip.scrollTo(pictures.index(row, 0))
        strip.viewport().repaint()
        jumps.append((time.monotonic_ns() - at) / 1e6)
    return {"opened": opened[0], "jumps": jumps, "rss": _resident_mb()}


def _places(count: int) -> list[int]:
    chance = random.Random(count)
    return [chance.randrange(count) for _ in range(JUMPS)]


def _console(file: Path) -> dict[str, Any]:
    from app.views.bridge import run_window
    from app.views.window import ConsoleWindow

    made: list[ConsoleWindow] = []
    found: list[dict[str, Any]] = []

    def first(_qapp: Any) -> ConsoleWindow:
        made.append(ConsoleWindow())
        made[0].show()
        return made[0]

    async def main(_qapp: Any) -> int:
        found.append(await _opened(made[0], file))
        return 0

    run_window(main, first=first)
    return found[0]


async def _opened(window: Any, file: Path) -> dict[str, Any]:
    from PySide6.QtCore import QTimer

    from app.core.timeline import Timeline
    from app.replay.cursor import Seek
    from app.replay.source import open_source
    from app.views.application import open_replay_window
    from app.views.timeline.film_strip import FilmStrip

    painted = asyncio.Event()
    paint = FilmStrip.paintEvent

    def paint_and_tell(strip: FilmStrip, event: Any) -> None:
        paint(strip, event)
        if strip.frames.rowCount():
            QTimer.singleShot(0, painted.set)

    setattr(FilmStrip, "paintEvent", paint_and_tell)  # noqa: B010 - a method of the product, watched from outside
    began = time.monotonic_ns()
    source = await asyncio.to_thread(open_source, file)
    timeline = Timeline()
    for recorded in source.events:
        timeline.apply(recorded)
    open_replay_window(timeline, source.blobs, settings_path=None, window=window)
    await painted.wait()
    opened = (time.monotonic_ns() - began) / 1e6
    swapped = asyncio.Event()
    window.stage.picture_changed.connect(lambda: QTimer.singleShot(0, swapped.set))
    if window.stage.picture.decoder.busy:
        await asyncio.wait_for(swapped.wait(), MOST_SECS)
    jumps = []
    frames = timeline.frames
    for place in _places(len(frames)):
        swapped.clear()
        at = time.monotonic_ns()
        if window.model.do(Seek(frames[place].seq)):
            await asyncio.wait_for(swapped.wait(), MOST_SECS)
            jumps.append((time.monotonic_ns() - at) / 1e6)
    numbers = {"opened": opened, "jumps": jumps, "rss": _resident_mb()}
    window.close()
    source.close()
    return numbers


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps((_bare if sys.argv[1] == "bare" else _console)(Path(sys.argv[2]))))
    else:
        hand_over(measure)
