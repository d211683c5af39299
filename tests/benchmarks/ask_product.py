"""Asking in the console: its window with the live picture on, its session, gate and inbox, its card.

``python -m tests.benchmarks.ask_product COUNT`` prints the times in milliseconds as JSON.
"""

import asyncio
import json
import sys
import time
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtTest import QTest

from app.core.ask import Ask
from app.core.events import AskRaised, DecisionMade, Recorded
from app.gate.inbox import AskInbox
from app.views.bridge import run_window
from app.views.decision.card import Card
from app.views.window import ConsoleWindow
from tests.benchmarks.ask_floor import WARMING
from tests.benchmarks.folder import work_folder
from tests.benchmarks.scene import Scene, session_on
from tests.benchmarks.service import plan_for, served

LOOK_AGAIN_MS = 5


class Times:
    """What happened to each ask, monotonic nanoseconds by ask id; `decision_ms` is how long each record took.

    An ask counts from its announcement, which comes before it is written and shown.
    """

    def __init__(self) -> None:
        self.asked: dict[str, int] = {}
        self.recorded: dict[str, int] = {}
        self.painted: dict[str, int] = {}
        self.pictured: dict[str, int] = {}
        self.clicked: list[int] = []
        self.decision_ms: list[float] = []

    def on_announced(self, ask: Ask) -> None:
        """In the run's thread, before anything of it is written or shown."""
        self.asked[ask.ask_id] = time.monotonic_ns()

    def on_recorded(self, recorded: Recorded) -> None:
        """In the run's thread, right after the event is durable."""
        now = time.monotonic_ns()
        if isinstance(recorded.event, AskRaised):
            self.recorded[recorded.event.ask.ask_id] = now
        elif isinstance(recorded.event, DecisionMade):
            self.decision_ms.append((now - recorded.mono_ns) / 1e6)


def _watch_cards(times: Times) -> None:
    paint = Card.paintEvent

    def painted(card: Card, event: QPaintEvent) -> None:
        ask_id = card.ask.ask_id
        if ask_id not in times.painted:
            times.painted[ask_id] = 0
            # Before the card's own: what it begins once it has been painted is not part of the paint.
            QTimer.singleShot(0, card, lambda: first_painted(card))
        paint(card, event)

    def first_painted(card: Card) -> None:
        times.painted[card.ask.ask_id] = time.monotonic_ns()
        crop = card.body.crop
        assert crop is not None
        crop.painted.connect(lambda: times.pictured.setdefault(card.ask.ask_id, time.monotonic_ns()))
        look(card)

    def look(card: Card) -> None:
        if not card.allow_button.isEnabled():
            QTimer.singleShot(LOOK_AGAIN_MS, card, lambda: look(card))
            return
        QTest.mousePress(card.allow_button, Qt.MouseButton.LeftButton)
        times.clicked.append(time.monotonic_ns())
        QTest.mouseRelease(card.allow_button, Qt.MouseButton.LeftButton)

    setattr(Card, "paintEvent", painted)  # noqa: B010 - a method of the product, watched from outside


async def _run(window: ConsoleWindow, count: int, times: Times) -> dict[str, list[float]]:
    from app.views.application import open_live_window

    scene = Scene()
    steps = count + WARMING
    folder = work_folder()
    with served(folder, "click", {"target": "e1"}, steps) as service:
        inbox = AskInbox()
        session = session_on(
            scene, plan_for("click", steps), service, inbox, folder / f"asks-{time.time_ns()}.signalbox"
        )
        session.subscribe(times.on_recorded)
        inbox.hear_announced(times.on_announced)
        open_live_window(session, inbox, settings_path=None, window=window)
        session.start()
        await asyncio.to_thread(session.join)
        window.close()
        await window.wait_closed()
    if len(scene.entered) != steps:
        raise ValueError(f"{len(scene.entered)} of {steps} clicks were done: {session.ended}")
    asked = list(times.asked)[WARMING:]
    entered = zip(scene.entered, times.clicked, strict=True)
    return {
        "painted": [(times.painted[ask] - times.asked[ask]) / 1e6 for ask in asked],
        "recorded": [(times.recorded[ask] - times.asked[ask]) / 1e6 for ask in asked],
        "left": [(times.painted[ask] - times.recorded[ask]) / 1e6 for ask in asked],
        "pictured": [(times.pictured[ask] - times.asked[ask]) / 1e6 for ask in asked if ask in times.pictured],
        "entered": [(done - clicked) / 1e6 for done, clicked in entered][WARMING:],
        "decision": times.decision_ms[WARMING:],
    }


def measure(count: int) -> dict[str, list[float]]:
    """Ask `count` times, after a few to warm up."""
    times = Times()
    _watch_cards(times)
    made: list[ConsoleWindow] = []
    found: list[dict[str, list[float]]] = []

    def first(_qapp: Any) -> ConsoleWindow:
        made.append(ConsoleWindow())
        made[0].show()
        return made[0]

    async def main(_qapp: Any) -> int:
        found.append(await _run(made[0], count, times))
        return 0

    run_window(main, first=first)
    return found[0]


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
