"""Why a run ended, in words. The SDK hides the real exception in ``__context__``; here it is dug out."""

from openai import APIConnectionError, APIStatusError
from openai.lib.computer import ComputerUseError
from openai.lib.responses_tool_runner import ToolRunnerError

from app.core.errors import NotDurable
from app.runner.computer import RefusedSafetyChecks

SDK_WORDS = {
    "Tool run reached max_steps before completion.": "the step limit was reached before the final message",
    "Response did not complete.": "the model's answer did not complete",
    "Response has no completed final message or tool call.": "the model's answer held no call and no final message",
    "Response contains a tool the runner cannot execute.": "the model's answer held a call that this engine cannot run",
    "Tool call ID is missing or duplicate.": "the model's answer repeated a call id",
    "Response output item IDs must be unique across the run.": "the model's answer repeated an item id",
    "MCP call requires a matching approval request.": "a server's tool ran without the approval it needed",
}
"""What the SDK's fixed texts mean, for people."""


def root_of(error: BaseException) -> BaseException:
    """The exception that `error` came from: the deepest one in its context that is not the SDK's own wrapper."""
    seen, root = error, error
    while (inner := seen.__cause__ or seen.__context__) is not None:
        seen = inner
        if not isinstance(seen, ToolRunnerError) and (root is error or isinstance(root, ToolRunnerError)):
            root = seen
    return root


def explain(error: ToolRunnerError, root: BaseException) -> str:
    """One sentence on why the run ended."""
    match root:
        case NotDurable():
            return f"the record could not be written: {root}"
        case RefusedSafetyChecks():
            return "the safety checks were not acknowledged; nothing of that call was done"
        case APIStatusError():
            return f"the model service answered {root.status_code}: {_service_words(root)}"
        case APIConnectionError():
            return "the model service could not be reached or broke off its answer"
        case ComputerUseError() | ToolRunnerError():
            return SDK_WORDS.get(str(root), str(root))
    return f"{SDK_WORDS.get(str(error), str(error))} ({type(root).__name__})"


def _service_words(error: APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        words: str = body["message"]
        return words
    return error.message
