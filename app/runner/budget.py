"""The SDK's context budget from a run file: what is left out of a request when it would grow too large."""

from typing import Any

from app.core.plan import ContextBudgetPlan

NO_LIMIT = 2**53 - 1
"""The SDK wants both limits; this is the largest that it takes."""


def context_budget(plan: ContextBudgetPlan | None) -> Any:
    """The budget for ``iterate``, or None. Over the limit, the oldest calls that may go are dropped first."""
    if plan is None:
        return None
    pictures = NO_LIMIT if plan.max_input_images is None else plan.max_input_images
    return {
        "max_input_bytes": plan.max_input_bytes or NO_LIMIT,
        "max_input_images": pictures,
        # More to keep than may be sent is a budget that no request can meet.
        "keep_recent_screenshots": max(1, min(plan.keep_recent_screenshots, pictures)),
        "compact": lambda snapshot: {"drop_call_ids": list(snapshot["eligible_call_ids"])},
    }
