"""The demo on a machine without a display: it runs by itself, and pictures of the window are left to look at."""

import asyncio
import os
import shlex
import sys
from pathlib import Path

from app.cli.terminal import say_of_run
from app.core.timeline import Timeline

BY_ITSELF = (
    "{} So the demo runs by itself: the scenario's own scripted answers are used, "
    "and each decision is recorded as scripted."
)

PICTURE_WIDTH, PICTURE_HEIGHT = 1440, 900


def demo_without_display(scenario_name: str, reason: str, *, home: Path | None) -> int:
    """Run the scenario unattended and offscreen; print where the ledger and the pictures of the window lie.

    `reason` says why there can be no window.
    """
    from app.cli.demo import run_unattended

    say_of_run(BY_ITSELF.format(reason))
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    ran: list[Path] = []
    code = run_unattended(scenario_name, home=home, ledger_written=ran.append)
    for ledger in ran:
        folder = ledger.with_suffix(".pictures")
        save_window_pictures(ledger, folder, home=home)
        say_of_run(f"Pictures of the window: {folder}")
        say_of_run(f"Look at the run: {_as_called()} replay {shlex.quote(str(ledger))}")
    return code


def _as_called() -> str:
    """The program as it was called, to be called again: in a clone no shell knows it by its name alone."""
    called = sys.argv[0]
    return shlex.quote(called) if Path(called).stem == "signalbox" else "signalbox"


def save_window_pictures(ledger: Path, folder: Path, *, home: Path | None) -> None:
    """Pictures of the window as it stood at each decision by nobody's rule, and at the end."""
    from app.cli.window import in_window, settings_file
    from app.views.window import ConsoleWindow

    async def main(window: ConsoleWindow) -> int:
        from app.replay.cursor import Seek
        from app.replay.source import open_source
        from app.views.application import open_replay_window
        from app.views.snapshot import save_window_picture

        source = await asyncio.to_thread(open_source, ledger)
        timeline = source.timeline()
        open_replay_window(timeline, source.blobs, settings_path=settings_file(home), window=window)
        assert window.model is not None
        # The screen that is not there has no size that a person would choose.
        window.resize(PICTURE_WIDTH, PICTURE_HEIGHT)
        window.default_layout()
        for number, seq in enumerate(_places(timeline), start=1):
            window.model.do(Seek(seq))
            await save_window_picture(window, folder / f"{number:02d}.png")
        window.close()
        source.close()
        return 0

    in_window(main, home)


def _places(timeline: Timeline) -> list[int]:
    asked = [record.seq for record in timeline.asks if record.decision is not None and record.decision.by != "rule"]
    return [*asked, timeline.last_seq]
