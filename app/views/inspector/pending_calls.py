"""The calls of the turn that have no output yet, in the order in which they will be asked."""

from PySide6.QtWidgets import QWidget

from app.core.describe import CALL_STATES
from app.core.moment import Moment
from app.core.timeline import CallRecord, CallState
from app.core.value import json_to_read
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import Row, RowsModel, RowsView
from app.views.theme import Tone
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.text_flow import Outside, Run, Words

_TONES: dict[CallState, Tone] = {
    "asked": "hold",
    "allowed": "clear",
    "running": "accent",
    "denied": "danger",
    "answered": "clear",
    "not_done": "danger",
    "partly_done": "hold",
    "may_have_happened": "hold",
}
_WHEN: dict[CallState, str] = {"asked": "now", "next": "same turn"}
_NEVER: dict[CallState, str] = {"next": "never asked", "asked": "no decision", "allowed": "not started"}
"""How far a call had come when the run was over."""

_ARGUMENT_CHARS = 200


class PendingCallsPanel(InspectorPanel):
    """One row a call: state, tool, arguments in short. In full they stand on the card."""

    def __init__(self, model: MomentSource, parent: QWidget | None = None) -> None:
        super().__init__(model, "Pending calls", parent)
        self.rows = RowsModel(self)
        self.view = RowsView("Calls that wait", self)
        self.view.setModel(self.rows)
        self.empty_words = EmptyWords(
            self.view, "Calls that the model wants to make appear here, in the order in which they will be asked."
        )
        self.column.addWidget(self.view)

    def refresh(self) -> None:
        moment = self._model.moment
        calls = moment.pending_calls
        self.rows.show_rows([_row(call, moment) for call in calls])
        self.say_summary(str(len(calls)) if calls else "")

    def chosen_call(self) -> str | None:
        """The id of the chosen call."""
        rows = self.view.selectionModel().selectedIndexes()
        subject = self.rows.row(rows[0].row()).subject if rows else None
        return subject if isinstance(subject, str) else None


def _row(call: CallRecord, moment: Moment) -> Row:
    proposed = call.proposed
    member = f"browser_{proposed.member}" if proposed.source == "browser" else proposed.member
    runs: list[Run] = [Outside(member)]
    arguments = proposed.arguments
    if isinstance(arguments, dict):
        arguments = {key: value for key, value in arguments.items() if value is not None}
    if isinstance(arguments, dict) and len(arguments) == 1 and isinstance(value := next(iter(arguments.values())), str):
        runs += [Words("  "), Outside(value[:_ARGUMENT_CHARS], tone="dim")]
    elif arguments:
        runs += [Words("  "), Outside(json_to_read(arguments)[:_ARGUMENT_CHARS], tone="dim")]
    state, was = moment.state_of(call), call.state_at(moment.seq)
    right = (_NEVER if moment.over else _WHEN).get(was, "")
    return Row(CALL_STATES[state], _TONES.get(state, "dim"), tuple(runs), right, proposed.call_id)
