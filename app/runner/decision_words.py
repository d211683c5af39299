"""What a decisions run has come to, in words, and an answer's own JSON as far as it can be read."""

from collections.abc import Mapping, Sequence
from typing import Any

from openai import APIError
from openai.lib.decisions_tool_runner import DecisionsToolRunnerError

from app.core.events import Outcome
from app.core.value import Json
from app.runner.failures import service_failed
from app.runner.observations import UnfitObservation
from drivers.errors import BrowserError

QUESTION = "Select the supplied action that best advances the task, or done if the task is complete."
"""The SDK's fixed instructions of each question; a contract test compares them with what is sent."""

REASONS = {
    "invalid_params": "the SDK refuses this run: its task, model, safety identifier or number of steps is not of the "
    "agreed form",
    "invalid_candidates": "the candidates are not of the agreed form: 2 to 255 with ids and descriptions of their own, "
    "exactly one of them done, and an executor for each of the others",
    "invalid_answer": "the model's answer did not select one of the candidates",
    "invalid_verification": "the check returned neither True nor False",
    "verification_failed": "the check says that the task is not complete, and there is nothing else to choose",
    "step_limit": "the step limit was reached; what was chosen last was not done",
}

CHOSEN_BEFORE = "a person has had the page since the model chose"
NOT_EXECUTED = "Chosen and not executed: “{}”. The operator has taken control of the browser meanwhile."
HAD_CONTROL = "The operator took control of the browser and has handed it back. They may have changed anything in it."

CHECK_FAILED = "the step limit was reached, and the check did not hold"


class NotGoneOn(Exception):
    """The run was held at an answer, and going on from there was denied; nothing followed from the answer."""


def root_cause(error: BaseException) -> BaseException:
    """What the SDK's error hides: the exception that was being handled when it was raised."""
    root: BaseException = error
    while isinstance(root, DecisionsToolRunnerError) and root.__context__ is not None:
        root = root.__context__
    return root


def explained(error: DecisionsToolRunnerError) -> str:
    """One sentence on why the run ended."""
    if error.reason in REASONS:
        return REASONS[error.reason]
    root = root_cause(error)
    match root:
        case APIError():
            return service_failed(root)
        case NotGoneOn():
            return str(root)
        case UnfitObservation():
            return f"the observation cannot be sent: {root}"
        case BrowserError():
            return f"the chosen action was not done: {str(root).removesuffix('.')}"
    if root is error:
        return "the observation or its candidates are not of the agreed form"
    return f"an error in what observes, offers or checks: {type(root).__name__}"


def executed_words(begun: Sequence[tuple[str, Outcome]], attempted: Sequence[str]) -> str:
    """What became of the candidates whose effects were begun, for the end of a reason; empty where none was called.

    `attempted` is the SDK's: it counts what was denied, and names the model's choice where another was taken.
    """
    done, open_ids = ([one for one, outcome in begun if outcome == word] for word in ("done", "may_have_happened"))
    if not attempted and not done and not open_ids:
        return ""
    said = f"; executed: {', '.join(done) or 'none'}"
    return f"{said}; may have happened: {', '.join(open_ids)}" if open_ids else said


def answer_of(body: Mapping[str, Json] | None) -> dict[str, Any]:
    """The one answer in a response's body, or nothing."""
    answers = (body or {}).get("answers")
    first = answers[0] if isinstance(answers, list) and answers else None
    return first if isinstance(first, dict) else {}


def tokens_of(body: Mapping[str, Json] | None) -> dict[str, int]:
    """Input, output and total tokens of a response's body; 0 where they cannot be read."""
    usage = (body or {}).get("usage")
    given = usage if isinstance(usage, dict) else {}
    counted = {name: given.get(name) for name in ("input_tokens", "output_tokens", "total_tokens")}
    return {name: value if type(value) is int and 0 <= value < 2**53 else 0 for name, value in counted.items()}
