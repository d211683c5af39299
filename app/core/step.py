"""Where a run can be held, what a person may say there, and what goes on record with each hold."""

from typing import Literal, get_args

from app.core.value import Frozen, Text

Stage = Literal["request", "answer", "arguments", "approval", "action", "output"]
"""Before a request leaves; after its answer, before anything of it runs; before a call, or one action of a batch;
before a question is raised; before an effect, when it has been allowed; before the model gets a call's output."""

STAGES: tuple[Stage, ...] = get_args(Stage)

HeldBy = Literal["step", "pause", "run_to_here", "breakpoint"]

StepCommand = Literal["run", "pause", "step_turn", "step_call", "step_action"]
"""Go on to the next breakpoint; hold where the run stays resumable; hold before the next request, call, action."""

WAITS: dict[StepCommand, str] = {
    "run": "",
    "pause": "Pausing: the calls of this turn come first; it holds before the next request, where it can be resumed",
    "step_turn": "Stepping: it holds before the next request",
    "step_call": "Stepping: it holds before the next call or request",
    "step_action": "Stepping: it holds before the next action, call or request",
}
"""What is said until the run is held."""

NEXT_STOPS: dict[StepCommand, str] = {
    "run": "",
    "pause": "before the next request",
    "step_turn": "before the next request",
    "step_call": "before the next call or request",
    "step_action": "before the next action, call or request",
}
"""The same in few words, where there is something else to be read first."""

NEXT_STOP_CHOSEN = "before the call that you chose"

RUNS_TO_HERE = "Running to the call that you chose; else it holds before the next request"

STAGE_WORDS: dict[Stage, str] = {
    "request": "before the request",
    "answer": "after the answer",
    "arguments": "before the call",
    "approval": "before the question",
    "action": "before the action",
    "output": "before the output is sent",
}

STAGE_NAMES: dict[Stage, str] = {
    "request": "Request",
    "answer": "Answer",
    "arguments": "Call",
    "approval": "Question",
    "action": "Action",
    "output": "Output",
}
"""In one word, for a small button."""

HELD_BY: dict[HeldBy, str] = {
    "step": "a step",
    "pause": "your pause",
    "run_to_here": "run to here",
    "breakpoint": "a breakpoint",
}


class Step(Frozen):
    """Why and where a run was held, or what a breakpoint that only logs has noted."""

    stage: Stage
    held_by: HeldBy
    breakpoint: str = ""
    """Which one: ``file 2``, ``panel 1``."""
    text: Text = ""
    """The breakpoint in its author's words, else what it looks for."""
    hit: int = 0
    """The how-manieth time it fitted."""
    logged: bool = False
    """Noted only; the run went on."""
    resumable: bool = False
    """Whether the run stands at a boundary of the SDK, from which a later run could go on."""
    left_out: tuple[Text, ...] = ()
    """Calls whose outputs the context budget keeps out of this request."""


def step_words(step: Step, parts: int = 1) -> str:
    """Such as ``Held before the request``; without any word from outside."""
    where = "before the action of the batch" if step.stage == "arguments" and parts > 1 else STAGE_WORDS[step.stage]
    return f"Breakpoint noted {where}" if step.logged else f"Held {where}"


def reason_words(step: Step) -> str:
    """Why, without the author's text: ``breakpoint file 2, time 3``."""
    if step.held_by != "breakpoint":
        return HELD_BY[step.held_by]
    return f"breakpoint {step.breakpoint}, time {step.hit}"
