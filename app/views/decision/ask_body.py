"""What a question is about, top to bottom: facts, arguments, big values, safety checks, picture. Shared with replay."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from app.core.ask import Ask
from app.core.code_change import CODE_KINDS
from app.core.evidence import Evidence, PatchFacts, SafetyCheck
from app.core.offer import Offer
from app.core.patching import NO_END
from app.core.untrusted import page_count
from app.core.value import call_digest
from app.views.decision.arguments import Entry, entries_of, lead_of, lines_of, value_of, with_code
from app.views.decision.crop import CropView, CutReader, cut_for
from app.views.decision.facts import lines_after, lines_before
from app.views.decision.offer_panel import OfferPanel
from app.views.style import colour, theme
from app.views.theme import Tone
from app.views.widgets.outside_text import OutsideCanvas, OutsideText
from app.views.widgets.text_flow import Line, Outside, Run, Stop, Words

GAP = 8
MOST_CHANGE_ROWS = 400
IRREVERSIBLE = "A rule of this run says that it cannot be taken back"
UNDERSTOOD = "It cannot be taken back: read and understood"
DIFFERENT = "This one is different from those you have allowed in a row"
SEEN = "It is different: seen"
OWN_DESKTOP = "I confirm: this run may see and use my own desktop, not one made for it"
CONFIRMED = "This is my own desktop: confirmed"


class Tick(QAbstractButton):
    """A box to tick; never ticked beforehand, and a held key does nothing to it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFixedSize(20, 20)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return QSize(20, 20)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat():
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = colour("accent") if self.hasFocus() else QColor(theme().edge)
        painter.setPen(QPen(edge, 2 if self.hasFocus() else 1))
        painter.drawRoundedRect(self.rect().adjusted(2, 2, -3, -3), 3, 3)
        if self.isChecked():
            painter.setPen(QPen(colour("text"), 2))
            painter.drawPolyline([QPointF(6, 10), QPointF(9, 13.5), QPointF(14.5, 6)])


