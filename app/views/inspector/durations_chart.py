"""How long each stage took in all: one bar a stage, the longest across the whole width."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.events import DiagnosticReported
from app.views.inspector.rows import SIDE
from app.views.style import colour
from app.views.widgets.text_flow import faces

_ROW, _BAR = 18, 6
_GAP = 10


@dataclass(frozen=True)
class StageTime:
    """One stage of the SDK's diagnostics over a whole run."""

    stage: str
    count: int
    millis: float
    tokens: int

    @property
    def words(self) -> str:
        """``12 times · 1,204 ms · 30,677 tokens``."""
        tokens = f" · {self.tokens:,} tokens" if self.tokens else ""
        return f"{self.count:,} time{'' if self.count == 1 else 's'} · {self.millis:,.0f} ms{tokens}"

    @property
    def figures(self) -> str:
        """The same for the end of a bar: ``12 × · 1,204 ms``."""
        return f"{self.count:,} × · {self.millis:,.0f} ms"


def stage_times(diagnostics: Sequence[DiagnosticReported]) -> list[StageTime]:
    """The stages in the order in which they first came."""
    found: dict[str, StageTime] = {}
    for said in diagnostics:
        before = found.get(said.stage, StageTime(said.stage, 0, 0.0, 0))
        found[said.stage] = StageTime(
            said.stage,
            before.count + 1,
            before.millis + (said.duration_ms or 0.0),
            before.tokens + (said.total_tokens or 0),
        )
    return list(found.values())


class DurationsChart(QWidget):
    """Bars to the same scale, each with its figures; screen readers get them in words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.times: list[StageTime] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Time by stage")

    def show_times(self, times: list[StageTime]) -> None:
        """Show these."""
        if times != self.times:
            self.times = times
            self.setAccessibleDescription("; ".join(f"{time.stage}: {time.words}" for time in times))
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, _ROW * len(self.times))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        known = faces()
        painter.setFont(known.fonts["small"])
        most = max((time.millis for time in self.times), default=0.0) or 1.0
        names = max((known.width(time.stage, "small") for time in self.times), default=0.0)
        figures = max((known.width(time.figures, "small") for time in self.times), default=0.0)
        left = SIDE + names + _GAP
        room = self.width() - left - _GAP - figures - SIDE
        for at, time in enumerate(self.times):
            top = at * _ROW
            painter.setPen(colour("dim"))
            baseline = round(top + (_ROW + known.ascent) / 2 - 1)
            painter.drawText(SIDE, baseline, time.stage)
            painter.drawText(round(self.width() - SIDE - figures), baseline, time.figures)
            if room > 0:
                bar = QRectF(left, top + (_ROW - _BAR) / 2, max(1.0, room * time.millis / most), _BAR)
                painter.fillRect(bar, colour("accent"))
