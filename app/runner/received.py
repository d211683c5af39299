"""The newest answer as it came over the wire, before the SDK judged it: what it rejects it never shows."""

import json
from typing import Any

import httpx2

from app.core.value import Json

CLOSING_EVENTS = ("response.completed", "response.failed", "response.incomplete")


class Received:
    """Filled from stream events, or from the body where an answer comes in one piece."""

    def __init__(self) -> None:
        self.answer: dict[str, Json] | None = None
        """The response object, or None when no request of this turn has been answered with one."""
        self.error: str | None = None
        """The service's own words for breaking off a stream."""
        self._items: list[Json] = []

    @property
    def anything(self) -> dict[str, Json] | None:
        """The answer, or the items that had come whole when it broke off; None when not even one had."""
        return self.answer or ({"output": self._items} if self._items else None)

    def clear(self) -> None:
        """What came is on record."""
        self.answer, self.error, self._items = None, None, []

    def event(self, event: Any) -> None:
        """One event of a stream."""
        if event.type in CLOSING_EVENTS:
            self.answer = event.response.to_dict(warnings=False)
        elif event.type == "response.output_item.done":
            self._items.append(event.item.to_dict(warnings=False))
        elif event.type == "error":
            message = getattr(event, "message", None)
            self.error = message if isinstance(message, str) else "no reason was given"

    async def response(self, response: httpx2.Response) -> None:
        """A response of the HTTP client; streams are left alone."""
        if response.is_error or "json" not in response.headers.get("content-type", ""):
            return
        try:
            body = json.loads(await response.aread())
        except (ValueError, RecursionError):
            return
        self.answer = body if isinstance(body, dict) else None

    @property
    def broken_off(self) -> str | None:
        """How the service itself says that its answer is not whole; None when it says nothing of the kind."""
        if self.error is not None:
            return f"the model service broke off its answer: {self.error}"
        status = self.answer.get("status") if self.answer else None
        if status == "incomplete":
            return f"the model's answer is incomplete: {self._said('incomplete_details', 'reason')}"
        if status == "failed":
            return f"the model service failed while it answered: {self._said('error', 'message')}"
        return None

    def _said(self, key: str, name: str) -> str:
        part = self.answer.get(key) if self.answer else None
        words = part.get(name) if isinstance(part, dict) else None
        return words if isinstance(words, str) else "no reason was given"
