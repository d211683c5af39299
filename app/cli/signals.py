"""Signals without a window: each asks the run to stop, drain and save, as closing the window does."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


@contextlib.contextmanager
def stopping_on_signals(stop: Callable[[str], None]) -> Iterator[None]:
    """While inside, `stop` is called with the name of each signal that asks the program to end. Main thread only."""

    def on_signal(number: int, _frame: FrameType | None) -> None:
        stop(signal.Signals(number).name)

    numbers = [signal.Signals[name] for name in NAMES if hasattr(signal, name)]
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
