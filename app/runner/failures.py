"""Why a run ended, in words. The SDK hides the real exception in ``__context__``; here it is dug out."""

from json import JSONDecodeError

from openai import APIError, APIStatusError
from openai.lib.browser import BrowserError
from openai.lib.computer import ComputerUseError
from openai.lib.responses_tool_runner import ToolRunnerError

from app.core.causes import without_keys
from app.runner.computer import RefusedSafetyChecks
from app.runner.functions import NoFunctionOutput

SDK_WORDS = {
    "Tool run reached max_steps before completion.": "the step limit was reached before the final message; "
    "what the last answer proposed was not done",
    "Didn't receive a `response.completed` event.": "the model service sent no complete stream; "
    "where it cannot stream, say streaming.stream = false",
    "Response did not complete.": "the model's answer did not complete",
    "Response has no completed final message or tool call.": "the model's answer held no call and no final message",
    "Response contains a tool the runner cannot execute.": "the model's answer held a call that this engine cannot run",
    "Response contains a local tool excluded by tool_choice.": "the model's answer named a tool that was not offered",
    "Function was not registered or lacks native metadata.": "the model's answer named a tool that this run does not "
    "have, or its arguments are no JSON object",
    "Function was not registered.": "the model's answer named a tool that this run does not have",
    "No computer driver was registered.": "the model's answer named a tool that this run does not have",
    "Tool call ID is missing or duplicate.": "the model's answer repeated a call id or left one out",
    "Response output item IDs must be unique across the run.": "the model's answer repeated an item id",
    "Completed response differs from collected stream output.": "the model's answer ended otherwise than it began",
    "Completed response differs from executed stream output.": "the model's answer ended otherwise than it began",
    "MCP call requires a matching approval request.": "a server's tool ran without the approval it needed",
    "MCP approval request contradicts require_approval.": "a server's tool asked for an approval that it must not need",
    "MCP response names a tool excluded by allowed_tools.": "the model's answer named a server's tool that "
    "is not allowed",
    "Server tool did not match its approval.": "a server's tool ran without the approval it needed",
    "Server tool did not complete or match its declaration and approval.": "a server's tool did not complete, or ran "
    "without the approval it needed",
    "Native request input exceeds context_budget.": "the conversation has outgrown the context budget of the run file",
    "Native request input still exceeds context_budget.": "the conversation has outgrown the context budget of the run "
    "file, and nothing more may be left out of it",
    "Browser state report failed.": "the browser did not say which pages are open",
    "Browser toolset returned an invalid result.": "the browser driver's result is not of the agreed form",
}
"""What the SDK's fixed texts mean, for people."""

NOT_FOLLOWED = "it sends requests on to another address, and none is sent there; name the service's own address"
UNREADABLE = "what the model service sent could not be read"


def root_of(error: BaseException) -> BaseException:
    """The exception that `error` came from: the deepest one in its context that is not the SDK's own wrapper."""
    seen, root = error, error
    while (inner := seen.__cause__ or seen.__context__) is not None:
        seen = inner
        if not isinstance(seen, ToolRunnerError) and (root is error or isinstance(root, ToolRunnerError)):
            root = seen
    return root


def explain(error: BaseException, root: BaseException, *, answer_read: bool) -> str:
    """Why the run ended, in a sentence without keys; `answer_read`: the newest request was answered with a response."""
    return without_keys(_explained(error, root, answer_read=answer_read))


def _explained(error: BaseException, root: BaseException, *, answer_read: bool) -> str:
    match root:
        case RefusedSafetyChecks():
            return "the safety checks were not acknowledged; nothing of that call was done"
        case NoFunctionOutput() | BrowserError():
            return str(root)
        case APIError():
            return service_failed(root)
    known = SDK_WORDS.get(str(root)) or SDK_WORDS.get(str(error))
    if known is not None:
        return known
    if isinstance(root, ComputerUseError | ToolRunnerError):
        return str(root)
    if answer_read and isinstance(root, JSONDecodeError):
        return "the model's answer held a call whose arguments are no JSON object"
    # The SDK reads an answer without checking its form first: any kind of exception may come of it.
    return UNREADABLE if not answer_read else f"an error while an answer was acted on: {type(root).__name__}"


def service_failed(error: APIError) -> str:
    """What became of the request, and at which place: a wrong address shows itself by that."""
    if isinstance(error, APIStatusError):
        said = NOT_FOLLOWED if 300 <= error.status_code < 400 else _service_words(error)
        words = f"the model service answered {error.status_code}: {said}"
    else:
        words = "the model service could not be reached or broke off its answer"
    address = error.request.url
    # Without its path and whatever stands in front of the host: there may be secrets in both.
    return f"{words} ({address.scheme}://{address.netloc.decode('ascii', 'replace')})"


def _service_words(error: APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        words: str = body["message"]
        return words
    return error.message
