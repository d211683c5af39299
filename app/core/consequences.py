"""What follows from how a run file has calls run and requests kept small, in words and before the run starts."""

from collections.abc import Iterator

from app.core.plan import ContextBudgetPlan, RunPlan, StreamingPlan

DEFAULT_WINDOW = StreamingPlan().max_concurrent_calls


def consequences(plan: RunPlan) -> list[str]:
    """A sentence for each; none where everything is as it would be anyway. The console's own words alone."""
    if plan.engine == "decisions":
        return []
    return [*_running(plan), *_sending(plan)]


def _running(plan: RunPlan) -> Iterator[str]:
    streaming, early = plan.streaming, plan.streaming.early_execution
    if not streaming.stream:
        yield "Not streamed: nothing of an answer is seen before all of it has come."
    if streaming.eager and (plan.server_tools or plan.mcp):
        yield "Eager changes nothing here: with tools of the service, calls wait until their answer is complete."
    elif streaming.eager:
        yield (
            "Eager: an allowed call runs while its answer is still coming, and cannot be taken back when the rest "
            "fails or names a call that must not run."
        )
        if early is not None:
            few = (
                "Only the calls of early_execution run early"
                if early.functions or early.computer
                else "None runs early"
            )
            yield f"{few}; the first other call holds back all that follow it until the answer is complete."
        if streaming.before_early_call is not None:
            yield "For each call that may run early you are asked whether it may now; then the call itself is asked."
    if streaming.max_concurrent_calls != DEFAULT_WINDOW or any(function.independent for function in plan.functions):
        yield (
            "max_concurrent_calls and independent change nothing: this run is on record, and there each call has "
            "its turn."
        )


def _sending(plan: RunPlan) -> Iterator[str]:
    if plan.context_budget is not None:
        yield from _left_out(plan.context_budget)
    request = plan.request
    if request is not None and request.context_management is not None:
        yield "The service shortens the conversation itself; the record here keeps all of it."
    if request is not None and request.truncation == "auto":
        yield "The service drops what is oldest by itself when a conversation is too long, and does not say what."
    if plan.store:
        yield "The service keeps the answers (store)."


def _left_out(budget: ContextBudgetPlan) -> Iterator[str]:
    limits = []
    if budget.max_input_bytes is not None:
        limits.append(f"more than {budget.max_input_bytes:,} bytes")
    if budget.max_input_images is not None:
        limits.append(_pictures(budget.max_input_images, "more than"))
    if not limits:
        yield "The context budget sets no limit: nothing is left out."
        return
    kept = budget.keep_recent_screenshots
    if budget.max_input_images is not None:
        kept = max(1, min(kept, budget.max_input_images))
    yield (
        f"From a request with {' or '.join(limits)} the oldest finished calls are left out with their outputs, those "
        "with pictures where pictures are too many. The newest of the browser and of the screen, those with safety "
        f"checks, and {_pictures(kept, 'the newest')} are kept, and what anybody said. The model is told what is left "
        "out, and it stays so."
    )
    yield "A request that is still too large ends the run before it is sent. The record keeps everything."


def _pictures(count: int, before: str) -> str:
    return f"{before} {count} {'picture' if count == 1 else 'pictures'}"
