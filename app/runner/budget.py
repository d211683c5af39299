"""The SDK's context budget from a run file: what is left out of a request when it would grow too large."""

from typing import Any

from app.core.plan import ContextBudgetPlan

NO_LIMIT = 2**53 - 1
"""The SDK wants both limits; this is the largest that it takes."""


def context_budget(plan: ContextBudgetPlan | None) -> Any:
    """The budget for ``iterate``, or None. Over the limit, the oldest calls that may go are dropped first."""
    if plan is None:
        return None
    return {
        "max_input_bytes": plan.max_input_bytes or NO_LIMIT,
        "max_input_images": NO_LIMIT if plan.max_input_images is None else plan.max_input_images,
        "keep_recent_screenshots": plan.keep_recent_screenshots,
        "compact": lambda snapshot: {"drop_call_ids": list(snapshot["eligible_call_ids"])},
    }
