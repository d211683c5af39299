"""Where things lie on this machine: the data folder, the runs inside it, and the files that ship with the program.

Nothing else reads `SIGNALBOX_HOME` or opens a file of the `resources` package.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.errors import MissingHere, UsageProblem

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

HOME_VARIABLE = "SIGNALBOX_HOME"
NO_HOME = f"No data folder: this user has no home here. Name a folder with --home or {HOME_VARIABLE}."


def data_folder(home: Path | None = None) -> Path:
    """The folder for all that outlives a process: `home` if given, else `SIGNALBOX_HOME`, else the system's place.

    It is not created here: only what writes into it creates it.

    Raises:
        MissingHere: nobody has named one, and the system knows no home of this user.
    """
    if named := home or os.environ.get(HOME_VARIABLE):
        return Path(os.path.expanduser(named)).absolute()
    # As little as can be is loaded before the first window.
    import platformdirs

    try:
        return platformdirs.user_data_path("signalbox", appauthor=False)
    except RuntimeError as error:
        raise MissingHere(NO_HOME) from error


def own_file(home: Path | None, name: str) -> Path:
    """A small file of the data folder, which may not be there yet.

    Raises:
        UsageProblem: something else lies there: whoever opens a pipe waits for somebody to write into it.
    """
    path = data_folder(home) / name
    try:
        mode = path.stat().st_mode
    except OSError:
        return path  # whoever opens it says why it cannot
    if not stat.S_ISREG(mode):
        raise UsageProblem(f"not a file: {path}")
    return path


def marks_folder(home: Path | None = None) -> Path:
    """Where reviewers' marks and notes on saved runs are kept, apart from the runs."""
    return data_folder(home) / "marks"


def runs_folder(home: Path | None = None) -> Path:
    """The folder that holds one ledger file a run."""
    return data_folder(home) / "runs"


def downloads_of(ledger: Path) -> Path:
    """Where the files that a run fetches are put: beside the folder of runs, in a folder of its own."""
    return ledger.parent.parent / "downloads" / ledger.stem


def presets_folder(home: Path | None = None) -> Path:
    """The folder that holds run files kept as presets."""
    return data_folder(home) / "presets"


def log_file(home: Path | None = None) -> Path:
    """The file that the program's own log is written to."""
    return data_folder(home) / "log" / "signalbox.log"


def resource(name: str) -> Traversable:
    """The shipped file or folder `name`, as a path with `/` below the `resources` package.

    Raises:
        ValueError: the name leaves the package.
        FileNotFoundError: nothing of that name is shipped.
    """
    # Loaded here, since every start of the program loads this module and few need a shipped file before the window.
    from importlib.resources import files

    parts = name.split("/")
    if any(part in {"", ".", ".."} or "\\" in part for part in parts):
        raise ValueError(f"not a name of a shipped file: {name!r}")
    found = files("resources").joinpath(*parts)
    if not (found.is_file() or found.is_dir()):
        raise FileNotFoundError(f"no such file is shipped with the program: resources/{name}")
    return found


def resource_bytes(name: str) -> bytes:
    """The content of the shipped file `name`."""
    return resource(name).read_bytes()


def resource_text(name: str) -> str:
    """The content of the shipped file `name`, as UTF-8 text."""
    return resource(name).read_text(encoding="utf-8")
