"""What the run has taken so far: time of the model, the operator and the driver, and tokens."""

from PySide6.QtWidgets import QWidget

from app.core.moment import Moment
from app.core.time_split import time_split, token_count
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import Row, RowsModel, RowsView
from app.views.theme import Tone
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.text_flow import Outside, Words


class FiguresPanel(InspectorPanel):
    """A few rows, as of the cursor."""

    settles_ms = 80

    def __init__(self, model: MomentSource, parent: QWidget | None = None) -> None:
        super().__init__(model, "Figures", parent)
        self.rows = RowsModel(self)
        self.view = RowsView("Time and tokens", self)
        self.view.setModel(self.rows)
        self.empty_words = EmptyWords(
            self.view, "How long model, operator and driver took, and the tokens of the run, appear here."
        )
        self.column.addWidget(self.view)

    def refresh(self) -> None:
        moment = self._model.moment
        self.rows.show_rows(_rows(moment) if moment.seq else [])
        self.say_summary(secs_words(time_split(moment.timeline, moment.seq).whole) if moment.seq else "")


def _rows(moment: Moment) -> list[Row]:
    split, tokens = time_split(moment.timeline, moment.seq), token_count(moment.timeline, moment.seq)
    parts: tuple[tuple[str, int, Tone], ...] = (
        ("model", split.model, "accent"),
        ("operator", split.operator, "hold"),
        ("driver", split.driver, "clear"),
        ("all else", split.other, "dim"),
    )
    rows = [
        Row(name, tone, (Outside(secs_words(millis)),), f"{100 * millis / split.whole:.0f} %" if split.whole else "")
        for name, millis, tone in parts
    ]
    rows.append(Row("tokens", "dim", (Outside(f"{tokens.total:,}"),)))
    if tokens.into_model or tokens.out_of_model:
        rows.append(Row("in, out", "dim", (Outside(f"{tokens.into_model:,}, {tokens.out_of_model:,}"),)))
    if tokens.largest_turn:
        rows.append(Row("largest turn", "dim", (Outside(f"{tokens.largest_turn:,}"), Words(" tokens", "dim"))))
    return rows


def secs_words(millis: int) -> str:
    """``4.2 s``, ``3 min 05 s``."""
    if millis < 60_000:
        return f"{millis / 1000:.1f} s"
    return f"{millis // 60_000:,} min {millis // 1000 % 60:02d} s"
