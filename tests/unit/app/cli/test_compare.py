"""A window compares two runs and no other number of them."""

from pathlib import Path

import pytest

from app.main import main


@pytest.mark.parametrize("count", [1, 3])
def test_another_number_of_runs_is_wrong_use(count: int, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.signalbox" for number in range(count)]
    for file in files:
        file.touch()
    assert main(["compare", "--window", *map(str, files)]) == 2
    assert "two runs" in capsys.readouterr().err
