"""``signalbox compare LEDGER LEDGER…``: what each run took, side by side; two of them step by step in a window."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from app.cli.terminal import say
from app.core.comparison import OTHER_TASK, RunFigures, figures_of, rows_of, same_task
from app.core.errors import LedgerProblem, UsageProblem
from app.core.untrusted import shown
from app.replay.source import open_source

if TYPE_CHECKING:
    from pathlib import Path

    from app.replay.source import ReplaySource
    from app.views.compare.compare_window import CompareWindow

MOST_CELL_CHARS = 60


def compare_ledgers(paths: tuple[Path, ...]) -> None:
    """Print one table. Raises `LedgerProblem` for a file that is no run."""
    runs = [_figures(path) for path in paths]
    rows = [(name, [shown(value[:MOST_CELL_CHARS]) for value in values]) for name, values in rows_of(runs)]
    name_width = max(len(name) for name, _ in rows)
    widths = [max(len(values[at]) for _, values in rows) for at in range(len(runs))]
    for name, values in rows:
        cells = "  ".join(value.rjust(width) for value, width in zip(values, widths, strict=True))
        say(f"{name.ljust(name_width)}  {cells}")
    if not same_task(runs):
        say(OTHER_TASK, err=True)


def _figures(path: Path) -> RunFigures:
    source = open_source(path)
    try:
        timeline = source.timeline()
    finally:
        source.close()
    if timeline.run is None:
        raise LedgerProblem(f"there is no run in it: {path}")
    return figures_of(timeline)


def compare_in_window(paths: tuple[Path, ...], *, home: Path | None) -> int:
    """Show two runs beside each other. Raises `UsageProblem` for any other number of them."""
    from app.cli.window import painted_first, settings_file

    if len(paths) != 2:
        raise UsageProblem("a window compares two runs")
    pair = (paths[0], paths[1])

    async def main(window: CompareWindow) -> int:
        await show_compared(pair, window)
        return 0

    def make() -> CompareWindow:
        from app.views.compare.compare_window import CompareWindow

        return CompareWindow(settings_path=settings_file(home))

    return painted_first(make, main, home)


async def show_compared(pair: tuple[Path, Path], window: CompareWindow) -> None:
    """Fill `window` with the two and wait until it is closed. Raises `LedgerProblem` for a file that is no run."""
    from app.views.compare.compare_window import ComparedRun

    sources: list[ReplaySource] = []
    try:
        runs = []
        for path in pair:
            source = await asyncio.to_thread(open_source, path)
            sources.append(source)
            timeline = await asyncio.to_thread(source.timeline)
            if timeline.run is None:
                raise LedgerProblem(f"there is no run in it: {path}")
            runs.append(ComparedRun(source.title, timeline, source.blobs))
        if not window.is_closed:
            window.show_runs(runs[0], runs[1])
            window.show()
            await window.wait_closed()
    finally:
        for source in sources:
            source.close()
