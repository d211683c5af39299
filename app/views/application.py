"""Opens the windows and ties a live one to its run: the only part of the views that wiring calls, beside the bridge."""

from pathlib import Path

from PySide6.QtCore import QObject

from app.core.live import RunHandle
from app.core.ports import Blobs
from app.core.timeline import Timeline
from app.gate.inbox import AskInbox
from app.views.decision.presenter import DecisionPresenter
from app.views.models.timeline_model import TimelineModel
from app.views.run_bridge import RunBridge
from app.views.window import ConsoleWindow

CLOSED = "the window was closed"


class LiveRun(QObject):
    """Ties one window to one running run. The window outlives the run's thread, and never the other way round."""

    def __init__(self, window: ConsoleWindow, model: TimelineModel, handle: RunHandle, inbox: AskInbox) -> None:
        super().__init__(window)
        self._window = window
        self._model = model
        self._handle = handle
        self._inbox = inbox
        self._ended = False
        self._closing = False
        self.presenter = DecisionPresenter(window, inbox, handle.blobs, handle.frames)
        self.bridge = RunBridge(handle, inbox, self)
        self.bridge.recorded.connect(model.extend)
        self.bridge.ask_held.connect(self.presenter.ask_held)
        self.bridge.ask_settled.connect(self.presenter.ask_settled)
        if window.stage is not None:
            self.bridge.frame_ready.connect(window.stage.on_frame_ready)
        self.bridge.finished.connect(self._on_finished)
        window.stop_wanted.connect(self.stop)
        window.may_close = self.may_close
        self.bridge.start()

    def stop(self) -> None:
        """Let nothing new start; what runs is drained and saved, and the window stays."""
        self._say_stopping()
        self._handle.request_stop("person")

    def may_close(self) -> bool:
        """Whether the run has ended. If not, asking begins to end it, and the window closes when it has."""
        if self._ended:
            self.presenter.shut()
            self.bridge.close()
            return True
        if not self._closing:
            self._closing = True
            self._say_stopping()
            self.presenter.shut()
            self._inbox.close(CLOSED)
            self._handle.request_stop("window_closed", CLOSED)
        return False

    def _say_stopping(self) -> None:
        if self._window.run_header is not None:
            self._window.run_header.say_stopping()

    def _on_finished(self) -> None:
        self._ended = True
        self._model.stopped_writing()
        if self._closing:
            self._window.close()


def first_window(settings_path: Path | None = None) -> ConsoleWindow:
    """A window that shows itself at once and is filled later; for `run_window(first=…)`."""
    window = ConsoleWindow(settings_path=settings_path)
    window.show()
    return window


def open_live_window(
    handle: RunHandle, inbox: AskInbox, *, settings_path: Path | None, window: ConsoleWindow | None = None
) -> ConsoleWindow:
    """Show a running run; `await window.wait_closed()` returns when the window is closed and the run has drained."""
    window = window or ConsoleWindow(settings_path=settings_path)
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
    window: ConsoleWindow | None = None,
) -> ConsoleWindow:
    """Show a saved run, read-only, standing at its first event's end. Nothing is executed and nothing is fetched."""
    window = window or ConsoleWindow(settings_path=settings_path)
    model = TimelineModel(timeline, blobs=blobs, cut_off=cut_off)
    window.show_run(model, run_id=timeline.run.run_id if timeline.run is not None else "")
    window.show()
    return window
