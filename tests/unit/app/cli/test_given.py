"""What a command line names: nobody waits for a pipe, and no folder is written to that nobody named."""

import os
from pathlib import Path

import pytest

from app.core.errors import LedgerProblem
from app.ledger.schema import has_our_mark
from app.main import main
from app.replay.reading import begin_reading
from tests.helpers.ledger_commands import LEDGER_COMMANDS

pytestmark = pytest.mark.timeout(300)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name")
@pytest.mark.parametrize("ending", ["signalbox", "json"])
def test_a_pipe_in_a_saved_run_s_place_is_named_and_not_waited_for(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(pipe := tmp_path / f"run.{ending}")
    (tmp_path / "link.json").symlink_to(pipe)
    for command, more in LEDGER_COMMANDS.items():
        assert main([command, str(pipe), *more]) == 2
        assert f"not a file, but a pipe: {pipe}" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "link.json")]) == 2
    # Whoever comes another way than by the command line waits for nobody either.
    assert not has_our_mark(pipe)
    with pytest.raises(LedgerProblem, match="not a file, but a pipe"):
        begin_reading(pipe)


def test_what_is_no_file_is_called_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(LedgerProblem, match=rf"^not a file, but a folder: {tmp_path}$"):
        begin_reading(tmp_path)
    with pytest.raises(LedgerProblem, match=r"^no such file: "):
        begin_reading(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(LedgerProblem, match=r"^no such file: "):
        begin_reading(tmp_path / "file" / "below")
    with pytest.raises(LedgerProblem, match=r"^cannot be read "):
        begin_reading(tmp_path / ("x" * 300))


def test_a_data_folder_without_a_name_is_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (["--home", "", "demo", "--unattended"], ["demo", "--unattended", "--home", ""]):
        assert main(arguments) == 2
        assert "an empty name is no folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
