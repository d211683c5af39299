"""The SDK's context budget from a run file: what is left out of a request when it would grow too large."""

from typing import Any

from app.core.plan import ContextBudgetPlan


def context_budget(plan: ContextBudgetPlan | None) -> Any:
    """The budget for ``iterate``, or None. Over the limit, the oldest calls that may go are dropped first."""
    if plan is None:
        return None
    budget: dict[str, Any] = {
        "keep_recent_screenshots": plan.keep_recent_screenshots,
        "compact": lambda snapshot: {"drop_call_ids": list(snapshot["eligible_call_ids"])},
    }
    if plan.max_input_bytes is not None:
        budget["max_input_bytes"] = plan.max_input_bytes
    if plan.max_input_images is not None:
        budget["max_input_images"] = plan.max_input_images
    return budget
