"""How old a card's picture is, and whether the screen has become another since."""

import functools
from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.core.ask import Ask
from app.core.live import LiveFrame
from app.views.decision.buttons import Clock
from app.views.decision.screen_change import ScreenChange
from app.views.widgets.short_label import ShortLabel

NO_PICTURE = "No picture was taken with this question"


class AgeLine(ShortLabel):
    """One line of constant words and numbers, true when it was last told to look."""

    def __init__(self, clock: Clock, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("tone", "dim")
        self._clock = clock

    def ask_about(
        self, ask: Ask, asked_ns: int, *, blob: Callable[[str], bytes], live: Callable[[], LiveFrame | None]
    ) -> None:
        """Speak of the picture of this question; before the first `tell`."""
        self._evidence = ask.evidence
        self._asked_ns = asked_ns
        self._live = live
        self._blob = blob

    @functools.cached_property
    def screen_change(self) -> ScreenChange:
        """Compares that picture with the live one; made when there is a newer one."""
        picture = self._evidence.picture
        return ScreenChange(self._blob, picture.digest if picture is not None else "", self)

    def tell(self) -> None:
        """Say it as it is now."""
        picture = self._evidence.picture
        if picture is None:
            self.setText(NO_PICTURE)
            return
        waited_ms = (self._clock.mono_ns() - self._asked_ns) // 1_000_000
        change = self._change()
        words = change if change is not None else "no change seen since the ask"
        self.setText(f"Picture {age_words(picture.age_ms + waited_ms)} old · {words}")
        tone = "dim" if change is None else "hold"
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().polish(self)

    def _change(self) -> str | None:
        """What the live picture says against the one on the card, in words; None when it says nothing."""
        newer, page = self._live(), self._evidence.page
        if newer is None or newer.taken_mono_ns <= self._asked_ns:
            return None
        if page is not None and newer.tab_id == page.tab_id and newer.url and newer.url != page.url:
            return "the page has gone to another address since"
        self.screen_change.look(newer)
        return "the screen has changed since" if self.screen_change.changed else None


def age_words(age_ms: int) -> str:
    """``0.3 s``, ``42 s``, ``3 min``."""
    if age_ms < 10_000:
        return f"{age_ms / 1000:.1f} s"
    return f"{age_ms // 1000} s" if age_ms < 120_000 else f"{age_ms // 60_000} min"
