"""The floor of asking: the SDK's toolset in a worker thread, a plain `QDialog` with one scaled picture, a future back.

``python -m tests.benchmarks.ask_floor COUNT`` prints the times in milliseconds as JSON. With `live` after it the window
shows a live picture beside the dialog, as the console does: decoded in a thread of its own, 30 times a second.
"""

import asyncio
import json
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, cast

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPaintEvent, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QLabel, QMainWindow, QPlainTextEdit, QVBoxLayout

from tests.benchmarks.pictures import picture

WARMING = 3
STAND_STILL_MS = 600
"""As long as the console's card stands before it takes an answer: both wait, so both run equally cold."""

FRAMES_A_SEC, DIFFERENT_FRAMES = 30, 8

Settle = Callable[[bool], None]


class Box(QDialog):
    """Notes when it has been painted first, and is then clicked by itself."""

    def __init__(self, parent: QMainWindow, asked_ns: int, words: str, picture: QImage, times: "Times") -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._asked_ns = asked_ns
        self._times = times
        self._seen = False
        column = QVBoxLayout(self)
        column.addWidget(QLabel("The model asks to click"))
        column.addWidget(QPlainTextEdit(words))
        shown = QLabel()
        scaled = picture.scaled(
            640, 400, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        shown.setPixmap(QPixmap.fromImage(scaled))
        column.addWidget(shown)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Yes | QDialogButtonBox.StandardButton.No)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        column.addWidget(self._buttons)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._seen:
            self._seen = True
            QTimer.singleShot(0, self, self._painted)

    def _painted(self) -> None:
        self._times.painted.append((time.monotonic_ns() - self._asked_ns) / 1e6)
        QTimer.singleShot(STAND_STILL_MS, self, self._press)

    def _press(self) -> None:
        button = self._buttons.button(QDialogButtonBox.StandardButton.Yes)
        QTest.mousePress(button, Qt.MouseButton.LeftButton)
        self._times.clicked_ns = time.monotonic_ns()
        QTest.mouseRelease(button, Qt.MouseButton.LeftButton)


class LivePicture(QLabel):
    """Shows the newest picture that its thread has decoded, until it is stopped."""

    decoded = Signal(QImage)

    def __init__(self, parent: QMainWindow) -> None:
        super().__init__(parent)
        self._stopped = threading.Event()
        self.decoded.connect(self._show)
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def _work(self) -> None:
        frames = [picture(number) for number in range(DIFFERENT_FRAMES)]
        number = 0
        while not self._stopped.wait(1 / FRAMES_A_SEC):
            number += 1
            self.decoded.emit(QImage.fromData(frames[number % DIFFERENT_FRAMES]))

    def _show(self, image: QImage) -> None:
        self.setPixmap(QPixmap.fromImage(image))

    def stop(self) -> None:
        """Show nothing more."""
        self._stopped.set()
        self._thread.join()


class Times:
    """What was measured, in milliseconds, beside the time of the newest click."""

    def __init__(self) -> None:
        self.painted: list[float] = []
        self.entered: list[float] = []
        self.clicked_ns = 0


class Gate(QObject):
    """Brings a question from the worker's thread into the window's."""

    ask = Signal(object, object, object)
    done = Signal()

    def __init__(self, window: QMainWindow, times: Times) -> None:
        super().__init__(window)
        self._window = window
        self._times = times
        self._picture = QImage(1280, 800, QImage.Format.Format_RGB32)
        self._picture.fill(Qt.GlobalColor.darkCyan)
        self.ask.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self.done.connect(QApplication.quit, Qt.ConnectionType.QueuedConnection)

    def _show(self, asked_ns: int, words: str, settle: Settle) -> None:
        box = Box(self._window, asked_ns, words, self._picture, self._times)
        box.finished.connect(lambda result: settle(result == QDialog.DialogCode.Accepted))
        box.open()


class Driver:
    """Has one member, which does nothing."""

    def __init__(self, times: Times) -> None:
        self._times = times

    async def state(self) -> Any:
        """The SDK's tab list."""
        return {"tabs": [{"id": "1", "title": "t", "url": "http://127.0.0.1/", "active": True}]}

    async def click(self, action: Any) -> str:
        """Notes how long ago the button was released."""
        self._times.entered.append((time.monotonic_ns() - self._times.clicked_ns) / 1e6)
        return "Clicked."


async def _ask_all(gate: Gate, times: Times, count: int) -> None:
    from openai.lib.browser import AsyncBrowserToolset
    from openai.types.responses import ResponseFunctionToolCall

    loop = asyncio.get_running_loop()

    async def confirm(context: Any) -> bool:
        asked_ns = time.monotonic_ns()
        answer: asyncio.Future[bool] = loop.create_future()
        words = json.dumps(context["arguments"])
        gate.ask.emit(asked_ns, words, lambda given: loop.call_soon_threadsafe(answer.set_result, given))
        return await answer

    tools = AsyncBrowserToolset(cast(Any, Driver(times)), members=["click"], confirm=confirm)
    for number in range(count + WARMING):
        call = ResponseFunctionToolCall(
            type="function_call",
            call_id=f"c{number}",
            name="browser_click",
            arguments='{"tab_id": null, "target": "e1"}',
            status="completed",
            id=f"f{number}",
        )
        await tools.execute(call)


def measure(count: int, *, live: bool = False) -> dict[str, list[float]]:
    """Ask `count` times, after a few to warm up; `live`: beside a live picture."""
    qapp = QApplication([])
    qapp.setQuitOnLastWindowClosed(False)
    window = QMainWindow()
    window.resize(1440, 900)
    showing = LivePicture(window) if live else None
    if showing is not None:
        window.setCentralWidget(showing)
    window.show()
    times = Times()
    gate = Gate(window, times)

    def work() -> None:
        try:
            asyncio.run(_ask_all(gate, times, count))
        finally:
            gate.done.emit()

    thread = threading.Thread(target=work)
    QTimer.singleShot(300, thread.start)
    qapp.exec()
    thread.join()
    if showing is not None:
        showing.stop()
    return {"painted": times.painted[WARMING:], "entered": times.entered[WARMING:]}


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), live="live" in sys.argv[2:])))
