"""Killed at any moment under load: the old or the new state, never half of one, and open again at once.

A usual test run kills forty times; ``CRASH_SWEEP=all`` five thousand times.
"""

import os
import random
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.evidence import Blob
from app.ledger.reader import LedgerReader
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.conftest import TABLE_LINE
from tests.unit.app.ledger.made_up import SdkRun, StandingClock, png, run_started

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="each kill takes a forked process"),
    pytest.mark.timeout(3600),
]

KILLS = 5000 if os.environ.get("CRASH_SWEEP") == "all" else 40
LONGEST_LIFE_SECS = 0.08
LONGEST_OPENING_SECS = 9.0
"""Two on a machine with nothing else to do; SQLite itself would try for ten."""


def write_until_killed(path: Path, said: int) -> None:
    """Save on and on; each acknowledged event is one byte on the pipe."""
    run = SdkRun(picture_bytes=30_000)
    ledger = RunLedger.create(path, StandingClock())
    ledger.append(run_started(), [Blob(png(1, width=40, height=30), "image/png")])
    os.write(said, b".")
    while True:
        for checkpoint in run.step():
            ledger.save_checkpoint(checkpoint)
            os.write(said, b".")


def killed_after(path: Path, secs: float) -> int:
    """Let a process write for so long and kill it; how many events it had acknowledged."""
    hears, says = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write_until_killed(path, says)
        finally:
            os._exit(3)
    os.close(says)
    until, acknowledged = time.monotonic() + secs, 0
    while (left := until - time.monotonic()) > 0:
        if select.select([hears], [], [], left)[0]:
            acknowledged += len(os.read(hears, 4096))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    while more := os.read(hears, 4096):
        acknowledged += len(more)
    os.close(hears)
    return acknowledged


def test_any_moment(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    chance = random.Random(5)
    opened = 0
    for number in range(KILLS):
        path = tmp_path / f"{number}.signalbox"
        acknowledged = killed_after(path, chance.uniform(0, LONGEST_LIFE_SECS))
        if not path.exists() or (acknowledged == 0 and path.stat().st_size == 0):
            continue
        began = time.monotonic()
        with LedgerReader.open(path) as reader:
            events = list(reader.events())
            revisions = reader.revisions()
        assert time.monotonic() - began < LONGEST_OPENING_SECS
        assert acknowledged <= len(events) <= acknowledged + 1
        assert revisions == list(range(1, len(events))) or not events
        if events:
            assert verify(path).whole
            with RunLedger.open_owned(path, StandingClock()) as ledger:
                assert len(list(ledger.events())) == len(events)
        opened += 1
        path.unlink()
    words = f"  under load, at any moment     {KILLS} kills: the old or the new state at each of {opened} ledgers (I4)"
    record_property(TABLE_LINE, words)
