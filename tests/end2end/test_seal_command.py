"""Sealing on a machine without a key store: said, not done, and no key in any file."""

from pathlib import Path

from app.core.retention import Retention
from app.settings import SealingSettings, Settings, save_settings
from tests.end2end.program import signalbox

NO_STORE = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


def test_without_a_key_store_nothing_is_sealed_and_that_is_said(tmp_path: Path) -> None:
    save_settings(Settings(retention=Retention(), sealing=SealingSettings(runs=True)), tmp_path)
    ran = signalbox("demo", "two-calls", "--unattended", home=tmp_path, **NO_STORE)
    assert ran.code == 0
    assert "The run is not sealed: this machine has no system key store" in ran.err
    by_hand = signalbox("seal", str(ran.ledger), home=tmp_path, **NO_STORE)
    assert by_hand.code == 3
    assert "no system key store" in by_hand.err
    checked = signalbox("verify", str(ran.ledger), home=tmp_path, **NO_STORE)
    assert checked.code == 0
    assert checked.out.splitlines()[-1] == "not sealed"
    assert [one.name for one in ran.ledger.parent.iterdir() if one.name.endswith("-seal")] == []


def test_a_store_that_would_write_a_file_is_not_used(tmp_path: Path) -> None:
    ran = signalbox("demo", "two-calls", "--unattended", home=tmp_path)
    own = {"PYTHON_KEYRING_BACKEND": "tests.unit.app.test_keystore.Kept"}
    by_hand = signalbox("seal", str(ran.ledger), home=tmp_path, **own)
    assert by_hand.code == 3
    assert "no system key store" in by_hand.err
