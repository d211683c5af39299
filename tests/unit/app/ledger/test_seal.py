"""A rewritten ledger no longer fits its seal; without the key nobody can tell, and nobody can make it anew."""

import json
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.errors import LedgerProblem
from app.core.events import UserTextAdded
from app.core.sealed import SealFound
from app.ledger.seal import SUFFIX, check_seal, key_id, seal_run
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.unit.app.ledger.made_up import Click, SdkRun, StandingClock, run_ended, run_started

KEY, OTHER_KEY = secrets.token_bytes(32), secrets.token_bytes(32)


def save(path: Path, *, ended: bool = True, clicks: int = 2) -> Path:
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        for number in range(1, clicks + 1):
            for event in Click(number).steps():
                ledger.append(event)
        ledger.save_checkpoint(SdkRun().checkpoint("boundary"))
        if ended:
            ledger.append(run_ended())
    return path


def found(path: Path, key: bytes | None = KEY) -> SealFound:
    return check_seal(verify(path), key)


@pytest.fixture
def sealed(path: Path) -> Path:
    save(path)
    seal_run(path, KEY, wall_ms=1)
    return path


def test_sealed_and_whole(sealed: Path) -> None:
    assert found(sealed) == SealFound("whole", "sealed and whole", key_id(KEY), 1)
    side = sealed.with_name(sealed.name + SUFFIX)
    assert KEY.hex() not in side.read_text()
    assert side.stat().st_mode & 0o077 == 0


def test_not_sealed(path: Path) -> None:
    assert found(save(path)).words == "not sealed"


@pytest.mark.parametrize("key", [None, OTHER_KEY], ids=["no key", "another key"])
def test_another_machine_cannot_tell(sealed: Path, key: bytes | None) -> None:
    seen = found(sealed, key)
    assert (seen.state, seen.bad, seen.good, seen.key) == ("cannot_tell", False, False, key_id(KEY))


def test_a_ledger_written_anew_from_its_beginning_is_whole_and_shows_all_the_same(sealed: Path, tmp_path: Path) -> None:
    forged = save(tmp_path / "forged.signalbox", clicks=1)
    shutil.copy(forged, sealed)
    assert verify(sealed).whole
    assert found(sealed).words == "sealed and altered: the record is not the one that was sealed"


@pytest.mark.parametrize("kept", [["events", "chain"], ["events", "chain", "file", "revision"]])
def test_a_seal_made_to_fit_without_the_key_shows(sealed: Path, tmp_path: Path, kept: list[str]) -> None:
    forged = save(tmp_path / "forged.signalbox", clicks=1)
    seal_run(forged, OTHER_KEY, wall_ms=1)
    theirs = json.loads(forged.with_name(forged.name + SUFFIX).read_text())
    side = sealed.with_name(sealed.name + SUFFIX)
    ours = json.loads(side.read_text())
    shutil.copy(forged, sealed)
    side.write_text(json.dumps({**ours, **{name: theirs[name] for name in kept}}))
    assert found(sealed).words == "sealed and altered: the seal itself was changed"
    # With a key of their own it is a seal of somebody else's.
    side.write_text(json.dumps(theirs))
    assert found(sealed).state == "cannot_tell"


@pytest.mark.parametrize("broken", [b"", b"[]", b"{}", b"\xff", b'{"version":1}', b"[" * 5000])
def test_a_damaged_seal_is_no_proof(sealed: Path, broken: bytes) -> None:
    sealed.with_name(sealed.name + SUFFIX).write_bytes(broken)
    assert found(sealed).state in ("altered", "cannot_tell")


@pytest.mark.parametrize("odd", ["\u202eabc", "0" * 15, "0" * 17, 7, None])
def test_only_a_key_s_name_is_shown_as_one(sealed: Path, odd: object) -> None:
    side = sealed.with_name(sealed.name + SUFFIX)
    side.write_text(json.dumps({**json.loads(side.read_text()), "key_id": odd, "sealed_wall_ms": "now"}))
    assert (found(sealed).state, found(sealed).key, found(sealed).sealed_wall_ms) == ("cannot_tell", "", 0)


def test_what_was_written_later_is_not_sealed(sealed: Path) -> None:
    events = verify(sealed).events
    with RunLedger.open_owned(sealed, StandingClock()) as ledger:
        ledger.append(UserTextAdded(text="go on"))
        ledger.append(run_ended())
    assert found(sealed).words == f"sealed and whole up to event {events}; what was written later is not sealed"
    seal_run(sealed, KEY, wall_ms=2)
    assert found(sealed).state == "whole"


def test_the_end_is_cut_off_a_sealed_run(sealed: Path, tmp_path: Path) -> None:
    shorter = save(tmp_path / "shorter.signalbox", ended=False)
    shutil.copy(shorter, sealed)
    assert found(sealed).state == "altered"


def cut(path: Path) -> None:
    save(path, ended=False)


def changed(path: Path) -> None:
    data = save(path).read_bytes()
    path.write_bytes(data.replace(b"the model is done", b"the model is dead"))


@pytest.mark.parametrize(("make", "words"), [(cut, "its end is not on record"), (changed, "cannot be sealed")])
def test_only_a_whole_finished_run_is_sealed(path: Path, make: Callable[[Path], None], words: str) -> None:
    make(path)
    with pytest.raises(LedgerProblem, match=words):
        seal_run(path, KEY, wall_ms=1)
    assert not path.with_name(path.name + SUFFIX).exists()


def test_a_run_in_use_is_not_sealed(path: Path) -> None:
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        with pytest.raises(LedgerProblem, match="in use"):
            seal_run(path, KEY, wall_ms=1)


def test_a_key_s_name_tells_nothing_of_it() -> None:
    assert key_id(KEY) != key_id(OTHER_KEY)
    assert key_id(KEY) not in KEY.hex()
