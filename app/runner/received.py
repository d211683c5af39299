"""The newest answer as it came over the wire, before the SDK judged it: what it rejects it never shows."""

import json
from typing import Any

import httpx2

from app.core.value import Json

CLOSING_EVENTS = ("response.completed", "response.failed", "response.incomplete")


class Received:
    """Filled from stream events, or from the body where an answer comes in one piece."""

    def __init__(self) -> None:
        self._body: dict[str, Json] | None = None
        self._closing: Any = None
        self._done: list[Any] = []
        self.error: str | None = None
        """The service's own words for breaking off a stream."""

    @property
    def answer(self) -> dict[str, Json] | None:
        """The response object, or None when no request of this turn has been answered with one."""
        # Most answers are never asked for: what the SDK takes is recorded as it shows it.
        return self._closing.to_dict(warnings=False) if self._closing is not None else self._body

    @property
    def anything(self) -> dict[str, Json] | None:
        """The answer, or the items that had come whole when it broke off; None when not even one had."""
        items = [item.to_dict(warnings=False) for item in self._done]
        return self.answer or ({"output": items} if items else None)

    def clear(self) -> None:
        """What came is on record."""
        self._body, self._closing, self._done, self.error = None, None, [], None

    def event(self, event: Any) -> None:
        """One event of a stream."""
        if event.type in CLOSING_EVENTS:
            self._closing = event.response
        elif event.type == "response.output_item.done":
            self._done.append(event.item)
        elif event.type == "error":
            message = getattr(event, "message", None)
            self.error = message if isinstance(message, str) else "no reason was given"

    async def response(self, response: httpx2.Response) -> None:
        """A response of the HTTP client; streams are left alone."""
        if not response.is_success or "json" not in response.headers.get("content-type", ""):
            return
        try:
            body = json.loads(await response.aread())
        except (ValueError, RecursionError):
            return
        self._body = body if isinstance(body, dict) else None

    @property
    def broken_off(self) -> str | None:
        """How the service itself says that its answer is not whole; None when it says nothing of the kind."""
        if self.error is not None:
            return f"the model service broke off its answer: {self.error}"
        answer = self.answer
        status = answer.get("status") if answer else None
        if status == "incomplete":
            return f"the model's answer is incomplete: {self._said('incomplete_details', 'reason')}"
        if status == "failed":
            return f"the model service failed while it answered: {self._said('error', 'message')}"
        return None

    def _said(self, key: str, name: str) -> str:
        answer = self.answer
        part = answer.get(key) if answer else None
        words = part.get(name) if isinstance(part, dict) else None
        return words if isinstance(words, str) else "no reason was given"
