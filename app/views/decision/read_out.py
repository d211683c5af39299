"""What a screen reader is told of a card: the question itself once it is on the screen, and why Allow is off."""

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from app.views.decision.card import Card

MOST_CHARS = 1200
"""So much is read out by itself; all of it stands on the card, part by part."""
_OFF = "Allow is off"


class ReadOut(QObject):
    """Lives as long as the question's own body. Says nothing twice."""

    def __init__(self, card: Card) -> None:
        super().__init__(card.body)
        self._card = card
        self.said: list[str] = []
        """What has been read out, oldest first."""
        card.body.changed.connect(self._soon)
        card.arming.changed.connect(self._soon)
        # Not before the card has been painted: these words are nothing that its first picture should wait for.
        if card.was_painted:
            QTimer.singleShot(0, self, self._read)
        else:
            card.seen.connect(self._read)

    def _read(self) -> None:
        card = self._card
        asked = card.body.shown_text()
        words = "\n".join((card.accessibleName(), asked, card.deny_words.text()))
        if len(words) > MOST_CHARS:
            words = f"{words[:MOST_CHARS]}… and more: read it part by part"
        card.setAccessibleDescription(words)
        self._say(words)

    def _soon(self) -> None:
        # The card refreshes its own line under the same signal.
        QTimer.singleShot(0, self, self._say_why_off)

    def _say_why_off(self) -> None:
        words = self._card.state.text()
        if words.startswith(_OFF):
            self._say(words)

    def _say(self, words: str) -> None:
        if self._card.isVisible() and words not in self.said:
            self.said.append(words)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._card, words))
