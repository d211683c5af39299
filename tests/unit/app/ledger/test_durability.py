"""What was acknowledged is there after kill -9, a full disk, a failed write; and after a failure nothing is written."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.errors import NotDurable
from app.core.evidence import Blob
from app.ledger.reader import LedgerReader
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.unit.app.ledger.made_up import Click, SdkRun, StandingClock, png, run_ended, run_started
from tests.unit.app.ledger.second import ROOT, next_line, second_process


@pytest.mark.parametrize("acknowledged", [1, 7, 23])
def test_what_was_acknowledged_survives_kill_9(path: Path, acknowledged: int) -> None:
    with second_process(path, "saves") as other:
        for _ in range(acknowledged):
            seq = int(next_line(other))
    with LedgerReader.open(path) as reader:
        assert reader.flags == {"cut_off"}
        events = list(reader.events())
        assert len(events) >= seq
        assert reader.revisions() == list(range(1, len(events)))
        run = SdkRun(picture_bytes=60_000)
        expected = [checkpoint for _ in range(acknowledged) for checkpoint in run.step()]
        for revision in reader.revisions()[: len(expected)]:
            assert reader.checkpoint(revision) == expected[revision - 1]
    before = sorted(
        (file.name, file.read_bytes()) for file in path.parent.glob("run*") if not file.name.endswith("-owner")
    )
    assert verify(path).whole
    after = sorted(
        (file.name, file.read_bytes()) for file in path.parent.glob("run*") if not file.name.endswith("-owner")
    )
    assert after == before


def test_a_second_start_after_kill_9_gives_the_same(path: Path) -> None:
    with second_process(path, "saves") as other:
        for _ in range(4):
            next_line(other)
    found = []
    for _ in range(2):
        with RunLedger.open_owned(path, StandingClock()) as ledger:
            found.append((list(ledger.events()), ledger.latest_checkpoint()))
    assert found[0] == found[1]


def write_for_ever(ledger: RunLedger, acknowledged: list[int]) -> None:
    """Saves and pictures; each event that is on record is added to `acknowledged`."""
    run = SdkRun(picture_bytes=20_000)
    acknowledged.append(ledger.append(run_started()).seq)
    for number in range(1000):
        blob = Blob(png(number, width=60, height=40), "image/png")
        acknowledged.append(ledger.append(Click(number, blob).asked, [blob]).seq)
        acknowledged.extend(ledger.save_checkpoint(checkpoint).seq for checkpoint in run.step())


@pytest.mark.parametrize("limit_bytes", [4096 * pages for pages in range(14, 80, 3)])
def test_a_full_disk_is_named_and_loses_nothing(path: Path, limit_bytes: int) -> None:
    written = [0]
    with RunLedger.create(path, StandingClock(), limit_bytes=limit_bytes) as ledger:
        with pytest.raises(NotDurable, match="full") as full:
            write_for_ever(ledger, written)
        with pytest.raises(NotDurable) as again:
            ledger.append(run_ended())
    acknowledged = written[-1]
    assert str(again.value) == str(full.value)
    assert f"{path}: event {acknowledged + 1} (" in str(full.value)
    assert f"last on record: event {acknowledged}, checkpoint " in str(full.value)
    assert path.stat().st_size <= limit_bytes
    report = verify(path)
    assert report.events == acknowledged
    assert report.whole or acknowledged == 0


FILE_TOO_LARGE = """
import resource, signal, sys
from pathlib import Path
from app.core.errors import SignalboxError
from app.ledger.store import RunLedger
from tests.unit.app.ledger.made_up import SdkRun, StandingClock, run_started
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
done = 0
try:
    ledger = RunLedger.create(Path(sys.argv[1]), StandingClock())
    done = ledger.append(run_started()).seq
    run = SdkRun(picture_bytes=20_000)
    while True:
        for checkpoint in run.step():
            done = ledger.save_checkpoint(checkpoint).seq
except SignalboxError as problem:
    sys.stdout.write(f"{done} {type(problem).__name__} {problem}")
