"""What a person should know about a record before reading on: what was cut off, and what is unusual about the file."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.core import describe
from app.core.moment import Moment
from app.core.settle import lost_requests, settle
from app.core.timeline import Timeline
from app.core.untrusted import beginning
from app.views.style import mark
from app.views.theme import Tone
from app.views.widgets.yielding import Yielding

MOST_LINES = 6
MOST_CHARS = 300
LEAST_HEIGHT = 32
"""Pixels: two lines; the others are reached by scrolling where the window is low."""


def cut_off_lines(timeline: Timeline) -> list[str]:
    """Each action whose end is not on record, with the words that follow from what is missing."""
    left = [call for call in settle(timeline.events) if not call.on_record]
    said = [describe.left_words(call.source, call.member, call.words, call.about) for call in left]
    lost = lost_requests(timeline.events)
    if lost:
        said.append("A request to the model left without an answer on record" if lost == 1 else f"{lost} requests lost")
    return ["This run was cut off.", *(said or ["It stood between two steps: nothing was left half done."])]


def outcome_lines(moment: Moment) -> tuple[list[str], Tone]:
    """What the world says, set apart from what the model says; of a run that failed, why."""
    ended = moment.ended
    failed = [f"The run failed: {ended.reason}"] if ended is not None and ended.status == "failed" else []
    checked = moment.timeline.outcomes.last(moment.seq)
    if checked is None:
        return failed, "danger" if failed else "dim"
    verdict = "Checked, and it is as it should be" if checked.ok else "Checked, and it is not as it should be"
    said = f"{verdict}: {'; '.join(checked.facts)}" if checked.facts else verdict
    return [*failed, said], "clear" if checked.ok and not failed else "danger"


class NoticeBox(QFrame):
    """Stands above the picture while there is something to say; takes no room otherwise, and never all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self._label = QLabel()
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 4, 8, 4)
        box.addWidget(Yielding(self._label, LEAST_HEIGHT, self))
        self.setVisible(False)

    def text(self) -> str:
        """What is said."""
        return self._label.text()

    def say(self, lines: Sequence[str], tone: Tone = "hold") -> None:
        """Show `lines`, which may hold names from outside; hidden characters are named."""
        mark(self._label, tone=tone)
        kept = [beginning(line, MOST_CHARS) for line in lines[:MOST_LINES]]
        if len(lines) > MOST_LINES:
            kept.append(f"and {len(lines) - MOST_LINES} more")
        self._label.setText("\n".join(kept))
        self._label.setAccessibleName("Notices: " + "; ".join(kept))
        self.setVisible(bool(kept))
