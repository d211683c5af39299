"""Asks, before anything else of a run, whether it may see and use the operator's own desktop."""

from app.core.ask import Ask
from app.core.plan import RunPlan
from app.core.value import Json, call_digest
from app.gate.gate import Gate

MEMBER = "use_own_desktop"
NOT_CONFIRMED = "a person did not confirm that this run may use their own desktop"


async def may_begin(plan: RunPlan, gate: Gate) -> bool:
    """Whether a person confirmed it; True at once where the run leaves their desktop alone. May wait for them."""
    computer = plan.computer
    if computer is None or computer.target != "desktop":
        return True
    seen = "all of your screens" if computer.window is None else f"the window that is called {computer.window}"
    arguments: Json = {
        "the model is sent pictures of": seen,
        "and each action that is allowed": "uses your mouse and keyboard there, with all that you are logged in to",
        "never": "the windows of this console",
    }
    ask = Ask(
        ask_id=gate.new_ask_id(),
        kind="own_desktop",
        source="computer",
        call_id="own-desktop",
        turn=0,
        member=MEMBER,
        arguments=arguments,
        digest=call_digest(MEMBER, arguments),
        on_deny="run_ends",
    )
    decision = await gate.decide(ask)
    # A scripted answer has nobody's desktop to give away.
    return decision.allowed and decision.by == "person"
