"""No file can take more than 300 MB or two seconds to a message or a run, whatever is in it."""

import base64
import hashlib
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.ledger.chain import link
from app.ledger.store import RunLedger
from tests.unit.app.ledger.made_up import StandingClock, data_url, png, run_started
from tests.unit.app.ledger.second import ROOT
from tests.unit.app.replay.saved import called, checkpoint, image, output, write_json
from tests.unit.app.replay.test_frames import png_header

MOST_MB = 300
MOST_SECS = 2.0

OPENS = """
import resource, sys, time
from pathlib import Path
from app.core.errors import LedgerProblem
from app.core.timeline import Timeline
from app.replay.frames import Frames
from app.replay.source import open_source
began = time.process_time()
try:
    source = open_source(Path(sys.argv[1]))
    said = f"{len(source.events)} events {sorted(source.flags)}"
    timeline = Timeline()
    for recorded in source.events:
        timeline.apply(recorded)
    for frame in list(timeline.frames)[:3]:
        Frames(source.blobs).picture(frame.picture.digest)
    source.close()
except LedgerProblem as problem:
    said = str(problem)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
if sys.platform == "linux":
    # The other number begins with what the process that started this one had.
    status = Path("/proc/self/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
sys.stdout.write(f"{time.process_time() - began} {peak} {said}")
"""


@dataclass(frozen=True)
class Opening:
    """What one process needed to open one file."""

    secs: float
    megabytes: float
    said: str


def opening(path: Path) -> Opening:
    """Open it in a process of its own. The time is the processor's: others share the machine."""
    command = [sys.executable, "-c", OPENS, str(path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    secs, peak, said = ended.stdout.split(" ", 2)
    return Opening(float(secs), int(peak) / 1_000_000, said)


def with_history(text: str) -> str:
    return json.dumps(checkpoint(history=["@"])).replace('"@"', text)


def screenshots(count: int) -> str:
    history = [{"role": "user", "content": "go"}]
    for number in range(count):
        parts = [{"type": "input_text", "text": '{"ok": true}'}, image(data_url(png(number, width=300, height=330)))]
        history += [called(f"c{number}", "browser_screenshot", "{}"), output(f"c{number}", parts)]
    return json.dumps(checkpoint(history=history))


def trailing() -> str:
    body = base64.b64encode(png(5)).decode()
    before, after = json.dumps(checkpoint()).split(body)
    return before + body + "A" * 120_000_000 + after


def small_bomb() -> str:
    return json.dumps(checkpoint()).replace(data_url(png(5)), data_url(png_header(8000, 8000)))


HOSTILE: dict[str, tuple[Callable[[], str], str]] = {
    "LG007 nesting": (lambda: with_history("[" * 100_000 + "]" * 100_000), "nested without end"),
    "LG018 picture of 250 MB": (small_bomb, "events"),
    "LG025 trailing bytes": (trailing, "events"),
    "a long honest run": (lambda: screenshots(100), "events"),
    "empty objects": (lambda: with_history(",".join(["{}"] * 1_400_000)), "too large"),
    "empty pictures": (lambda: with_history(",".join(['"data:image/png;base64,"'] * 400_000)), "too many pictures"),
    "messages": (lambda: with_history(",".join(['{"role":"user","content":"a"}'] * 300_000)), "events"),
    "one long text": (lambda: with_history(f'"{"a" * 60_000_000}"'), "too large"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_checkpoint_is_opened_or_refused_within_limits(tmp_path: Path, name: str) -> None:
    make, words = HOSTILE[name]
    found = opening(write_json(tmp_path / "c.json", make()))
    assert words in found.said
    assert found.megabytes < MOST_MB
    assert found.secs < MOST_SECS


def test_a_ledger_of_very_many_revisions_stays_usable(tmp_path: Path) -> None:
    path = tmp_path / "run.signalbox"
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
    body = '{"type":"checkpoint_saved","revision":%d,"phase":"boundary","consumed_requests":1,'
    body += '"attempted_call_ids":[],"returned_call_ids":[],"save_ms":0.0}'
    manifest = '{"values":{"revision":[%d]}}'
    connection = sqlite3.connect(path, isolation_level=None)
    (chain,) = connection.execute("SELECT chain FROM events").fetchone()
    connection.execute("BEGIN")
    for seq in range(2, 110_002):
        attached = hashlib.sha256((manifest % (seq - 1)).encode()).digest()
        chain = link(chain, seq, seq, seq, body % (seq - 1), attached)
        event = (seq, seq, seq, "checkpoint_saved", body % (seq - 1), attached, chain)
        connection.execute("INSERT INTO events VALUES(?, ?, ?, ?, ?, ?, ?)", event)
        connection.execute("INSERT INTO manifests VALUES(?, ?, ?)", (seq - 1, seq, manifest % (seq - 1)))
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    found = opening(path)
    assert found.said == "100000 events ['cut_off', 'long']"
    assert found.megabytes < MOST_MB
    assert found.secs < 5.0


def forged(tmp_path: Path, bodies: list[str], blob: bytes = b"") -> Path:
    """A ledger from elsewhere, true in itself, whose further events are `bodies`."""
    path = tmp_path / "run.signalbox"
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
    connection = sqlite3.connect(path, isolation_level=None)
    (chain,) = connection.execute("SELECT chain FROM events").fetchone()
    connection.execute("BEGIN")
    connection.execute("INSERT INTO blobs VALUES(NULL, ?, 'text/plain', ?)", (hashlib.sha256(blob).digest(), blob))
    for seq, body in enumerate(bodies, 2):
        chain = link(chain, seq, seq, seq, body, None)
        event = (seq, seq, seq, "call_answered", body, None, chain)
        connection.execute("INSERT INTO events VALUES(?, ?, ?, ?, ?, ?, ?)", event)
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path.rename(tmp_path / "elsewhere.signalbox")


def answered(output: str) -> str:
    return f'{{"type":"call_answered","call_id":"c","ok":true,"output":{output}}}'


BLOB = b"t" * 20_000_000
NAMED = f'{{"$text":"{hashlib.sha256(BLOB).hexdigest()}"}}'

BOMBS: dict[str, tuple[Callable[[], list[str]], str]] = {
    "one event of many parts": (lambda: [answered(f"[{','.join(['[]'] * 7_000_000)}]")], "damaged"),
    "one event of one long text": (lambda: [answered(f'"{"t" * 60_000_000}"')], "events"),
    "one event that names a text again and again": (lambda: [answered(f"[{','.join([NAMED] * 500)}]")], "damaged"),
    "many events that name a text": (lambda: [answered(NAMED)] * 500, "long"),
    "many events of many parts": (lambda: [answered(f"[{','.join(['[]'] * 40_000)}]")] * 200, "long"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_ledger_from_elsewhere_is_opened_within_limits(tmp_path: Path, name: str) -> None:
    make, words = BOMBS[name]
    found = opening(forged(tmp_path, make(), BLOB))
    assert words in found.said
    assert found.megabytes < MOST_MB
    assert found.secs < MOST_SECS
