"""The rules of the run in order: what each has answered, when last, who wrote it; one of yours can be undone."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.describe import member_phrase
from app.core.rule_use import RuleUse, rule_uses
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import Row, RowsModel, RowsView
from app.views.stage.subject import clock_words
from app.views.theme import Tone
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.text_flow import Outside, Run, Words

EMPTY = "The rules that answer in this run's name appear here, in their order. What none answers is put to you."
_TONES: dict[str, Tone] = {"allow": "clear", "hold": "hold", "deny": "danger"}


class RulesPanel(InspectorPanel):
    """One row a rule. *Undo* takes back what was allowed for the run, at once; the next such ask is put to you.

    Signals:
        undo_wanted: the number of the rule of yours to take back.
    """

    undo_wanted = Signal(int)

    def __init__(self, model: MomentSource, parent: QWidget | None = None) -> None:
        super().__init__(model, "Rules", parent)
        self._pressed: set[str] = set()
        self._undone: set[str] = set()
        self.rows = RowsModel(self)
        self.view = RowsView("Rules in their order", self)
        self.view.setModel(self.rows)
        self.empty_words = EmptyWords(self.view, EMPTY)
        self.column.addWidget(self.view)
        self.undo_button = QPushButton("Undo", self)
        self.undo_button.setAutoDefault(False)
        self.undo_button.setAccessibleName("Take back the chosen rule of yours")
        self.undo_button.clicked.connect(self._on_undo)
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 4)
        row.addStretch(1)
        row.addWidget(self.undo_button)
        self.column.addLayout(row)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._say_undo())
        self._say_undo()

    def refresh(self) -> None:
        moment = self._model.moment
        planned = moment.plan.get("rules") if isinstance(moment.plan, dict) else []
        taken_back = {one.rule for one in moment.timeline.taken_back.upto(moment.seq)}
        self._undone = self._pressed | taken_back
        uses = rule_uses(planned, moment.timeline.asks, moment.seq, resumed_seq=moment.resumed_seq)
        self.rows.show_rows([row for use in uses for row in self._rows(use)])
        self.say_summary(f"{len(uses):,}" if uses else "")
        self._say_undo()

    def _rows(self, use: RuleUse) -> tuple[Row, Row]:
        undone = use.ended or (use.scope is not None and use.name in self._undone)
        word = "ended" if use.ended else "undone" if undone else use.verdict
        hits = f"{use.hits:,} hit" if use.hits == 1 else f"{use.hits:,} hits"
        last = f"last {clock_words(use.last_ms)}, ask {use.example.lstrip('a').lstrip('0')}" if use.hits else ""
        tone = "dim" if undone else _TONES.get(use.verdict, "dim")
        return Row(word, tone, _what(use), hits, use), Row("by", "dim", (Words(use.author, "dim"),), last, use)

    def _chosen(self) -> RuleUse | None:
        rows = self.view.selectionModel().selectedIndexes()
        use = self.rows.row(rows[0].row()).subject if rows else None
        return use if isinstance(use, RuleUse) else None

    def _say_undo(self) -> None:
        use = self._chosen()
        mine = use is not None and use.scope is not None and not use.ended and use.name not in self._undone
        self.undo_button.setEnabled(mine and bool(getattr(self._model, "live", False)))

    def _on_undo(self) -> None:
        use = self._chosen()
        if use is not None and use.scope is not None:
            self._pressed.add(use.name)
            self.undo_wanted.emit(use.number)
            self.refresh()


def _what(use: RuleUse) -> tuple[Run, ...]:
    scope = use.scope
    if scope is None:
        return (Outside(use.text),) if use.text else (Words(f"rule {use.number} of the run file", "dim"),)
    phrase = member_phrase(scope.source, scope.member)
    runs: list[Run] = [Words(phrase)] if phrase is not None else [Outside(scope.member)]
    if scope.label:
        runs += [Words(" "), Outside(scope.label, quoted=True)]
    if scope.origin:
        runs += [Words(" on "), Outside(scope.origin)]
    return tuple(runs)
