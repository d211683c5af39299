"""Ties the debugger's keys, bar and panel to a live run: commands go to its stepper, going on is an answer."""

import logging
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.live import RunHandle
from app.core.step import StepCommand
from app.gate.inbox import AskInbox
from app.views.commands import make_action
from app.views.models.timeline_model import TimelineModel
from app.views.window import ConsoleWindow

log = logging.getLogger(__name__)

COMMANDS: dict[str, StepCommand] = {
    "debug_run": "run",
    "debug_pause": "pause",
    "debug_step_turn": "step_turn",
    "debug_step_call": "step_call",
    "debug_step_action": "step_action",
}
NOT_SHOWN = "The hold could not be shown as it is"


class Debugger(QObject):
    """Its bar appears with the first command, the first hold, or a run file's breakpoints."""

    def __init__(self, window: ConsoleWindow, model: TimelineModel, handle: RunHandle, inbox: AskInbox) -> None:
        super().__init__(window)
        self._model = model
        self._stepper = handle.stepper
        self._inbox = inbox
        self._waiting: dict[str, Ask] = {}
        assert window.debug_bar is not None
        self.bar = window.debug_bar
        self._pending = getattr(window.docks["pending"].panel, "chosen_call", lambda: None)
        self.actions: dict[str, QAction] = {
            key: make_action(window, key, partial(self.command, command)) for key, command in COMMANDS.items()
        }
        self.actions["debug_run_to"] = make_action(window, "debug_run_to", self.run_to_chosen)
        window.header.add_to_menu(None, *self.actions.values())
        window.header.pause_button.clicked.connect(self.actions["debug_pause"].trigger)
        window.header.pause_button.setToolTip(self.actions["debug_pause"].toolTip())
        window.header.pause_button.setVisible(True)
        self._header = window.header
        self.bar.put_buttons(self.actions)
        control = getattr(window.docks["breakpoints"].panel, "take_control", None)
        if control is not None:
            control(self._stepper)
        if self._stepper.breakpoints:
            self._say_going()

    @property
    def held(self) -> Ask | None:
        """The hold that the run stands in, if it stands in one."""
        return self.bar.ask

    @property
    def next_stop(self) -> str:
        """Where the run is held next, in a few words; empty where it just goes on."""
        return self._stepper.next_stop

    def command_ahead(self, key: str) -> None:
        """What an action of `COMMANDS`, or *Run to here*, asks for, without going on from a hold that stands."""
        if self.held is not None:
            return
        if key in COMMANDS:
            self.command(COMMANDS[key])
        else:
            self.run_to_chosen()

    def command(self, command: StepCommand) -> None:
        """Go on until the command says, from a hold or while the run is going."""
        if command == "pause" and self.held is not None:
            return
        self._stepper.command(command)
        self._go_on()

    def run_to_chosen(self) -> None:
        """Go on to the call that is chosen in the pending calls."""
        call_id = self._pending()
        if isinstance(call_id, str):
            self._stepper.run_to(call_id)
            self._go_on()

    def ask_held(self, ask: Ask) -> None:
        """The run is held."""
        self._waiting[ask.ask_id] = ask
        if self.held is None:
            self._show_next()

    def ask_settled(self, ask_id: str) -> None:
        """The hold was withdrawn: one that was gone on from is not shown any more."""
        self._waiting.pop(ask_id, None)
        if self.held is not None and self.held.ask_id == ask_id:
            self.bar.clear()
            self._show_next()

    def finished(self) -> None:
        """The run has ended."""
        self.bar.clear()
        for action in self.actions.values():
            action.setEnabled(False)
        self._header.pause_button.setVisible(False)
        self.bar.setVisible(False)

    def _go_on(self) -> None:
        held, digest = self.held, self.bar.shown_digest
        self._say_going()
        if held is not None:
            self._waiting.pop(held.ask_id, None)
            self._inbox.answer(held.ask_id, Answer(verdict="allow", by="person", shown_digest=digest))
            self._show_next()

    def _show_next(self) -> None:
        """The oldest hold that waits; calls that run at the same time can be held at the same time."""
        while self._waiting:
            ask = next(iter(self._waiting.values()))
            try:
                self.bar.show_hold(ask)
            except ValueError:
                log.exception("a hold could not be shown")
                del self._waiting[ask.ask_id]
                self._inbox.refuse(ask.ask_id, NOT_SHOWN)
                continue
            self._show_bar()
            return

    def _say_going(self) -> None:
        self.bar.say_going(self._stepper.waits)
        self._show_bar()

    def _show_bar(self) -> None:
        self.bar.setVisible(True)
        # The bar has the same button.
        self._header.pause_button.setVisible(False)
        self.actions["debug_pause"].setEnabled(self.held is None)


class SavedHolds(QObject):
    """Shows in a saved run's bar where the run was held, as long as the cursor stands there."""

    def __init__(self, window: ConsoleWindow, model: TimelineModel) -> None:
        super().__init__(window)
        self._model = model
        assert window.debug_bar is not None
        self._bar = window.debug_bar
        model.moment_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the hold of the moment, or nothing."""
        record = self._model.moment.held
        if record is None:
            self._bar.setVisible(False)
            return
        if self._bar.ask is not record.ask:
            try:
                self._bar.show_hold(record.ask)
            except ValueError:
                log.info("a hold on record does not match its digest and is not shown")
                self._bar.say_going("This hold does not match its record and is not shown")
        self._bar.setVisible(True)
