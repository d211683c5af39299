"""`signalbox doctor` as it is called by people and by make: its words and its exit codes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.doctor.run import ALL_IS_HERE, SOMETHING_IS_MISSING
from tests.end2end.program import LIMIT_SECS


def doctor(*options: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "app", "doctor", *options]
    return subprocess.run(
        command, env={**os.environ, **env}, capture_output=True, text=True, timeout=LIMIT_SECS, check=False
    )


def test_where_all_is_here_it_ends_with_0_and_shows_no_key(tmp_path: Path) -> None:
    done = doctor("--home", str(tmp_path), OPENAI_API_KEY="sk-5f2c9e71")
    assert done.returncode == ALL_IS_HERE, done.stdout + done.stderr
    assert "All that is needed is here." in done.stdout
    assert "OPENAI_API_KEY is set." in done.stdout
    assert "5f2c9e71" not in done.stdout + done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="browsers lie elsewhere")
def test_without_a_browser_it_says_how_to_get_one_and_ends_with_3(tmp_path: Path) -> None:
    done = doctor("--home", str(tmp_path), PATH=str(tmp_path), PLAYWRIGHT_BROWSERS_PATH=str(tmp_path))
    assert done.returncode == SOMETHING_IS_MISSING, done.stdout + done.stderr
    assert "playwright install chromium" in done.stdout
    assert "Missing: Browser." in done.stdout


def test_a_data_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = doctor("--home", str(blocked / "home"))
    assert done.returncode == SOMETHING_IS_MISSING
    assert "Data folder" in done.stdout.splitlines()[-1]


def test_a_wrong_option_is_wrong_usage() -> None:
    assert doctor("--repair").returncode == 2
