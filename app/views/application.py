"""Opens the windows: the only part of the views that the command line calls, beside the bridge.

Importing this file is as light as a bare window; each function loads what it shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.views.window import ConsoleWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from app.core.exporting import Exporter
    from app.core.keeping import Keeping
    from app.core.live import RunHandle
    from app.core.ports import Blobs
    from app.core.sealed import SealFound
    from app.core.timeline import Timeline
    from app.gate.inbox import AskInbox
    from app.replay.marks import MarkBook
    from app.replay.reading import Reading
    from app.views.runs.run_row import RunRow
    from app.views.runs.runs_window import RunsWindow


def first_window(settings_path: Path | None = None) -> ConsoleWindow:
    """A window that shows itself at once and is filled later; for `run_window(first=…)`."""
    window = ConsoleWindow(settings_path=settings_path)
    window.show()
    return window


def open_live_window(
    handle: RunHandle, inbox: AskInbox, *, settings_path: Path | None, window: ConsoleWindow | None = None
) -> ConsoleWindow:
    """Show a run; `await window.wait_closed()` returns when the window is closed and the run has drained.

    A window that a person has closed meanwhile stops the run before it begins.
    """
    from app.views.live_run import CLOSED, LiveRun
    from app.views.models.timeline_model import TimelineModel

    window = window or ConsoleWindow(settings_path=settings_path)
    if window.is_closed:
        inbox.close(CLOSED)
        handle.request_stop("window_closed", CLOSED)
        return window
    model = TimelineModel(blobs=handle.blobs, live=True)
    window.show_run(model, frames=handle.frames, run_id=handle.run_id)
    LiveRun(window, model, handle, inbox)
    window.show()
    return window


def open_replay_window(
    timeline: Timeline,
    blobs: Blobs,
    *,
    settings_path: Path | None,
    cut_off: bool = False,
    notes: Sequence[str] = (),
    marks: MarkBook | None = None,
    window: ConsoleWindow | None = None,
) -> ConsoleWindow:
    """Show a saved run, read-only, standing at its newest event. Nothing is executed and nothing is fetched.

    `notes` says what is wrong or unusual about the record; they stand above the stage as long as the window is open.
    """
    from app.views.debugger.debugger import SavedHolds
    from app.views.models.timeline_model import TimelineModel

    window = window or ConsoleWindow(settings_path=settings_path)
    if window.is_closed:
        return window
    model = TimelineModel(timeline, blobs=blobs, cut_off=cut_off)
    model.marks = marks
    window.show_run(model, run_id=timeline.run.run_id if timeline.run is not None else "")
    SavedHolds(window, model)
    window.say_notes(notes)
    window.show()
    return window


def get_ready(window: ConsoleWindow) -> None:
    """Do what any saved run needs of `window`, so that it can be shown as soon as its file has been read."""
    if not window.is_closed:
        from app.views.warming import load_first

        window.furnish()
        load_first()


def open_saved_run(
    reading: Reading,
    *,
    settings_path: Path | None,
    marks: MarkBook | None = None,
    window: ConsoleWindow | None = None,
    exporter: Exporter | None = None,
    seal: Callable[[Reading], SealFound] | None = None,
) -> ConsoleWindow:
    """Show a saved run of which only the beginning has been read; the window reads the rest, and has it checked.

    Whoever opened `reading` closes it after the window. `marks` are the reviewer's own, kept elsewhere;
    `seal` is called in a thread once all of it has been checked.
    """
    from app.views.saved_run import SavedRun

    window = window or ConsoleWindow(settings_path=settings_path)
    if not window.is_closed:
        window.furnish()
        SavedRun(window, reading, marks, seal)
        if exporter is not None:
            from app.views.export.saved_run_export import SavedRunExport

            SavedRunExport(window, reading.path, exporter)
        window.show()
    return window


def open_runs_window(
    list_runs: Callable[[], Sequence[RunRow]],
    *,
    settings_path: Path | None,
    window: RunsWindow | None = None,
    keeping: Keeping | None = None,
) -> RunsWindow:
    """Show the saved runs. `list_runs` is called in a worker thread, now and whenever the list is refreshed."""
    from app.views.runs.runs_window import RunsWindow

    window = window or RunsWindow(settings_path=settings_path)
    if not window.is_closed:
        window.show_runs(list_runs, keeping)
        window.show()
    return window
