"""A saved run and its timeline."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.timeline import Timeline
from app.replay.source import ReplaySource, open_source
from tests.unit.app.replay.saved import fold, save_run


@pytest.fixture
def source(tmp_path: Path) -> Iterator[ReplaySource]:
    opened = open_source(save_run(tmp_path / "run.signalbox"))
    yield opened
    opened.close()


@pytest.fixture
def timeline(source: ReplaySource) -> Timeline:
    return fold(source)