"""


@pytest.mark.parametrize("file_bytes", [0, 600, 30_000, 100_000, 300_000, 900_000])
def test_a_write_that_the_system_refuses_is_named_and_loses_nothing(path: Path, file_bytes: int) -> None:
    command = [sys.executable, "-c", FILE_TOO_LARGE, str(path), str(file_bytes)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    done, kind, words = ended.stdout.split(" ", 2)
    assert str(path) in words
    if done == "0":
        assert kind in ("NotDurable", "LedgerProblem")
        return
    assert kind == "NotDurable"
    assert f"last on record: event {done}, checkpoint {int(done) - 1}" in words
    assert verify(path).events >= int(done)


def test_a_read_only_folder_takes_no_run(tmp_path: Path) -> None:
    place = Path("/proc") if sys.platform == "linux" else tmp_path
    if place == tmp_path:
        tmp_path.chmod(0o500)
    with pytest.raises(Exception, match="run") as refused:
        RunLedger.create(place / "run.signalbox", StandingClock())
    assert type(refused.value).__name__ == "LedgerProblem"


def test_one_save_is_one_commit(ledger: RunLedger) -> None:
    ledger.append(run_started())
    statements: list[str] = []
    ledger._connection.set_trace_callback(statements.append)
    for checkpoint in SdkRun().step():
        ledger.save_checkpoint(checkpoint)
    ledger._connection.set_trace_callback(None)
    assert statements.count("COMMIT") == 5
    pragmas = {name: ledger._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in SETTINGS}
    assert pragmas == SETTINGS


SETTINGS = {"journal_mode": "wal", "synchronous": 2, "wal_autocheckpoint": 0}
"""With these SQLite syncs the log once a commit, and once more when it begins the log anew."""


def test_a_save_syncs_at_most_twice(path: Path, tmp_path: Path) -> None:
    if (strace := shutil.which("strace")) is None:
        pytest.skip("strace counts the system calls; the settings that bring it about are tested above")
    script = SYNCS.format(path=str(path))
    trace = tmp_path / "trace"
    command = [strace, "-f", "-e", "trace=fsync,fdatasync,write", "-o", str(trace), sys.executable, "-c", script]
    if subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine lets nobody trace")
    counts, main = [], trace.read_text().split(" ", 1)[0]
    for line in trace.read_text().splitlines():
        if line.startswith(main) and "MARK" in line:
            counts.append(0)
        elif counts and re.match(rf"{main} +f(data)?sync", line):
            counts[-1] += 1
    assert len(counts) == 201
    assert max(counts[:-1]) <= 2
    assert sum(counts[:-1]) <= 1.1 * 200


SYNCS = """
import os
from pathlib import Path
from app.ledger.store import RunLedger
from tests.unit.app.ledger.made_up import SdkRun, StandingClock, run_started
with RunLedger.create(Path("{path}"), StandingClock()) as ledger:
    ledger.append(run_started())
    run = SdkRun(picture_bytes=600_000)
    for _ in range(40):
        for checkpoint in run.step():
            os.write(1, b"MARK")
            ledger.save_checkpoint(checkpoint)
    os.write(1, b"MARK")
"""


def test_a_listener_never_hears_of_what_is_not_on_disk(path: Path) -> None:
    heard: list[int] = []
    with RunLedger.create(path, StandingClock(), limit_bytes=4096 * 20) as ledger:
        ledger.subscribe(lambda recorded: heard.append(recorded.seq))
        with pytest.raises(NotDurable):
            write_for_ever(ledger, [])
    with LedgerReader.open(path) as reader:
        assert heard == [recorded.seq for recorded in reader.events()]


SYNC_FAILS = """
import sys
from pathlib import Path
from app.core.errors import NotDurable
from app.ledger.store import RunLedger
from tests.unit.app.ledger.made_up import SdkRun, StandingClock, run_started
ledger = RunLedger.create(Path(sys.argv[1]), StandingClock())
done = ledger.append(run_started()).seq
run, failures = SdkRun(), []
for _ in range(20):
    for checkpoint in run.step():
        try:
            done = ledger.save_checkpoint(checkpoint).seq
        except NotDurable as problem:
            failures.append(str(problem))
ledger.close()
sys.stdout.write("\\n".join([str(done), *failures]))
"""


@pytest.mark.parametrize("failing", [24, 25, 40])
def test_a_failed_sync_is_final(path: Path, failing: int) -> None:
    if (strace := shutil.which("strace")) is None:
        pytest.skip("strace makes one sync fail; nothing else can do that without changing the program")
    inject = f"inject=fsync,fdatasync:error=EIO:when={failing}"
    command = [strace, "-f", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", inject]
    ended = subprocess.run(
        [*command, sys.executable, "-c", SYNC_FAILS, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if "PTRACE" in ended.stderr:
        pytest.skip("this machine lets nobody trace")
    assert ended.returncode == 0, ended.stderr
    done, *failures = ended.stdout.splitlines()
    assert len(failures) == 100 - int(done) + 1
    assert "disk I/O error" in failures[0]
    assert f"event {int(done) + 1} (" in failures[0]
    assert failures[1:] == failures[:1] * (len(failures) - 1)
    assert verify(path).events in (int(done), int(done) + 1)
