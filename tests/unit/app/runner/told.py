"""What a run told the model, and what its timeline says of a call."""

import json

from tests.unit.app.runner.harness import Run


def told(run: Run, request: int) -> str:
    """Everything that request `request` (from 1) carried, as text."""
    return json.dumps(run.model.requests[request - 1].body["input"])


def user_texts(run: Run, request: int) -> list[str]:
    """What the user said in it, in order."""
    return [
        item["content"] if isinstance(item["content"], str) else item["content"][0]["text"]
        for item in run.model.requests[request - 1].body["input"]
        if item.get("role") == "user"
    ]


def state_of(run: Run, call_id: str) -> str:
    """The call's last state."""
    call = run.timeline.call(call_id)
    assert call is not None
    return call.state_at(run.timeline.last_seq)
