"""Request bodies as a run sends them, for tests of what the scripted model makes of them."""

import base64
import io
import json
from typing import Any

from PIL import Image


def read_output(call_id: str, elements: list[dict[str, str]], *, text: str = "") -> dict[str, Any]:
    """The output of a page read."""
    report = {"ok": True, "state": {"tabs": []}, "result": {"version": 1, "text": text, "elements": elements}}
    return {
        "type": "function_call_output",
        "call_id": call_id,
        "output": [{"type": "input_text", "text": json.dumps(report)}],
    }


def refused_output(call_id: str) -> dict[str, Any]:
    """The output of a refused browser call."""
    return {
        "type": "function_call_output",
        "call_id": call_id,
        "output": [{"type": "input_text", "text": json.dumps({"ok": False, "error": "Not at this time."})}],
    }


def call(call_id: str) -> dict[str, Any]:
    """A call that an output answers."""
    return {"type": "function_call", "call_id": call_id, "name": "browser_read_page", "arguments": "{}"}


def element(ref: str, role: str, label: str) -> dict[str, str]:
    """One element of a page read."""
    return {"ref": ref, "role": role, "label": label}


def picture_output(call_id: str, width: int, height: int) -> dict[str, Any]:
    """A computer output with a picture of this size."""
    data = io.BytesIO()
    Image.new("RGB", (width, height)).save(data, "PNG")
    url = "data:image/png;base64," + base64.b64encode(data.getvalue()).decode("ascii")
    output = {"type": "computer_screenshot", "image_url": url}
    return {"type": "computer_call_output", "call_id": call_id, "output": output}
