"""Which calls may run before the model's answer is complete: the run file's lists, and the question for each."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, cast

from openai.lib.responses_tool_runner import EarlyExecution
from openai.types.responses import ResponseComputerToolCall, ResponseFunctionToolCall

from app.core.ask import Source
from app.core.plan import StreamingPlan
from app.core.value import Json
from app.runner.asking import Asking
from app.runner.turns import BROWSER_PREFIX, json_or_text
from drivers.errors import NotDone

EarlyCall = ResponseFunctionToolCall | ResponseComputerToolCall
BeforeEarlyCall = Callable[[EarlyCall], Awaitable[Literal["execute", "defer"]]]


def early_execution(plan: StreamingPlan) -> EarlyExecution | None:
    """The SDK's policy; None lets every call run early that can."""
    if plan.early_execution is None:
        return None
    return {"functions": list(plan.early_execution.functions), "computer": plan.early_execution.computer}


def early_calls(plan: StreamingPlan, asking: Asking, browser_names: frozenset[str]) -> BeforeEarlyCall | None:
    """The SDK's ``before_early_call``: a question about the time only; the call itself is asked about as ever."""
    if plan.before_early_call is None:
        return None

    async def ask(call: EarlyCall) -> Literal["execute", "defer"]:
        source, member, arguments = _named(call, browser_names)
        try:
            await asking.held_before("early_call", source, call.call_id, member, arguments)
            decision = await asking.ask(
                "early_call", source, call.call_id, member, arguments, on_deny="waits_for_whole_answer"
            )
        except NotDone:
            return "defer"
        return "execute" if decision.allowed else "defer"

    return ask


def _named(call: EarlyCall, browser_names: frozenset[str]) -> tuple[Source, str, Json]:
    if isinstance(call, ResponseComputerToolCall):
        wire = cast(Mapping[str, Any], call.to_dict())
        return "computer", "computer", wire.get("actions") or [wire.get("action")]
    arguments: Json = json_or_text(call.arguments)
    if call.name in browser_names:
        return "browser", call.name.removeprefix(BROWSER_PREFIX), arguments
    return "functions", call.name, arguments
