"""What a screen under test tells of what reaches it, to be waited for."""

import threading
from typing import Any


class Heard:
    """Everything told so far, in its order; told from any thread."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._heard: set[int] = set()

    def hear(self, said: dict[str, Any]) -> None:
        """Something was told."""
        with self._news:
            # What was told again although it had been heard counts once.
            if said["number"] not in self._heard:
                self._heard.add(said.pop("number"))
                self.told.append(said)
                self._news.notify_all()

    def clear(self) -> None:
        """Forget what was told so far."""
        with self._news:
            self.told.clear()

    def wait_for(self, secs: float = 30.0, **fields: Any) -> dict[str, Any]:
        """The first thing told that has these fields, also one that is still to come."""

        def found() -> dict[str, Any] | None:
            return next((one for one in self.told if fields.items() <= one.items()), None)

        with self._news:
            assert self._news.wait_for(found, secs), f"never told: {fields}; but {self.told[-20:]}"
            return found() or {}

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Everything of one kind so far."""
        with self._news:
            return [one for one in self.told if one["kind"] == kind]
