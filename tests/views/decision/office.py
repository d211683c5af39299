"""A real inbox whose asks are held on a loop of its own, and a presenter over a window with text fields."""

import asyncio

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QPlainTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.ports import InboxClosed
from app.gate.inbox import AskInbox
from app.views.decision.attention import Attention
from app.views.decision.card import Card
from app.views.decision.presenter import DecisionPresenter
from tests.views.decision.clock import StillClock
from tests.views.decision.samples import Blobs


class Crossing(QObject):
    """Hands what the inbox tells on to the window's loop, as the program's bridge does."""

    announced = Signal(object)
    held = Signal(object)
    settled = Signal(str)

    def ask_held(self, held: Ask) -> None:
        """Pass on."""
        self.held.emit(held)

    def ask_settled(self, ask_id: str) -> None:
        """Pass on."""
        self.settled.emit(ask_id)


class Office:
    """A real inbox whose asks are held on an asyncio loop of its own, a presenter, a window with two text fields."""

    def __init__(self, qtbot: QtBot, window: QMainWindow, clock: StillClock) -> None:
        self._qtbot = qtbot
        self.window = window
        self.clock = clock
        inside = QWidget()
        column = QVBoxLayout(inside)
        self.field, self.page = QLineEdit(), QPlainTextEdit()
        self.button = QWidget()
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for widget in (self.button, self.field, self.page):
            column.addWidget(widget)
        window.setCentralWidget(inside)
        self.button.setFocus()
        self.inbox = AskInbox()
        self.crossing = Crossing()
        self.inbox.subscribe(self.crossing)
        self.inbox.hear_announced(self.crossing.announced.emit)
        self.loop = asyncio.new_event_loop()
        self.tasks: dict[str, asyncio.Task[Answer]] = {}
        self.blobs = Blobs()
        # A window of a test before, still on its way out, may count as one where questions wait.
        Attention._waiting.clear()
        self.presenter = DecisionPresenter(window, self.inbox, self.blobs, clock=clock.clock)
        self.crossing.announced.connect(self.presenter.ask_announced, Qt.ConnectionType.QueuedConnection)
        self.crossing.held.connect(self.presenter.ask_held, Qt.ConnectionType.QueuedConnection)
        self.crossing.settled.connect(self.presenter.ask_settled, Qt.ConnectionType.QueuedConnection)
        self.troubles: list[str] = []
        self.presenter.trouble.connect(self.troubles.append)

    def announce(self, asked: Ask) -> None:
        """Let the run say that it is about to ask."""
        self.inbox.announce(asked)
        self.turn()

    def recall(self, asked: Ask) -> None:
        """Let the run say that the question is over, held or not."""
        self.inbox.recall(asked.ask_id)
        self.turn()

    def hold(self, asked: Ask) -> None:
        """Let the run ask."""
        self.tasks[asked.ask_id] = self.loop.create_task(self.inbox.hold(asked))
        self.turn()

    def turn(self) -> None:
        """Let both loops go round."""
        self.loop.run_until_complete(asyncio.sleep(0))
        QApplication.processEvents()
        self.loop.run_until_complete(asyncio.sleep(0))

    def card(self, ask_id: str) -> Card:
        """The armed card for that ask."""
        self._qtbot.waitUntil(lambda: self.presenter.card is not None and self.presenter.card.ask.ask_id == ask_id)
        card = self.presenter.card
        assert card is not None
        self._qtbot.waitUntil(lambda: card.isActiveWindow() and card.body.facts.has_seen_end(), timeout=60_000)
        self.clock.pass_ms(600)
        card.arming.check()
        return card

    def answer_of(self, ask_id: str) -> Answer:
        """What the run got."""
        self.turn()
        return self.loop.run_until_complete(self.tasks.pop(ask_id))

    def close(self) -> None:
        """Let nothing wait."""
        self.presenter.shut()
        self.inbox.close("the window was closed")
        if self.tasks:
            self.loop.run_until_complete(asyncio.wait(self.tasks.values()))
        for task in self.tasks.values():
            assert task.exception() is None or isinstance(task.exception(), InboxClosed)
        self.loop.close()
