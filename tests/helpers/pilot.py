"""A person at the window, for tests: waits for cards and presses their buttons with real mouse events."""

import asyncio
from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.ask import Ask
from app.views.decision.ask_body import Tick
from app.views.decision.card import Card
from app.views.window import ConsoleWindow

Press = Literal["allow", "deny", "stop"]

PATIENCE_SECS = 300.0
LOOK_EVERY_SECS = 0.01
"""A person looks at the screen again and again; nothing is assumed about when something appears."""


class Pilot:
    """Answers the cards of one window. Every press is a mouse click on a visible, enabled button."""

    def __init__(self, window: ConsoleWindow) -> None:
        self.window = window
        self.asked: list[Ask] = []

    async def until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait until the screen shows something; fails by naming it."""
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE_SECS
        while not condition():
            assert loop.time() < end, f"never seen: {what}"
            await asyncio.sleep(LOOK_EVERY_SECS)

    def card(self) -> Card | None:
        """The card on the screen, if there is one."""
        cards = [one for one in self.window.findChildren(Card) if one.isVisible()]
        assert len(cards) <= 1, "two cards at once"
        return cards[0] if cards else None

    async def next_card(self) -> Card | None:
        """The next card, or None when the run ended without one."""
        await self.until(lambda: self.card() is not None or self.ended(), "a card or the end")
        return self.card()

    def ended(self) -> bool:
        """Whether the window shows that the run has ended."""
        model = self.window.model
        return model is not None and (model.moment.ended is not None or not model.live)

    async def press(self, card: Card, press: Press) -> None:
        """Click a button of `card` as soon as it can be clicked, and wait until the card is gone."""
        button = {"allow": card.allow_button, "deny": card.deny_button, "stop": card.stop_button}[press]
        self.asked.append(card.ask)
        if press == "allow":
            for tick in card.findChildren(Tick):
                QTest.mouseClick(tick, Qt.MouseButton.LeftButton)
        await self.until(button.isEnabled, f"{press} enabled on the card for {card.ask.kind}")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await self.until(lambda: self.card() is not card, "the card closing")

    async def answer_all(self, choose: Callable[[Ask], Press]) -> None:
        """Answer every card until the run has ended."""
        while (card := await self.next_card()) is not None:
            await self.press(card, choose(card.ask))
