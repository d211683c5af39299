"""Ties a window to a running run: what the run records is shown, what a person says reaches it, and closing ends it."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer

from app.core.ask import Ask
from app.core.events import DecisionMade, Recorded, RunResumed, RunStarted
from app.core.live import RunHandle
from app.core.looks import is_look
from app.gate.inbox import AskInbox
from app.views.card_keys import CardKeys
from app.views.debugger.debugger import Debugger
from app.views.decision.presenter import DecisionPresenter
from app.views.models.timeline_model import TimelineModel
from app.views.run_bridge import RunBridge
from app.views.run_controls import WindowControls
from app.views.saying import Saying
from app.views.stop_all import joined
from app.views.switching import ShortTurns
from app.views.window import ConsoleWindow

CLOSED = "the window was closed"
ALL_STOPPED = "all runs were stopped at once"

BROKEN_RULES = "The rules of the run file could not be read: there are none in force, and everything is asked"

TELL_MS = 33
"""Panels are told of new events this often at most: a step writes some twenty, and each telling paints anew."""


def call_place(model: TimelineModel, ask: Ask) -> tuple[int, int] | None:
    """Which call of its turn, of how many, `ask` is about; None when the call is not on record.

    The console's own looks at the page stand among the calls and are none of the model's.
    """
    of_turn = [call.proposed.call_id for call in model.timeline.calls if call.turn == ask.turn]
    calls = [call_id for call_id in of_turn if not is_look(call_id)]
    return (calls.index(ask.call_id) + 1, len(calls)) if ask.call_id in calls else None


def _rules_broke(started: RunStarted) -> bool:
    return isinstance(started.plan, dict) and bool(started.plan.get("broken_rules"))


class LiveRun(QObject):
    """The window stays until the run has drained; while it drains, the window says so and nothing can be allowed."""

    def __init__(self, window: ConsoleWindow, model: TimelineModel, handle: RunHandle, inbox: AskInbox) -> None:
        super().__init__(window)
        self._window = window
        self._model = model
        self._handle = handle
        self._inbox = inbox
        self._ended = False
        self._closing = False
        self.presenter = DecisionPresenter(
            window, inbox, handle.blobs, handle.frames, call_place=lambda ask: call_place(model, ask)
        )
        self.debugger = Debugger(window, model, handle, inbox)
        self._title = window.windowTitle()
        self.presenter.waiting_changed.connect(self._say_waiting)
        self._telling = QTimer(self)
        self._telling.setSingleShot(True)
        self._telling.setInterval(TELL_MS)
        self._telling.timeout.connect(model.tell)
        ShortTurns.take()
        self.bridge = RunBridge(handle, inbox, self)
        self.bridge.recorded.connect(self._on_recorded)
        self.bridge.ask_announced.connect(self._on_ask_announced)
        self.presenter.opened.connect(self.bridge.card_came)
        self.bridge.ask_held.connect(self._on_ask_held)
        self.bridge.ask_settled.connect(self.presenter.ask_settled)
        self.bridge.ask_settled.connect(self.debugger.ask_settled)
        if window.stage is not None:
            self.bridge.frame_ready.connect(self._on_frame_ready)
            self.presenter.begins.connect(window.stage.picture.wait)
            self.presenter.opened.connect(window.stage.picture.go_on)
            self.presenter.opened.connect(window.stage.on_frame_ready)
        self.bridge.finished.connect(self._on_finished)
        window.stop_wanted.connect(lambda: self.stop())
        Saying(window, handle, self.bridge)
        window.may_close = self.may_close
        undo_wanted = getattr(window.docks["rules"].panel, "undo_wanted", None)
        if undo_wanted is not None:
            undo_wanted.connect(handle.undo_rule)
        cancel_wanted = getattr(window.docks["programs"].panel, "cancel_wanted", None)
        if cancel_wanted is not None:
            cancel_wanted.connect(handle.by_hand.cancel_job)
        act_wanted = getattr(window.docks["code"].panel, "act_wanted", None)
        if act_wanted is not None:
            act_wanted.connect(handle.by_hand.act_on_code)
        CardKeys(self.presenter, self.debugger, WindowControls(window, model, handle.by_hand))
        self._leave_all = joined(lambda: self.stop(ALL_STOPPED))
        window.closed.connect(self._leave_all)
        self.bridge.start()
        window.press_early_key()

    def _on_recorded(self, records: Sequence[Recorded]) -> None:
        self._model.fold(records)
        if any(isinstance(one.event, RunStarted) and _rules_broke(one.event) for one in records):
            self._window.say_notes([BROKEN_RULES])
        # Of a run that was resumed, what an earlier process wrote comes first, and is no news.
        resumed = [at for at, one in enumerate(records) if isinstance(one.event, RunResumed)]
        news = records[resumed[-1] :] if resumed else records
        if any(isinstance(one.event, DecisionMade) and one.event.decision.withdrawn for one in news):
            self.presenter.say_withdrawn()
        if not self._telling.isActive():
            self._telling.start()

    def _on_frame_ready(self) -> None:
        # A card on its way to the screen comes first; the newest picture is painted right after it.
        if self._window.stage is not None and not self.presenter.opening:
            self._window.stage.on_frame_ready()

    def _on_ask_announced(self, ask: Ask) -> None:
        if self._telling.isActive():
            # The card comes first here too.
            self._telling.start()
        self.presenter.ask_announced(ask)
        if not self.presenter.opening:
            self.bridge.card_came()

    def _on_ask_held(self, ask: Ask) -> None:
        # The card comes first: the panels are painted after it, not before.
        self._telling.start()
        if ask.step is not None:
            self.debugger.ask_held(ask)
        else:
            self.presenter.ask_held(ask)

    def _say_waiting(self, waiting: int) -> None:
        """The window's title says how many questions wait, also where only a task bar shows it."""
        self._window.setWindowTitle(f"({waiting:,}) {self._title}" if waiting else self._title)

    def stop(self, detail: str = "") -> None:
        """Let nothing new start; what runs is drained and saved, and the window stays."""
        self._say_stopping()
        self._handle.request_stop("person", detail)

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
        ShortTurns.give_back()
        self._leave_all()
        self._telling.stop()
        self._model.tell()
        self._model.stopped_writing()
        if words := self._handle.unrecorded:
            self._window.say_notes([f"The end of this run is not on record: {words}"])
        self.debugger.finished()
        self.presenter.nothing_comes()
        if self._closing:
            self._window.close()
