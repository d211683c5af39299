"""What a killed process leaves behind goes when the next one makes a folder; what a living one holds stays."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from drivers.own_folder import OwnFolder

ROOT = Path(__file__).parents[3]
HOLD = (
    "import sys; from drivers.own_folder import OwnFolder\n"
    "made = OwnFolder('mine'); (made.path / 'copy').write_text('private')\n"
    "print(made.path, flush=True); sys.stdin.read()"
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it stays there")


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_what_a_killed_process_left_goes_and_what_a_living_one_holds_stays(room: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", HOLD], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    paths = [Path(one.stdout.readline().strip()) for one in processes if one.stdout is not None]
    killed, living = processes
    killed.kill()
    killed.wait()
    strangers = [room / "other-1", room / "signalbox-not-ours", room / "signalbox-linked"]
    for stranger in strangers:
        stranger.mkdir()
    (room / "mark").touch()
    (strangers[2] / "held").symlink_to(room / "mark")
    (room / "signalbox-link").symlink_to(strangers[0])
    assert all((path / "copy").exists() for path in paths)
    made = OwnFolder("yours")
    assert [path.exists() for path in (*paths, *strangers)] == [False, True, True, True, True]
    assert made.path.stat().st_mode & 0o077 == 0
    assert made.path.stat().st_uid == os.getuid()
    made.close()
    assert not made.path.exists()
    for one in processes:
        one.communicate("")
    living.wait()
