"""Pieces of code with what each has said, live as it comes; what the environment holds now; interrupt and restart."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from app.core.code_seen import PieceSeen, ending_at, pieces_at, variables_at
from app.core.describe import CALL_STATES
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import SIDE, Row, RowsModel, RowsView
from app.views.programs.programs_panel import CALL_TONES
from app.views.style import mark
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.fitted_text import FittedText
from app.views.widgets.text_flow import Outside, Words

NO_CODE = "Each piece of code that the model writes appears here, with what it says while it runs."
NO_VARIABLES = "Names that the code leaves behind appear here after each piece."
LOST = "The process was ended: no variables are left"
NAMES = {"py": "Python", "js": "JavaScript"}
_FIRST_LINE_CHARS = 120


class CodePanel(InspectorPanel):
    """The newest piece is shown until another is chosen; buttons act on the environment of the piece that is shown.

    Signals:
        act_wanted: the language, and what is to be done: ``interrupt`` or ``restart``.
    """

    act_wanted = Signal(str, str)

    def __init__(self, model: MomentSource, parent: QWidget | None = None) -> None:
        super().__init__(model, "Code", parent)
        self._shown: tuple[str, str] | None = None
        self.source = FittedText("The piece of code", numbered=True, parent=self)
        self.output = FittedText("What the code says", parent=self)
        self.pieces = RowsModel(self)
        self.pieces_view = self._list("Pieces of code", self.pieces, NO_CODE)
        self.variables = RowsModel(self)
        self.variables_view = self._list("Variables now", self.variables, NO_VARIABLES)
        self.variables_head = _heading("Variables now", self)
        self.interrupt_button = self._button("Interrupt", "interrupt", "End the piece that runs; variables stay")
        self.restart_button = self._button("Restart", "restart", "End the process with all of its variables")
        self.column.addWidget(self._parts(), 1)
        self.pieces_view.selectionModel().selectionChanged.connect(lambda *_: self._show_piece())

    def refresh(self) -> None:
        moment = self._model.moment
        pieces = pieces_at(moment)
        self.pieces.show_rows([_piece_row(piece) for piece in pieces])
        if not self.pieces_view.selectionModel().hasSelection():
            self.pieces_view.scrollToBottom()
        running = sum(piece.state == "running" for piece in pieces)
        self.say_summary(f"{len(pieces):,}{' · running' if running else ''}" if pieces else "")
        self._show_piece()

    def shown_text(self) -> str:
        """What stands in the panel, in plain letters."""
        rows = [model.row(at).words for model in (self.pieces, self.variables) for at in range(model.rowCount())]
        return "\n".join(
            [*rows, self.source.text.shown_text(), self.output.text.shown_text(), self.variables_head.text()]
        )

    @property
    def piece(self) -> PieceSeen | None:
        """The piece that is shown: the chosen one, else the newest."""
        chosen = self.pieces_view.selectionModel().selectedIndexes()
        count = self.pieces.rowCount()
        subject = self.pieces.row(chosen[0].row() if chosen else count - 1).subject if count else None
        return subject if isinstance(subject, PieceSeen) else None

    def _show_piece(self) -> None:
        piece = self.piece
        said = piece.said if piece is not None else ""
        code = piece.code.rstrip("\n") if piece is not None else ""
        shown, self._shown = self._shown, (code, said)
        if shown is None or shown[0] != code:
            self.source.text.set_value(code)
            self.source.fit()
        if shown is None or shown[1] != said:
            pictures = piece.pictures if piece is not None else 0
            count = f"{pictures:,} picture{'s' if pictures > 1 else ''} · " if pictures else ""
            self.output.text.set_value(said, (Words(count + "says ", "dim", "small"),))
            self.output.text.turn_to_end()
            self.output.fit()
        self.source.setVisible(bool(code))
        self.output.setVisible(bool(said))
        self._show_variables(piece)

    def _show_variables(self, piece: PieceSeen | None) -> None:
        moment = self._model.moment
        language = piece.language if piece is not None else "py"
        known = variables_at(moment.timeline, moment.seq, language)
        rows = [
            Row("", "dim", (Outside(one.name, strong=True), Words("  "), Outside(one.kind, tone="dim"), Words("  "),
                            Outside(one.shown)))
            for one in (known.variables if known is not None else ())
        ]  # fmt: skip
        if known is not None and known.left_out:
            rows.append(Row(f"and {known.left_out:,} more", "dim"))
        self.variables.show_rows(rows)
        head = f"Variables now · {NAMES[language]}" if piece is not None else "Variables now"
        self.variables_head.setText(LOST if known is not None and known.lost else head)
        runs = piece is not None and piece.state == "running"
        live = bool(getattr(self._model, "live", False)) and moment.ended is None
        self.interrupt_button.setVisible(live)
        self.restart_button.setVisible(live)
        ending = runs and ending_at(moment.timeline, moment.seq, language)
        self.interrupt_button.setEnabled(live and runs and not ending)
        self.restart_button.setEnabled(live and not ending and (runs or (known is not None and not known.lost)))
        self.interrupt_button.setText("Ending…" if ending else "Interrupt")

    def _on_act(self, act: str) -> None:
        if (piece := self.piece) is not None:
            self.act_wanted.emit(piece.language, act)

    def _parts(self) -> QSplitter:
        parts = QSplitter(Qt.Orientation.Vertical, self)
        parts.setChildrenCollapsible(False)
        shares = {self.pieces_view: 4, self.source: 9, self.output: 7, self._variables_part(): 8}
        for at, (part, share) in enumerate(shares.items()):
            parts.addWidget(part)
            parts.setStretchFactor(at, share)
        parts.setSizes([10 * share for share in shares.values()])
        return parts

    def _variables_part(self) -> QWidget:
        part = QWidget(self)
        part.setProperty("bare", True)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, SIDE, 0)
        head.addWidget(self.variables_head, 1)
        head.addWidget(self.interrupt_button)
        head.addWidget(self.restart_button)
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.variables_view, 1)
        return part

    def _button(self, words: str, act: str, tip: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setAutoDefault(False)
        button.setEnabled(False)
        button.setToolTip(tip)
        button.clicked.connect(lambda: self._on_act(act))
        return button

    def _list(self, name: str, rows: RowsModel, empty: str) -> RowsView:
        view = RowsView(name, self)
        view.setModel(rows)
        view.setMinimumHeight(28)
        EmptyWords(view, empty)
        return view


def _heading(words: str, parent: QWidget) -> QLabel:
    heading = QLabel(words, parent)
    heading.setContentsMargins(SIDE, 0, 0, 0)
    # The buttons beside it never make the panel wider.
    heading.setMinimumWidth(40)
    mark(heading, role="secondary")
    return heading


def _piece_row(piece: PieceSeen) -> Row:
    first = next((line.strip() for line in piece.code.splitlines() if line.strip()), "")[:_FIRST_LINE_CHARS]
    runs = (Words(NAMES[piece.language]), Words("  "), Outside(first, tone="dim"))
    return Row(CALL_STATES[piece.state], CALL_TONES.get(piece.state, "dim"), runs, f"turn {piece.call.turn}", piece)
