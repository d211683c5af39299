"""Runs sealed with a key of a real key store: made once, in no file that can be read, and whoever rewrites shows."""

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.retention import Retention
from app.settings import SealingSettings, Settings, save_settings
from tests.end2end.program import environment, signalbox
from tests.helpers.key_store import CannotStart, key_store, missing
from tests.unit.app.ledger.test_seal import save

pytestmark = [pytest.mark.skipif(bool(missing()), reason=missing()), pytest.mark.timeout(900)]

KEY_OF = "from app.keystore import seal_key; key = seal_key(create=False); print(key.hex() if key else '')"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[dict[str, str]]:
    """This machine's key store."""
    started = key_store(tmp_path / "store")
    try:
        own = started.__enter__()
    except (OSError, CannotStart) as reason:
        pytest.skip(f"no key store can be started here: {reason}")
    with contextlib.ExitStack() as ending:
        ending.push(started)
        yield own


def key_in(store: dict[str, str], home: Path) -> str:
    """The key, as the program gets it."""
    asked = subprocess.run(
        [sys.executable, "-c", KEY_OF],
        env=environment(home, **store),
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    return asked.stdout.strip()


def last_line(store: dict[str, str], home: Path, ledger: Path) -> tuple[int, str]:
    """What ``verify`` says of the seal."""
    told = signalbox("verify", str(ledger), home=home, **store)
    return told.code, told.out.splitlines()[-1]


def test_a_run_is_sealed_at_its_end_and_a_change_shows(store: dict[str, str], tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    save_settings(Settings(retention=Retention(), sealing=SealingSettings(runs=True)), home)
    assert key_in(store, home) == ""
    ran = signalbox("demo", "two-calls", "--unattended", home=home, **store)
    assert (ran.code, "not sealed" in ran.err) == (0, False), ran.err
    assert last_line(store, home, ran.ledger) == (0, "sealed and whole")
    key = key_in(store, home)
    assert len(key) == 64
    for one in (path for path in tmp_path.rglob("*") if path.is_file()):
        data = one.read_bytes()
        assert key.encode() not in data, one
        assert bytes.fromhex(key) not in data, one
    with key_store(tmp_path / "other") as other:
        code, words = last_line(other, home, ran.ledger)
        assert (code, "sealed with a key that is not on this machine" in words) == (0, True)
        assert key_in(other, home) == "", "looking at a seal makes no key"
        # Whoever seals it anew does so with a key of their own, and cannot do it with ours.
        assert signalbox("seal", str(ran.ledger), home=home, **other).code == 0
        assert last_line(other, home, ran.ledger) == (0, "sealed and whole")
    assert "not on this machine" in last_line(store, home, ran.ledger)[1]
    assert signalbox("seal", str(ran.ledger), home=home, **store).code == 0
    # A ledger that fits itself, in the place of the sealed one.
    shutil.copy(save(tmp_path / "forged.signalbox"), ran.ledger)
    altered = "sealed and altered: the record is not the one that was sealed"
    assert last_line(store, home, ran.ledger) == (1, altered)
