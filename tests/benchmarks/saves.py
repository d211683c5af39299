"""Saving checkpoints: late in a long run against early in a short one, in turn; bytes on disk; syncs a save.

A program of its own too: ``python -m tests.benchmarks.saves STEPS FILE`` only saves, to be counted from outside.
"""

import re
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from app.clock import SystemClock
from app.ledger.store import RunLedger
from tests.benchmarks.checkpoints import SAVES_A_STEP, GrowingRun
from tests.benchmarks.folder import work_folder
from tests.benchmarks.rows import Fact, Line, Row, hand_over, median

EARLY, LATE = 10, 1000
ROUNDS = 40
SYNC_STEPS = 20
SUFFIX = ".signalbox"


def measure() -> list[Line]:
    """Fill a long ledger, then a step of it and a step of a young one in turn."""
    folder = work_folder()
    late_run, late = GrowingRun(), _ledger(folder, "late")
    _fill(late, late_run, LATE - ROUNDS // 2)
    early_saves: list[float] = []
    late_saves: list[float] = []
    commits: list[float] = []
    with _plain_database(folder) as plain:
        for number in range(ROUNDS):
            early_run, early = GrowingRun(10_000 * (number + 1)), _ledger(folder, f"early-{number}")
            _fill(early, early_run, EARLY - 1)
            early_saves += _timed_step(early, early_run)
            early.close()
            (folder / f"early-{number}{SUFFIX}").unlink()
            late_saves += _timed_step(late, late_run)
            commits += _small_commits(plain, SAVES_A_STEP)
    late.close()
    stored = sum(path.stat().st_size for path in folder.glob(f"late{SUFFIX}*"))
    unique = late_run.unique_bytes()
    steps = late_run.steps
    (folder / f"late{SUFFIX}").unlink()
    mebi = 1024 * 1024
    return [
        Row(
            f"one save at step {LATE:,} / at step {EARLY}", median(early_saves), median(late_saves), 3, len(late_saves)
        ),
        Row(
            f"a step's {SAVES_A_STEP} saves at {LATE:,} / at {EARLY}", _step(early_saves), _step(late_saves), 3, ROUNDS
        ),
        Row(f"bytes on disk / unique content, {steps:,} steps", unique / mebi, stored / mebi, 1.05, 0, "MiB"),
        Row("one save at step 10 / one small SQLite commit", median(commits), median(early_saves), None, len(commits)),
        _syncs(folder),
    ]


def _ledger(folder: Path, name: str) -> RunLedger:
    return RunLedger.create(folder / f"{name}{SUFFIX}", SystemClock())


def _fill(ledger: RunLedger, run: GrowingRun, steps: int) -> None:
    while run.steps < steps:
        for checkpoint in run.step():
            ledger.save_checkpoint(checkpoint)


def _timed_step(ledger: RunLedger, run: GrowingRun) -> list[float]:
    took = []
    for checkpoint in run.step():
        began = time.perf_counter()
        ledger.save_checkpoint(checkpoint)
        took.append((time.perf_counter() - began) * 1e3)
    return took


def _step(saves: list[float]) -> float:
    return median([sum(saves[at : at + SAVES_A_STEP]) for at in range(0, len(saves), SAVES_A_STEP)])


class _plain_database:
    """A database with one small table, as durable as a ledger is."""

    def __init__(self, folder: Path) -> None:
        self._connection = sqlite3.connect(folder / "plain.db", isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("CREATE TABLE words(said)")

    def __enter__(self) -> sqlite3.Connection:
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()


def _small_commits(connection: sqlite3.Connection, count: int) -> list[float]:
    took = []
    for _ in range(count):
        began = time.perf_counter()
        connection.execute("INSERT INTO words VALUES(?)", ("x" * 200,))
        took.append((time.perf_counter() - began) * 1e3)
    return took


def _syncs(folder: Path) -> Fact:
    strace = shutil.which("strace")
    if strace is None:
        return Fact("syncs a save: not measured (no strace here)")
    few, many = (_synced(strace, folder, steps) for steps in (1, 1 + SYNC_STEPS))
    return Fact(f"syncs a save: {(many - few) / (SYNC_STEPS * SAVES_A_STEP):.2f} (strace, {SYNC_STEPS} steps)")


def _synced(strace: str, folder: Path, steps: int) -> int:
    counted = folder / "syncs.txt"
    counting = [strace, "-f", "-c", "-e", "trace=fsync,fdatasync", "-o", str(counted)]
    saving = [sys.executable, "-m", __spec__.name, str(steps), str(folder / f"syncs-{steps}{SUFFIX}")]
    subprocess.run([*counting, *saving], check=True)
    # Share of the time, seconds, microseconds a call, calls, errors if any, name.
    line = re.compile(r"^\s*\S+\s+\S+\s+\S+\s+(\d+)\s.*f(?:data)?sync$", re.MULTILINE)
    return sum(int(calls) for calls in line.findall(counted.read_text()))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with RunLedger.create(Path(sys.argv[2]), SystemClock()) as only_saved:
            _fill(only_saved, GrowingRun(), int(sys.argv[1]))
    else:
        hand_over(measure)
