"""A folder for patches and commands."""

from pathlib import Path

import pytest

from tests.unit.app.runner.programs.own_runs import POEM


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one poem."""
    made = tmp_path / "poems"
    made.mkdir()
    (made / "poem.txt").write_text(POEM)
    return made
