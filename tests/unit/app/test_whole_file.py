"""A file is written whole or not at all, whatever lies beside it and whoever else writes it."""

import os
import stat
import sys
from pathlib import Path

import pytest

from app.whole_file import written_whole


def test_two_that_write_at_once_leave_one_of_their_two_files(tmp_path: Path) -> None:
    path = tmp_path / "run.zip"
    with written_whole(path, prefix=".new-") as one:
        one.write(b"1" * 1000)
        with written_whole(path, prefix=".new-") as other:
            other.write(b"2" * 500)
        assert path.read_bytes() == b"2" * 500
        one.write(b"1" * 1000)
    assert path.read_bytes() == b"1" * 2000
    assert list(tmp_path.iterdir()) == [path]


def test_what_breaks_off_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(b"old")

    def break_off() -> None:
        with written_whole(path, prefix=".new-") as opened:
            opened.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="other users are kept out otherwise there")
def test_nobody_else_may_read_it_and_no_link_is_written_through(tmp_path: Path) -> None:
    victim, path = tmp_path / "victim", tmp_path / "run.json"
    victim.write_bytes(b"mine")
    path.symlink_to(victim)
    with written_whole(path, prefix=".new-") as opened:
        opened.write(b"theirs")
    assert victim.read_bytes() == b"mine"
    assert (path.is_symlink(), path.read_bytes()) == (False, b"theirs")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
