"""Two pictures with the words above each and the choice of how they are shown."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.views.compare.picture_pair import Mode, PicturePair, Side
from app.views.style import mark
from app.views.widgets.elided_label import ElidedLabel

MODES: dict[Mode, tuple[str, str]] = {
    "side": ("Side by side", "Both in full"),
    "slider": ("Slider", "The first to the left of a line that you move, the second to the right of it"),
    "blink": ("Blink", "One, then the other"),
    "difference": ("Difference", "Bright where they differ"),
}


class PairPanel(QWidget):
    """The pictures, what each is, and four buttons of which one is down."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pair_panel")
        self.setAccessibleName("Two pictures against each other")
        self.captions = (ElidedLabel(parent=self), ElidedLabel(parent=self))
        for caption in self.captions:
            mark(caption, role="secondary")
        self.pair = PicturePair(self)
        self.buttons: dict[Mode, QPushButton] = {}
        self._group = QButtonGroup(self)
        self.modes = QHBoxLayout()
        self.modes.setSpacing(6)
        for mode, (words, purpose) in MODES.items():
            button = QPushButton(words, self)
            button.setObjectName(f"mode_{mode}")
            button.setToolTip(purpose)
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _checked=False, mode=mode: self.set_mode(mode))
            self._group.addButton(button)
            self.buttons[mode] = button
            self.modes.addWidget(button)
        self.modes.addStretch(1)
        above = QHBoxLayout()
        above.setSpacing(12)
        for caption in self.captions:
            above.addWidget(caption, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self.modes)
        column.addLayout(above)
        column.addWidget(self.pair, 1)
        self.set_mode("side")

    def set_mode(self, mode: Mode) -> None:
        """Show them in this way from now on."""
        self.buttons[mode].setChecked(True)
        self.pair.set_mode(mode)

    def show_sides(self, left: Side, right: Side, words: tuple[str, str]) -> None:
        """Show these two, with the console's words above each."""
        for caption, said in zip(self.captions, words, strict=True):
            caption.say(said)
        self.pair.show_sides(left, right)

    def close_down(self) -> None:
        """End the workers."""
        self.pair.close_down()
