"""The row that offers to allow the same again until the run ends, and says beforehand exactly how far that reaches."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QWidget

from app.core.describe import member_phrase
from app.core.scope import RunScope
from app.core.value import canonical_json
from app.views.decision.buttons import AllowButton
from app.views.widgets.outside_text import OutsideCanvas
from app.views.widgets.text_flow import Line, Outside, Run, Words

_BUTTON_WIDTH = 150
_SHOWN_CHARS = 2000
_TALLEST_WORDS, _BAR_WIDTH = 150, 14
"""Pixels, with room for an element that says where it leads.

A page chooses how long its labels are; it must not push the answers off the screen.
"""


class ForRunRow(QWidget):
    """The scope in words, and the button beside it. Its words take no press and can be read before the button works.

    Signals:
        chosen: the button was pressed and released, deliberately.
    """

    chosen = Signal()

    def __init__(self, width: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._width = width
        self.scrolls = False
        """Whether its words stand behind a scroll bar."""
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self.words = OutsideCanvas(self)
        self.words.setAccessibleName("What would be allowed for this run")
        self.button = AllowButton("Allow for this run", "clear", self)
        self.button.setFixedWidth(_BUTTON_WIDTH)
        self.button.chosen.connect(self.chosen)
        self._row.addWidget(self.words, 1, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)

    def offer(self, scope: RunScope) -> None:
        """Offer to allow this; once."""
        self.words.set_lines(scope_lines(scope))
        self.words.fix_width(self._width - _BUTTON_WIDTH - 8)
        if self.words.height() > _TALLEST_WORDS:
            self._put_behind_bar()
        self.show()

    def _put_behind_bar(self) -> None:
        """So many words count as read at their end only."""
        self.scrolls = True
        self._row.removeWidget(self.words)
        holder = QScrollArea(self)
        holder.setFrameShape(QScrollArea.Shape.NoFrame)
        holder.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        holder.setFixedSize(self.words.width(), _TALLEST_WORDS)
        holder.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.words.fix_width(self.words.width() - _BAR_WIDTH)
        holder.setWidget(self.words)
        self.words.setAutoFillBackground(False)
        self._row.insertWidget(0, holder, 1, Qt.AlignmentFlag.AlignTop)


def scope_lines(scope: RunScope) -> list[Line]:
    """What `scope` names, and where it ends."""
    phrase = member_phrase(scope.source, scope.member)
    runs: list[Run] = [Words(phrase)] if phrase is not None else [Words("Call "), Outside(scope.member, strong=True)]
    if scope.label:
        runs += [Words(": this "), Outside(scope.role), Words(" "), Outside(scope.label, quoted=True)]
        runs += [Words(" and no other of that name")]
    if scope.row:
        runs += [Words(" while its row reads the same")]
    if scope.origin:
        runs += [Words(" on "), Outside(scope.origin, strong=True)]
    if scope.frame_origin and scope.frame_origin != scope.origin:
        runs += [Words(" in a frame of "), Outside(scope.frame_origin, strong=True)]
    if scope.leads:
        runs += [Words(" leading to "), Outside(scope.leads)]
    if scope.arguments:
        written = canonical_json(scope.arguments).decode("ascii")
        runs += [Words(" with exactly "), Outside(written[:_SHOWN_CHARS], tone="dim")]
        if len(written) > _SHOWN_CHARS:
            runs.append(Words(" … and so on, as shown above"))
    place = "until this page is left" if scope.origin else "in this run only"
    limits = f"At most {scope.uses} more times, for {scope.minutes} minutes, {place}; a denial ends it"
    return [Line(tuple(runs), label="For this run"), Line((Words(limits, "dim", "small"),), label="")]
