"""From the start of the process to the first painted window: the program against a bare Qt window, in turn."""

import json
import os
import subprocess
import sys
import time
from typing import Any

from tests.benchmarks.rows import Fact, Line, Row, hand_over, median

ROUNDS = 15

BARE = """
import sys, time, json
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

class Bare(QMainWindow):
    seen = False
    def paintEvent(self, event):
        super().paintEvent(event)
        if not self.seen:
            self.seen = True
            QTimer.singleShot(0, told)

def told():
    print(json.dumps({"at": time.time(), "loaded": []}), flush=True)
    qapp.quit()

qapp = QApplication([])
window = Bare()
window.setCentralWidget(QLabel("console"))
window.resize(1440, 900)
window.show()
qapp.exec()
"""

# What it imports first is on the program's own way to its first window.
PRODUCT = """
import sys, time, json, os
from PySide6.QtCore import QTimer
from app.views.window import ConsoleWindow
HEAVY = ("openai", "playwright", "qasync", "asyncio", "sqlite3", "uvicorn", "starlette", "PIL", "mss", "pydantic")
paint = ConsoleWindow.paintEvent
seen = []

def painted(window, event):
    paint(window, event)
    if not seen:
        seen.append(window)
        QTimer.singleShot(0, told)

def told():
    at = time.time()
    print(json.dumps({"at": at, "loaded": [name for name in HEAVY if name in sys.modules]}), flush=True)
    os._exit(0)

ConsoleWindow.paintEvent = painted
from app.start import main
main(sys.argv[1:])
"""


def measure() -> list[Line]:
    """The demo's window and a bare one in turn, each in a process of its own."""
    floor: list[float] = []
    product: list[float] = []
    loaded: set[str] = set()
    for number in range(ROUNDS + 1):
        bare, _ = _start(BARE)
        console, found = _start(PRODUCT, "demo")
        if number:
            floor.append(bare)
            product.append(console)
        loaded.update(found)
    late = sorted(loaded & {"openai", "playwright"})
    words = f"loaded before it although heavy: {', '.join(late)}" if late else "openai and playwright come after it"
    rest = ", ".join(sorted(loaded - {"openai", "playwright"})) or "nothing else that is heavy"
    return [
        Row("first painted window, `demo` / bare Qt window", median(floor), median(product), 1.25, ROUNDS),
        Fact(f"first paint: {words}; loaded before it: {rest}"),
    ]


def _start(code: str, *arguments: str) -> tuple[float, list[str]]:
    began = time.time()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=60,
        env=_environment(),
    )
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[0])
    return (said["at"] - began) * 1e3, said["loaded"]


def _environment() -> dict[str, str]:
    """The data folder is found as it is on a machine where nobody named one."""
    named = dict(os.environ)
    if home := named.pop("SIGNALBOX_HOME", None):
        named["XDG_DATA_HOME"] = home
    return named


if __name__ == "__main__":
    hand_over(measure)
