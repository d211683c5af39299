"""What a command line names, a file that is there or a data folder: what is wrong is said before anything opens."""

import os
from pathlib import Path
from typing import Any

import click

from app.core.errors import LedgerProblem
from app.ledger.beside import must_be_file


class PlainFile(click.Path):
    """A file that is there and is one: whoever opens a pipe waits for somebody to write into it."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; ends the command where it leads to no plain file."""
        path = super().convert(value, param, ctx)
        try:
            must_be_file(Path(os.fsdecode(path)))
        except LedgerProblem as problem:
            self.fail(str(problem), param, ctx)
        return path


class DataFolder(click.Path):
    """A folder that may be made. An empty name is none: it would be the folder in which the command was given."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; ends the command where there is no name."""
        if not os.fspath(value):
            self.fail("an empty name is no folder", param, ctx)
        return super().convert(value, param, ctx)
