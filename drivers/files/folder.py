"""One folder whose files may be read, written and deleted; whatever would lead out of it is refused before anything.

No part of a path is followed as a link: where the system can, each folder on the way is opened without following any.
"""

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from drivers.errors import NotDone

MOST_BYTES = 1_000_000
"""Of one file, before and after."""
MOST_PATH_CHARS = 500
UNTOUCHED = (".git", ".hg", ".svn")
"""Folders whose files other programs run by themselves."""

_STEP_BY_STEP = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")


class Folder:
    """`root` is there and no link. Every refusal comes before any effect."""

    def __init__(self, root: str | Path) -> None:
        """Raises `NotDone`: it is no folder."""
        self.most_bytes = MOST_BYTES
        self.root = Path(os.path.abspath(os.path.expanduser(root)))
        if not os.path.isdir(self.root):
            raise NotDone(f"There is no folder {self.root}.")
        # What leads to the folder is the person's own affair; from there on no link is followed.
        self.root = self.root.resolve()

    def read(self, path: str) -> bytes | None:
        """The file's bytes; None where there is none. Raises `NotDone`: it may not be read, or is no plain file."""
        parts = parts_of(path)
        with contextlib.suppress(FileNotFoundError), self._parent(parts) as place:
            found = place.status(parts[-1])
            if not stat.S_ISREG(found.st_mode):
                raise NotDone(f"Not done: {path} is no plain file.")
            if found.st_size > MOST_BYTES:
                raise NotDone(f"Not done: {path} is larger than {MOST_BYTES:,} bytes.")
            return place.read(parts[-1])
        return None

    def write(self, path: str, data: bytes, *, before: bytes | None) -> None:
        """Put `data` in the place of what was `before`; None: the file is new, and folders on the way may be.

        Raises:
            NotDone: the file is not as it was before, or cannot be written; it is as it was.
        """
        parts = parts_of(path)
        if len(data) > MOST_BYTES:
            raise NotDone(f"Not done: {path} would be larger than {MOST_BYTES:,} bytes.")
        self._unchanged(path, before)
        with self._parent(parts, make=before is None) as place:
            place.replace(parts[-1], data)

    def delete(self, path: str, *, before: bytes) -> None:
        """Delete the file. Raises `NotDone`: it is not as it was before."""
        parts = parts_of(path)
        self._unchanged(path, before)
        with self._parent(parts) as place:
            place.unlink(parts[-1])

    def _unchanged(self, path: str, before: bytes | None) -> None:
        if self.read(path) != before:
            raise NotDone(f"Not done: {path} was changed by something else since it was shown.")

    @contextmanager
    def _parent(self, parts: tuple[str, ...], *, make: bool = False) -> Iterator["_Place"]:
        """The folder of the file, for as long as the block lasts. Raises `FileNotFoundError` or `NotDone`."""
        place = _Place.at(self.root)
        try:
            for name in parts[:-1]:
                place = place.into(name, make=make)
            yield place
        except NotDone:
            raise
        except FileNotFoundError:
            raise
        except OSError as error:
            raise NotDone(f"Not done: {'/'.join(parts)} cannot be used ({type(error).__name__}).") from error
        finally:
            place.close()


def parts_of(path: str) -> tuple[str, ...]:
    """The names that `path` goes through. Raises `NotDone` where it is not plainly inside the folder."""
    if not path or len(path) > MOST_PATH_CHARS or any(ord(letter) < 32 for letter in path):
        raise NotDone("Not done: the path is empty, too long, or holds a letter that no path has.")
    if "\\" in path or ":" in path or path.startswith(("/", "~")):
        raise NotDone("Not done: the path must be relative to the folder, with / between names.")
    parts = PurePosixPath(path).parts
    if ".." in parts:
        raise NotDone("Not done: the path leads out of the folder.")
    if not parts or any(part.strip(" .") == "" or part != part.strip() for part in parts):
        raise NotDone("Not done: the path names no file.")
    if any(part.casefold() in UNTOUCHED for part in parts):
        raise NotDone("Not done: what a version control system keeps for itself is not touched.")
    return parts


class _Place:
    """One folder, held by its descriptor where the system can, else by its path, checked to be no link."""

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self._fd = descriptor

    @classmethod
    def at(cls, path: Path) -> "_Place":
        return cls(path, os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW) if _STEP_BY_STEP else None)

    def into(self, name: str, *, make: bool) -> "_Place":
        if make:
            with contextlib.suppress(FileExistsError):
                os.mkdir(self._named(name), dir_fd=self._fd)
        if not stat.S_ISDIR(self.status(name).st_mode):
            raise NotDone(f"Not done: {name} on the way to the file is no folder of its own.")
        below = None
        if self._fd is not None:
            below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=self._fd)
        self.close()
        return _Place(self.path / name, below)

    def status(self, name: str) -> os.stat_result:
        return os.stat(self._named(name), dir_fd=self._fd, follow_symlinks=False)

    def read(self, name: str) -> bytes:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(self._named(name), flags, dir_fd=self._fd), "rb") as file:
            return file.read(MOST_BYTES + 1)

    def replace(self, name: str, data: bytes) -> None:
        """All of it or nothing: beside the file first, then in its place."""
        new = f".{secrets.token_hex(8)}.new"
        mode = 0o644
        with contextlib.suppress(FileNotFoundError):
            mode = stat.S_IMODE(self.status(name).st_mode)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self._named(new), flags, mode, dir_fd=self._fd)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(self._named(new), self._named(name), src_dir_fd=self._fd, dst_dir_fd=self._fd)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(self._named(new), dir_fd=self._fd)
            raise

    def unlink(self, name: str) -> None:
        os.unlink(self._named(name), dir_fd=self._fd)

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _named(self, name: str) -> str | Path:
        return name if self._fd is not None else self.path / name
