"""A folder keeps its files to itself: every way out of it is refused, and nothing is half written."""

import os
from pathlib import Path

import pytest

from drivers.errors import NotDone
from drivers.files.folder import MOST_BYTES, Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    return Folder(tmp_path / "inside")


@pytest.mark.parametrize(
    "path",
    [
        *("", ".", "..", "../secret.txt", "a/../../secret.txt", "/etc/passwd", "~/x", "C:/x", "a\\b", "a\x00b", "a\nb"),
        *("a/..", "./..", "a /b", " ", "...", ".git/hooks/pre-commit", "sub/.GIT/config", "x" * 501),
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(folder: Folder, tmp_path: Path, path: str) -> None:
    with pytest.raises(NotDone):
        folder.read(path)
    with pytest.raises(NotDone):
        folder.write(path, b"x", before=None)
    with pytest.raises(NotDone):
        folder.delete(path, before=b"secret")
    assert (tmp_path / "secret.txt").read_text() == "secret"
    assert list(folder.root.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_no_link_is_followed(folder: Folder, tmp_path: Path) -> None:
    (folder.root / "out").symlink_to(tmp_path)
    (folder.root / "link.txt").symlink_to(tmp_path / "secret.txt")
    for path in ("out/secret.txt", "out/new.txt", "link.txt"):
        with pytest.raises(NotDone):
            folder.read(path)
        for before in (None, b"secret"):
            with pytest.raises(NotDone):
                folder.write(path, b"x", before=before)
        with pytest.raises(NotDone):
            folder.delete(path, before=b"secret")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["inside", "secret.txt"]
    assert (tmp_path / "secret.txt").read_text() == "secret"


def test_a_file_is_written_whole_in_new_folders_and_keeps_its_mode(folder: Folder) -> None:
    folder.write("sub/deep/run.sh", b"one", before=None)
    (folder.root / "sub/deep/run.sh").chmod(0o755)
    folder.write("sub/deep/run.sh", b"two", before=b"one")
    assert (folder.root / "sub/deep/run.sh").read_bytes() == b"two"
    assert (folder.root / "sub/deep/run.sh").stat().st_mode & 0o777 == 0o755
    assert [entry.name for entry in (folder.root / "sub/deep").iterdir()] == ["run.sh"]
    folder.delete("sub/deep/run.sh", before=b"two")
    assert folder.read("sub/deep/run.sh") is None


def test_a_file_that_something_else_changed_is_left_as_it_is(folder: Folder) -> None:
    (folder.root / "a.txt").write_bytes(b"theirs")
    for before in (None, b"mine"):
        with pytest.raises(NotDone, match="changed by something else"):
            folder.write("a.txt", b"ours", before=before)
    with pytest.raises(NotDone, match="changed by something else"):
        folder.delete("a.txt", before=b"mine")
    assert (folder.root / "a.txt").read_bytes() == b"theirs"


def test_only_plain_files_of_a_bearable_size(folder: Folder) -> None:
    (folder.root / "sub").mkdir()
    (folder.root / "big").write_bytes(b"x" * (MOST_BYTES + 1))
    for path in ("sub", "big"):
        with pytest.raises(NotDone):
            folder.read(path)
    with pytest.raises(NotDone):
        folder.write("new", b"x" * (MOST_BYTES + 1), before=None)
    with pytest.raises(NotDone):
        Folder(folder.root / "nowhere")
    assert folder.read("nowhere/at/all") is None
