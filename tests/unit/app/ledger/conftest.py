"""A new ledger for a test, owned until its end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.ledger.store import RunLedger
from tests.unit.app.ledger.made_up import StandingClock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.signalbox"


@pytest.fixture
def ledger(path: Path) -> Iterator[RunLedger]:
    with RunLedger.create(path, StandingClock()) as created:
        yield created
