"""``signalbox compare LEDGER LEDGER…``: what each run took, side by side."""

from pathlib import Path

import click

from app.core.comparison import OTHER_TASK, RunFigures, figures_of, rows_of, same_task
from app.core.errors import LedgerProblem
from app.core.untrusted import shown
from app.replay.source import open_source

MOST_CELL_CHARS = 60


def compare_ledgers(paths: tuple[Path, ...]) -> None:
    """Print one table. Raises `LedgerProblem` for a file that is no run."""
    runs = [_figures(path) for path in paths]
    rows = [(name, [shown(value[:MOST_CELL_CHARS]) for value in values]) for name, values in rows_of(runs)]
    name_width = max(len(name) for name, _ in rows)
    widths = [max(len(values[at]) for _, values in rows) for at in range(len(runs))]
    for name, values in rows:
        cells = "  ".join(value.rjust(width) for value, width in zip(values, widths, strict=True))
        click.echo(f"{name.ljust(name_width)}  {cells}")
    if not same_task(runs):
        click.echo(OTHER_TASK, err=True)


def _figures(path: Path) -> RunFigures:
    source = open_source(path)
    try:
        timeline = source.timeline()
    finally:
        source.close()
    if timeline.run is None:
        raise LedgerProblem(f"there is no run in it: {path}")
    return figures_of(timeline)
