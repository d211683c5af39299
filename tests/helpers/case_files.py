"""Reads the case files that tests share."""

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "cases"


def spoofing_cases() -> list[dict[str, Any]]:
    """Text that tries to deceive whoever reads it, with what must be visible."""
    return list(json.loads((_FOLDER / "text_spoofing.json").read_text("ascii"))["cases"])


def case_value(case: dict[str, Any]) -> Any:
    """The outside value of a case, big ones spelled out."""
    value = case["string"]
    if isinstance(value, dict) and "repeat" in value:
        return value["repeat"] * value["times"]
    if isinstance(value, dict) and "points" in value:
        return [{"x": number % 1280, "y": number % 800} for number in range(value["points"])]
    return value
