"""A window, a clock that stands still, and cards over the window."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.live import LiveFrame
from app.views.decision.card import Card
from app.views.style import appearance
from tests.views.decision.clock import StillClock
from tests.views.decision.office import Office
from tests.views.decision.samples import Blobs, page_picture


class CardDesk:
    """Opens cards over a window and keeps what they answered."""

    def __init__(self, qtbot: QtBot, window: QMainWindow, clock: StillClock) -> None:
        self._qtbot = qtbot
        self.window = window
        self.clock = clock
        self.picture = page_picture()
        self.blobs = Blobs(self.picture)
        self.answers: list[Answer] = []
        self.newest: LiveFrame | None = None

    def open(self, ask: Ask, *, armed: bool = True, call_place: tuple[int, int] | None = None) -> Card:
        """A card for `ask`, on screen and active; `armed` lets the first half second pass."""
        card = Card(self.window, blob=self.blobs.blob, live=lambda: self.newest, clock=self.clock.clock)
        card.put(ask, call_place=call_place)
        card.answered.connect(self.answers.append)
        card.open()
        self._qtbot.waitUntil(lambda: card.isActiveWindow() and card.isVisible(), timeout=60_000)
        if not card.scrolls:
            self._qtbot.waitUntil(card.body.facts.has_seen_end, timeout=60_000)
            self._qtbot.waitUntil(lambda: _picture_settled(card), timeout=60_000)
        if armed:
            self.arm(card)
        return card

    def arm(self, card: Card) -> None:
        """Let the arming delay pass."""
        self._qtbot.waitUntil(card.isActiveWindow)
        self.clock.pass_ms(600)
        card.arming.check()

    @property
    def verdicts(self) -> list[str]:
        """What was answered so far."""
        return [answer.verdict for answer in self.answers]


def _picture_settled(card: Card) -> bool:
    crop = card.body.crop
    return crop is None or crop.was_painted or crop.failed


@pytest.fixture
def still_clock() -> StillClock:
    return StillClock()


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Iterator[QMainWindow]:
    appearance(qapp)
    main = QMainWindow()
    qtbot.addWidget(main)
    main.resize(1000, 860)
    with qtbot.waitActive(main):
        main.show()
    yield main
    main.close()


@pytest.fixture
def desk(qtbot: QtBot, window: QMainWindow, still_clock: StillClock) -> Iterator[CardDesk]:
    made = CardDesk(qtbot, window, still_clock)
    yield made
    for card in window.findChildren(Card):
        card.withdraw()


@pytest.fixture
def office(qtbot: QtBot, window: QMainWindow, still_clock: StillClock) -> Iterator[Office]:
    made = Office(qtbot, window, still_clock)
    yield made
    made.close()
