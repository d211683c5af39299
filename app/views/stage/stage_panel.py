"""The stage as a panel: tabs, caption and picture, live while following and recorded everywhere else."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.clock import mono_ns
from app.core.evidence import Box, Point
from app.core.human import TabInput
from app.core.live import LatestFrame, LiveFrame
from app.core.timeline import Frame
from app.replay.frames import Placeholder
from app.views import layout
from app.views.models.timeline_model import TimelineModel
from app.views.stage.control_bar import ControlBar
from app.views.stage.hand import StageHand
from app.views.stage.marks import Marks
from app.views.stage.notices import NoticeBox, cut_off_lines, outcome_lines
from app.views.stage.picture_view import PictureView, Shot
from app.views.stage.reading import UnsafePicture
from app.views.stage.subject import (
    Place,
    aimed_ask,
    live_place,
    live_words,
    place_of,
    recorded_words,
    scale_words,
)
from app.views.stage.tabs import TabStrip, tabs_at
from app.views.style import mark
from app.views.widgets.elided_label import ElidedLabel

AGE_TICK_MS = 500
LEAST_PICTURE, LOW_PICTURE = 60, 44
"""Pixels that its picture has at least; the second where the screen is low."""
NOTHING_YET = "The picture of the driven screen appears here as soon as the run has opened one."
NOTHING_RECORDED = "No picture had been recorded by then. Move on along the timeline."


class StagePanel(QFrame):
    """What it shows is always one of: the newest live picture, the recorded picture of the moment, or words.

    Signals:
        picture_changed: another picture is on the screen.
    """

    picture_changed = Signal()

    def __init__(self, model: TimelineModel, frames: LatestFrame | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setProperty("stage", True)
        self.setAccessibleName("Stage: the driven screen")
        self._model = model
        self._frames = frames
        self._wanted: Any = None
        self._chosen_ref: str | None = None
        self._shown: LiveFrame | Frame | None = None
        self.notices = NoticeBox(self)
        self.notices.setObjectName("notices")
        self.outcome = NoticeBox(self)
        self.outcome.setObjectName("outcome")
        self._low = False
        self.notes: list[str] = []
        self._cut_off_said = False
        self.tabs = TabStrip(self)
        self.caption = ElidedLabel(parent=self)
        self.caption.setObjectName("stage_caption")
        self.age = ElidedLabel(parent=self)
        self.age.setObjectName("stage_age")
        mark(self.age, role="secondary")
        self.picture = PictureView(self)
        self.picture.swapped.connect(self._on_swapped)
        self.control = ControlBar(self)
        self.hand = StageHand(self.picture)
        self.tabs.chosen.connect(lambda tab_id: self.hand.acted.emit(TabInput(tab_id)))
        self._lay_out()
        self._tick = QTimer(self)
        self._tick.setInterval(AGE_TICK_MS)
        self._tick.timeout.connect(self._say_age)
        model.moment_changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        self._line = line = QHBoxLayout()
        line.setContentsMargins(12, 0, 12, 0)
        line.setSpacing(12)
        line.addWidget(self.caption, 1)
        line.addWidget(self.age, 0)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.notices)
        column.addWidget(self.outcome)
        column.addWidget(self.tabs)
        column.addLayout(line)
        column.addWidget(self.control)
        column.addWidget(self.picture, 1)

    def set_low(self, low: bool) -> None:
        """On a low screen all stands closer."""
        self._low = low
        self._column.setContentsMargins(8, 4 if low else 8, 8, 4 if low else 8)
        self._column.setSpacing(4 if low else 6)
        self.picture.setMinimumHeight(LOW_PICTURE if low else LEAST_PICTURE)
        self._place_control()

    def _place_control(self) -> None:
        """A lone button needs no row of its own on a low screen; words do, beside an address they would be cut."""
        beside, at = self._low and not self.control.words.text(), self._column.indexOf(self.control)
        if beside and at >= 0:
            self._column.removeWidget(self.control)
            self._line.addWidget(self.control)
        elif not beside and at < 0:
            self._line.removeWidget(self.control)
            self._column.insertWidget(self._column.indexOf(self.picture), self.control)

    @property
    def showing_live(self) -> bool:
        """Whether the live picture is what belongs on the stage."""
        return self._frames is not None and self._model.following and self._frames.frame is not None

    def on_frame_ready(self) -> None:
        """A newer live picture is in its slot."""
        if self.showing_live:
            self._show_live()

    def choose_element(self, element: object) -> None:
        """Mark an element of the newest page read, as that read reported it; None marks none."""
        ref = element.get("ref") if isinstance(element, dict) else None
        self._chosen_ref = ref if isinstance(ref, str) else None
        self._mark()

    def say_notes(self, notes: Sequence[str]) -> None:
        """What is unusual about the record; stays as long as the window is open."""
        self.notes = list(notes)
        self.notices.say(self.notes)

    def refresh(self) -> None:
        """Show what belongs to the moment."""
        if self._model.cut_off and not self._cut_off_said:
            self._cut_off_said = True
            self.say_notes([*cut_off_lines(self._model.timeline), *self.notes])
        if self.showing_live:
            self._show_live()
        else:
            self._tick.stop()
            self._show_recorded(self._model.moment.frame)
        self.outcome.say(*outcome_lines(self._model.moment))
        self._say_control()
        self._caption()
        self._mark()

    def _say_control(self) -> None:
        moment = self._model.moment
        live = self._frames is not None and self._model.live and self._model.following
        self.control.show_moment(moment, live=live)
        self._place_control()
        self.hand.set_on(live and moment.control == "taken" and moment.ended is None)
        self.tabs.pressable = self.hand.on

    def close_down(self) -> None:
        """Show nothing more; ends the worker."""
        self._tick.stop()
        self.picture.close_down()

    def _show_live(self) -> None:
        frames = self._frames
        if frames is None:
            return
        self._wanted = frames

        def load() -> tuple[bytes, Shot]:
            # Read when the worker gets to it: the newest there is then, whichever frame woke us.
            frame = frames.frame
            if frame is None:
                raise RuntimeError("a live picture was taken back")
            return frame.data, Shot(frame.css_width, frame.css_height, frame)

        self.picture.show_picture(load)
        if not self._tick.isActive() and self._model.live:
            self._tick.start()

    def _show_recorded(self, frame: Frame | None) -> None:
        if frame is None:
            self._wanted = None
            self.picture.show_words(NOTHING_YET if self._model.live and self._model.following else NOTHING_RECORDED)
            self._on_swapped(None)
            return
        if self._wanted == frame:
            return
        self._wanted = frame
        pictures, picture = self._model.pictures, frame.picture

        def load() -> tuple[bytes, Shot]:
            found = pictures.picture(picture.digest)
            if isinstance(found, Placeholder):
                raise UnsafePicture(found.reason)
            return found.data, Shot(picture.css_width, picture.css_height, frame)

        self.picture.show_picture(load)

    def _on_swapped(self, shot: Shot | None) -> None:
        self._shown = shot.label if shot is not None else None
        self._caption()
        self._mark()
        self.picture_changed.emit()

    def _place(self) -> Place | None:
        if isinstance(self._shown, LiveFrame):
            return live_place(self._model.moment, self._shown)
        return place_of(self._model.moment, self._shown) if self._shown is not None else None

    def _caption(self) -> None:
        place = self._place()
        parts = [place.url, place.title] if place is not None else []
        self.caption.quote(" — ".join(part for part in parts if part))
        self.caption.setAccessibleName(f"Page: {self.caption.text() or 'none'}")
        self.tabs.show_tabs(tabs_at(self._model.moment, place))
        self._say_age()

    def _say_age(self) -> None:
        if self._shown is None:
            self.age.say("")
            return
        if isinstance(self._shown, LiveFrame):
            words = live_words(self._shown, mono_ns(), running=self._model.live)
            width = self._shown.width
        else:
            words, width = recorded_words(self._shown), self._shown.picture.width
        placement = self.picture.placement
        shown_width = round(placement.width * self.devicePixelRatioF()) if placement is not None else width
        self.age.say(f"{words} · {scale_words(width, shown_width)}")
        if not self._model.live:
            self._tick.stop()

    def _mark(self) -> None:
        if self._shown is None:
            self.picture.set_marks(Marks())
            return
        moment = self._model.moment
        record = aimed_ask(moment, live=isinstance(self._shown, LiveFrame))
        target: Box | None = None
        points: tuple[Point, ...] = ()
        words = []
        if record is not None:
            evidence = record.ask.evidence
            target = evidence.target.box if evidence.target is not None else None
            points = evidence.points
            words += ["the target of the ask is boxed"] if target else []
            words += ["the place of the pointer is marked"] if points else []
        read = moment.read
        chosen = read.boxes.get(self._chosen_ref) if read is not None and self._chosen_ref is not None else None
        words += [f"the chosen element {self._chosen_ref} is outlined"] if chosen else []
        self.picture.set_marks(Marks(target, points, chosen, "; ".join(words)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.set_low(layout.is_low(self.window()))
