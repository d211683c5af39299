"""A saved run to replay, and a bare checkpoint of the SDK as a file."""

import json
from pathlib import Path
from typing import Any

from app.core.evidence import Blob
from app.core.timeline import Timeline
from app.ledger.store import RunLedger
from app.replay.source import ReplaySource
from tests.unit.app.ledger.made_up import Click, SdkRun, StandingClock, data_url, png, run_ended, run_started


def save_run(path: Path, *, clicks: int = 4) -> Path:
    """A finished run: each click asked with a picture, the third one denied, and one checkpoint a click."""
    run = SdkRun()
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        for number in range(1, clicks + 1):
            blob = Blob(png(number, width=60, height=40), "image/png")
            click = Click(number, blob, verdict="deny" if number == 3 else "allow")
            for event in click.steps()[: 3 if number == 3 else 5]:
                ledger.append(event, [blob])
            ledger.save_checkpoint(run.checkpoint("boundary"))
        ledger.append(run_ended())
    return path


def checkpoint(**changes: Any) -> dict[str, Any]:
    """The SDK's checkpoint of a run of two turns: a page read that came back, and a click that was refused."""
    state = {"tabs": [{"id": "1", "title": "Book", "url": "http://127.0.0.1:80", "active": True}]}
    report = {"version": 1, "text": "Book a table", "elements": [], "omitted": {}}
    read = {"ok": True, "state": state, "result": report}
    refused = {"ok": False, "state": state, "error": NOT_APPROVED}
    found = {
        "version": 1,
        "run_id": "run-1",
        "revision": 7,
        "phase": "boundary",
        "max_steps": 20,
        "consumed_requests": 2,
        "tools": [{"type": "function", "name": "browser_click"}],
        "output_override_names": [],
        "history": [
            {"role": "user", "content": "Book a table"},
            called("c1", "browser_read_page", "{}"),
            output("c1", [{"type": "input_text", "text": json.dumps(read)}]),
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Now I click."}]},
            called("c2", "browser_click", '{"ref":"e1"}'),
            called("c3", "browser_screenshot", "{}"),
            output("c2", [{"type": "input_text", "text": json.dumps(refused)}]),
            output("c3", [{"type": "input_text", "text": '{"ok": true}'}, image(data_url(png(5)))]),
            {"role": "user", "content": [{"type": "input_text", "text": "Go on"}]},
        ],
        "attempted_call_ids": ["c1", "c2", "c3"],
        "returned_call_ids": ["c1", "c2", "c3"],
        "pending_items": [],
        "returned_outputs": [],
        "final_response": None,
    }
    return {**found, **changes}


NOT_APPROVED = "Browser action was not approved. Do not retry it unless the user asks."


def called(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"type": "function_call", "id": f"f{call_id}", "call_id": call_id, "name": name, "arguments": arguments}


def output(call_id: str, parts: list[Any]) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": parts}


def image(url: str) -> dict[str, Any]:
    return {"type": "input_image", "detail": "auto", "image_url": url}


def write_json(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def fold(source: ReplaySource) -> Timeline:
    timeline = Timeline()
    for recorded in source.events:
        timeline.apply(recorded)
    return timeline
