"""Words about a run that come up beside it, in any thread, and belong on its window at once."""

import threading
from collections.abc import Callable


class Notices:
    """Keeps what was said until somebody listens; then hands on the rest in the thread that says it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said: list[str] = []
        self._listener: Callable[[str], None] | None = None

    def say(self, words: str) -> None:
        """From any thread."""
        with self._lock:
            self._said.append(words)
            listener = self._listener
        if listener is not None:
            listener(words)

    def listen(self, listener: Callable[[str], None]) -> None:
        """`listener` gets what was said already, then all that follows; it must not block."""
        with self._lock:
            said, self._listener = list(self._said), listener
        for words in said:
            listener(words)

    def leave(self) -> None:
        """Nobody listens any more."""
        with self._lock:
            self._listener = None
