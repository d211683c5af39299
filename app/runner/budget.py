"""The SDK's context budget from a run file: what is left out of a request when it would grow too large."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.core.plan import ContextBudgetPlan

NO_LIMIT = 2**53 - 1
"""The SDK wants both limits; this is the largest that it takes."""

SHRINK_TO = 0.75
"""Once something must be left out, so much of the byte limit stays: what a request begins with then changes rarely."""

_RECEIPTS = 400
"""Bytes of the words around the receipts; each receipt is counted twice, since it stands in JSON within JSON."""

_CALLS = frozenset({"function_call", "computer_call"})
_OUTPUTS = frozenset({"function_call_output", "computer_call_output"})


def context_budget(plan: ContextBudgetPlan | None) -> Any:
    """The budget for ``iterate``, or None. Over a limit, the oldest calls that may go are left out first."""
    if plan is None:
        return None
    pictures = NO_LIMIT if plan.max_input_images is None else plan.max_input_images
    most_bytes = plan.max_input_bytes or NO_LIMIT
    return {
        "max_input_bytes": most_bytes,
        "max_input_images": pictures,
        # More to keep than may be sent is a budget that no request can meet.
        "keep_recent_screenshots": max(1, min(plan.keep_recent_screenshots, pictures)),
        "compact": LeftOut(most_bytes, pictures),
    }


class LeftOut:
    """Chooses which finished calls are left out: what was once left out stays so, and then the oldest go first.

    Calls without a picture stay where only the pictures are too many.
    """

    def __init__(self, most_bytes: int, most_pictures: int) -> None:
        self._most_bytes = most_bytes
        self._most_pictures = most_pictures
        self._left_out: frozenset[str] = frozenset()

    def __call__(self, snapshot: Mapping[str, Any]) -> dict[str, Any]:
        """The SDK's ``compact``: the history is the whole conversation, whatever was left out of it before."""
        eligible: Sequence[str] = snapshot["eligible_call_ids"]
        costs = _costs(snapshot["history"])
        left_out = [call_id for call_id in eligible if call_id in self._left_out]
        size = snapshot["input_bytes"] + _RECEIPTS - sum(costs[call_id][0] for call_id in left_out)
        pictures = snapshot["input_images"] - sum(costs[call_id][1] for call_id in left_out)
        too_large = size > self._most_bytes
        for call_id in eligible:
            bytes_over = too_large and size > self._most_bytes * SHRINK_TO
            pictures_over = pictures > self._most_pictures
            if not bytes_over and not pictures_over:
                break
            if call_id in self._left_out or not (bytes_over or costs[call_id][1]):
                continue
            left_out.append(call_id)
            size -= costs[call_id][0]
            pictures -= costs[call_id][1]
        self._left_out |= frozenset(left_out)
        return {"drop_call_ids": [call_id for call_id in eligible if call_id in self._left_out]}


def _costs(history: Iterable[Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """What leaving a call out saves, by its id: bytes without those of its receipt, and pictures."""
    saved: dict[str, tuple[int, int]] = {}
    for item in history:
        kind = item.get("type")
        if kind not in _CALLS and kind not in _OUTPUTS:
            continue
        size, pictures = saved.get(str(item["call_id"]), (0, 0))
        size += len(json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode())
        if kind in _CALLS:
            named = {key: item[key] for key in ("call_id", "name") if key in item} | {"kind": kind}
            size -= 2 * len(json.dumps(named))
        saved[str(item["call_id"])] = size, pictures + _pictures(item)
    return saved


def _pictures(item: Mapping[str, Any]) -> int:
    if item.get("type") == "computer_call_output":
        return 1
    output = item.get("output")
    return sum(block.get("type") == "input_image" for block in output) if isinstance(output, list) else 0
