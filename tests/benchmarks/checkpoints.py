"""A growing run as the SDK hands it over: five checkpoints a step, each a copy of the whole history.

Copies share their strings, as the SDK's own do.
"""

import json
from collections.abc import Iterator
from typing import Any

from tests.benchmarks.pictures import data_url

SAVES_A_STEP = 5
DIGEST_CHARS = 64

TOOLS = [
    {
        "type": "function",
        "name": f"browser_member_{number}",
        "strict": True,
        "description": "One member of the toolset, in about as many words as a real one has. " * 2,
        "parameters": {
            "type": "object",
            "properties": {"tab_id": {"type": ["string", "null"]}},
            "required": ["tab_id"],
            "additionalProperties": False,
        },
    }
    for number in range(20)
]


class GrowingRun:
    """One screenshot a step; `picture_from` keeps two runs' pictures apart."""

    def __init__(self, picture_from: int = 0) -> None:
        self.steps = 0
        self.revision = 0
        self._picture_from = picture_from
        self._history: list[Any] = [{"role": "user", "content": "Look at each page in turn."}]
        self._attempted: list[str] = []
        self._returned: list[str] = []

    def step(self) -> Iterator[dict[str, Any]]:
        """The checkpoints of the next step, in order."""
        call_id = f"call_{self.steps}"
        call = {
            "type": "function_call",
            "id": f"fc_{self.steps}",
            "call_id": call_id,
            "name": "browser_screenshot",
            "arguments": '{"tab_id":null}',
            "status": "completed",
        }
        output = self._output(call_id)
        yield self._checkpoint("boundary")
        yield self._checkpoint("pending", [call])
        self._attempted = [*self._attempted, call_id]
        yield self._checkpoint("pending", [call])
        self._returned = [*self._returned, call_id]
        yield self._checkpoint("pending", [call], [output])
        self._history = [*self._history, call, output]
        self.steps += 1
        yield self._checkpoint("boundary")

    def _output(self, call_id: str) -> dict[str, Any]:
        state = {"tabs": [{"id": "1", "title": f"Page {self.steps}", "url": "http://127.0.0.1/", "active": True}]}
        image = {"type": "input_image", "detail": "auto", "image_url": data_url(self._picture_from + self.steps)}
        text = {"type": "input_text", "text": json.dumps({"ok": True, "state": state})}
        return {"type": "function_call_output", "call_id": call_id, "output": [text, image]}

    def _checkpoint(
        self, phase: str, pending: list[Any] | None = None, outputs: list[Any] | None = None
    ) -> dict[str, Any]:
        self.revision += 1
        whole: dict[str, Any] = {
            "version": 1,
            "run_id": "growing",
            "revision": self.revision,
            "phase": phase,
            "max_steps": 2000,
            "consumed_requests": self.steps,
            "tools": TOOLS,
            "output_override_names": [],
            "history": self._history,
            "attempted_call_ids": self._attempted,
            "returned_call_ids": self._returned,
            "pending_items": pending or [],
            "returned_outputs": outputs or [],
            "final_response": None,
        }
        copy: dict[str, Any] = detached(whole)
        return copy

    def unique_bytes(self) -> int:
        """What has to be stored at least: each picture's bytes and each item's JSON once, pictures named by digest."""
        total = len(json.dumps(TOOLS))
        for item in self._history:
            text = json.dumps(item, separators=(",", ":"))
            for part in item.get("output", []):
                if part["type"] == "input_image":
                    encoded = len(part["image_url"].partition(",")[2])
                    total += encoded * 3 // 4
                    text = text.replace(part["image_url"], "0" * DIGEST_CHARS)
            total += len(text)
        return total


def detached(value: Any) -> Any:
    """A copy that shares nothing but strings and numbers."""
    if isinstance(value, dict):
        return {key: detached(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [detached(entry) for entry in value]
    return value