class AskBody(QWidget):
    """One ask, drawn once; it knows which parts of itself have been on screen.

    Signals:
        changed: a part has been seen, a check ticked, the picture painted.
    """

    changed = Signal()

    def __init__(self, ask: Ask | None, width: int, *, with_ticks: bool, parent: QWidget | None = None) -> None:
        """`width` in pixels, fixed. `with_ticks`: safety checks are to be ticked one by one.

        `ask`: None when it comes later, by `put`; the widgets that each ask needs are there already then.

        Raises:
            ValueError: what would be shown is not what was asked.
        """
        super().__init__(parent)
        self._width = width
        self._with_ticks = with_ticks
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(GAP)
        self._readers: list[CutReader] = []
        self.facts = OutsideCanvas(self)
        self.facts.setAccessibleName("What is asked")
        self.facts.end_seen.connect(self.changed)
        self._box.addWidget(self.facts)
        self._made_crop: CropView | None = CropView(self)
        self._made_crop.hide()
        self.setFixedWidth(width)
        if ask is not None:
            self.put(ask)

    def put(self, ask: Ask) -> None:
        """Show this ask; once.

        Raises:
            ValueError: what would be shown is not what was asked.
        """
        self.ask = ask
        self._entries = entries_of(ask.arguments)
        if ask.kind in CODE_KINDS:
            self._entries = with_code(self._entries)
        self._shown_digest = call_digest(ask.member, value_of(self._entries))
        if self._shown_digest != ask.digest:
            raise ValueError("what would be shown is not what was asked")
        self.facts.set_lines([*lines_before(ask), *lines_of(self._entries), *lines_after(ask)])
        self.facts.fix_width(self._width)
        bigs = [entry for entry in self._entries if entry.is_big]
        self.big_values = [self._big(entry.text, lead_of(entry), code=entry.is_code) for entry in bigs]
        self.change = self._change(ask.evidence.patch)
        self.ticks = [self._check(at, check, self._with_ticks) for at, check in enumerate(ask.checks)]
        self.last_tick = self._last_tick(self._with_ticks)
        differs = ask.habit is not None and ask.habit.must_tick
        self.difference_tick = self._own_tick(DIFFERENT, SEEN, self._with_ticks) if differs else None
        self.crop = self._crop(ask.evidence)
        self.crop_before = self._crop_before()
        self.offer = self._offer(ask.offer, with_pick=self._with_ticks)

    @property
    def shown_digest(self) -> str:
        """Digest of member and arguments as they are read back from what is shown."""
        return self._shown_digest

    @property
    def takes_keys(self) -> bool:
        """Whether anything in it can have the keyboard."""
        own = (self.last_tick, self.difference_tick, self.offer)
        return bool(self.big_values or self.ticks) or any(one is not None for one in own)

    @property
    def entries(self) -> list[Entry]:
        """The arguments as rows."""
        return self._entries

    def shown_text(self) -> str:
        """Everything that is painted, in plain letters; marks stand in ``⟦ ⟧``."""
        canvases = [child for child in self.findChildren(OutsideCanvas) if child is not self.facts]
        return "\n".join([self.facts.shown_text(), *(canvas.shown_text() for canvas in canvases)])

    def unseen(self) -> str | None:
        """What has to be looked at before Allow, in words; None when all of it has been on screen."""
        if not self.facts.has_seen_end():
            return "scroll to the end of the question first"
        if any(not value.has_seen_end() for value in self.big_values):
            return "read each long value to its end first"
        if self.change is not None and not self.change.has_seen_end():
            return "read what changes in the file to its end first"
        if any(not tick.isChecked() for tick in self.ticks):
            return "tick each safety check first"
        if self.last_tick is not None and not self.last_tick.isChecked():
            words = "this is your own desktop" if self.ask.kind == "own_desktop" else "it cannot be taken back"
            return f"tick that {words} first"
        if self.difference_tick is not None and not self.difference_tick.isChecked():
            return "tick that you have seen what is different first"
        if self.crop is not None and self.crop.failed:
            return "its picture cannot be shown, so it cannot be allowed"
        if self.crop is not None and not self.crop.was_painted:
            return "the picture has not been shown yet"
        return None

    def read_picture(self, blob: Callable[[str], bytes]) -> None:
        """Fetch the picture's bytes by digest and show the cut; returns at once."""
        if self._readers:
            return
        shown = [(self.ask.evidence, self.crop)]
        if self.ask.replaces is not None:
            shown.append((self.ask.replaces.evidence, self.crop_before))
        for evidence, crop in shown:
            if crop is not None and evidence.picture is not None:
                reader = CutReader(blob, evidence.picture.digest, crop.cut)
                reader.ready.connect(crop.set_image)
                self._readers.append(reader)
                reader.start()

    def _big(self, value: str, lead: tuple[Run, ...], *, code: bool = False) -> OutsideText:
        text = OutsideText("Value in full", numbered=code, parent=self)
        marked = self.ask.code_change.lines if code and self.ask.code_change is not None else ()
        text.set_value(value, lead, marked=marked)
        text.fix_width(self._width)
        text.end_seen.connect(self.changed)
        self._box.addWidget(text)
        return text

    def _change(self, patch: PatchFacts | None) -> OutsideCanvas | None:
        """What a patch really changes, line by line; a change of very many lines stands in pages instead."""
        if patch is None or not patch.change:
            return None
        rows = patch.change.split("\n")
        lead = Words("What changes in the file", "dim", "small")
        if len(rows) > MOST_CHANGE_ROWS or page_count(patch.change) > 1:
            self.big_values.append(self._big(patch.change, (lead,)))
            return None
        canvas = OutsideCanvas(self)
        canvas.setAccessibleName("What changes in the file")
        canvas.set_lines([Line((lead,)), *map(_change_line, rows[2:])])
        canvas.fix_width(self._width)
        canvas.end_seen.connect(self.changed)
        self._box.addWidget(canvas)
        return canvas

    def _offer(self, offer: Offer | None, *, with_pick: bool) -> OfferPanel | None:
        if offer is None:
            return None
        panel = OfferPanel(offer, self._width, with_pick=with_pick, parent=self)
        self._box.addWidget(panel)
        return panel

    def _check(self, at: int, check: SafetyCheck, with_tick: bool) -> Tick:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        tick = Tick(self)
        tick.setAccessibleName(f"Safety check {at + 1}: read and acknowledged")
        tick.setVisible(with_tick)
        tick.toggled.connect(self.changed)
        row.addWidget(tick, 0, Qt.AlignmentFlag.AlignTop)
        canvas = OutsideCanvas(self)
        canvas.set_lines(_check_lines(at, check, len(self.ask.checks)))
        canvas.fix_width(self._width - (28 if with_tick else 0))
        canvas.end_seen.connect(self.changed)
        row.addWidget(canvas, 1)
        self._box.addLayout(row)
        if check.message is not None and page_count(check.message) > 1:
            self.big_values.append(self._big(check.message, (Words(f"Message of check {at + 1}", "dim", "small"),)))
        return tick

    def _last_tick(self, with_tick: bool) -> Tick | None:
        if self.ask.kind == "own_desktop":
            return self._own_tick(OWN_DESKTOP, CONFIRMED, with_tick)
        return self._own_tick(IRREVERSIBLE, UNDERSTOOD, with_tick) if self.ask.irreversible else None

    def _own_tick(self, words: str, spoken: str, with_tick: bool) -> Tick:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        tick = Tick(self)
        tick.setAccessibleName(spoken)
        tick.setVisible(with_tick)
        tick.toggled.connect(self.changed)
        row.addWidget(tick, 0, Qt.AlignmentFlag.AlignTop)
        canvas = OutsideCanvas(self)
        canvas.set_lines([Line((Words(words, "danger"),))])
        canvas.fix_width(self._width - (28 if with_tick else 0))
        row.addWidget(canvas, 1)
        self._box.addLayout(row)
        return tick

    def _crop_before(self) -> CropView | None:
        """What the question that this one stands for was shown with; nothing that must be seen before Allow."""
        if self.ask.replaces is None:
            return None
        caption = OutsideCanvas(self)
        caption.set_lines(
            [Line((Words("Above as it is now; below as it was with the last question", "dim", "small"),))]
        )
        caption.fix_width(self._width)
        self._box.addWidget(caption)
        return self._crop(self.ask.replaces.evidence)

    def _crop(self, evidence: Evidence) -> CropView | None:
        cut = cut_for(evidence, self._width - 2)
        if cut is None:
            return None
        crop, self._made_crop = self._made_crop or CropView(self), None
        crop.frame(evidence, cut)
        crop.painted.connect(self.changed)
        self._box.addWidget(crop)
        crop.show()
        return crop


def _change_line(row: str) -> Line:
    """One row of a unified diff: the sign is the console's own, the rest is the file's."""
    if row.startswith("@@"):
        return Line((Words(row, "dim", "small"),))
    if row == NO_END:
        # No row of the file begins so: each has a sign or a space before it.
        return Line((Stop(3), Words(row.removeprefix("\\ "), "dim", "small")))
    tone: Tone = "clear" if row.startswith("+") else "danger" if row.startswith("-") else "text"
    sign = {"+": "+", "-": "\u2212"}.get(row[:1], "")
    runs: list[Run] = [Words(sign, tone), Stop(3)] if sign else [Stop(3)]
    return Line((*runs, Outside(row[1:], "block", tone=tone)) if row[1:] else tuple(runs))


def _check_lines(at: int, check: SafetyCheck, count: int) -> list[Line]:
    head: list[Run] = [Words(f"Check {at + 1} of {count}  ", "dim", "small")]
    head.append(Outside(check.code, strong=True) if check.code is not None else Words("no code", "dim"))
    head += [Words("  "), Outside(check.check_id, tone="dim")]
    message = check.message
    said = (Words("no message", "dim"),) if message is None else (Outside(message, "block", quoted=True),)
    return [Line(tuple(head)), Line(said)]
