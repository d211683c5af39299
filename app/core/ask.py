"""An ask: a question that the run raises and that only the gate turns into a decision."""

from typing import Literal

from app.core.changes import Replaced
from app.core.code_change import CodeChange
from app.core.evidence import Evidence, SafetyCheck
from app.core.habit import Habit
from app.core.offer import Offer
from app.core.scope import RunScope
from app.core.step import Step
from app.core.value import Frozen, Json, Text

AskKind = Literal[
    "navigation",
    "browser_action",
    "protected_read",
    "computer_action",
    "safety_checks",
    "mcp_approval",
    "function_call",
    "custom_call",
    "early_call",
    "candidate",
    "code",
    "script",
    "file_grant",
    "patch",
    "shell",
    "tool_search",
    "step",
    "own_desktop",
]
"""`navigation` is the SDK's ``url_policy``, `browser_action` and `protected_read` its ``confirm``, `computer_action`
its ``before_action``; `step` is a hold: going on from it allows nothing, and what needs asking is asked after it;
`own_desktop` is asked before a run begins that is to use the operator's own desktop."""

BROWSER_KINDS: dict[str, AskKind] = {
    "run_script": "script",
    "upload_file": "file_grant",
    "download_file": "file_grant",
}
"""Members whose ``confirm`` is a question of a kind of its own."""


def browser_kind(member: str) -> AskKind:
    """The kind of the question that the SDK's ``confirm`` raises about an action."""
    return BROWSER_KINDS.get(member, "browser_action")


Source = Literal["browser", "computer", "functions", "mcp", "code", "decisions", "run"]
"""`run`: the request or answer of a turn, of which only a step is held."""

DenyEffect = Literal["model_told", "rest_of_batch_skipped", "run_ends", "waits_for_whole_answer"]
"""What Deny will do: nothing is done and the model is told; the same, and the batch's later actions are skipped;
nothing is done and the run ends; the call waits, and is asked about when the answer is complete."""


class Ask(Frozen):
    """One question, built only from what the SDK's callback was given. It never changes once raised."""

    ask_id: str
    kind: AskKind
    source: Source
    call_id: Text
    turn: int
    member: Text
    """The SDK's own name: a browser member, a computer action type, a function's or MCP tool's name."""
    arguments: Json
    """Exactly what will be executed if it is allowed."""
    digest: str
    """`value.call_digest` of member and arguments; the driver computes it again."""
    part: int = 1
    parts: int = 1
    """Action `part` of `parts` in a computer batch."""
    url: Text | None = None
    """The address that ``url_policy`` was asked about, as the model wrote it."""
    server_label: Text | None = None
    checks: tuple[SafetyCheck, ...] = ()
    siblings: tuple[Json, ...] = ()
    """The whole batch that a computer action belongs to."""
    evidence: Evidence = Evidence()
    on_deny: DenyEffect = "model_told"
    raw_arguments: Text | None = None
    """The model's own JSON text, where the callback's arguments were parsed from it."""
    offer: Offer | None = None
    """For a candidate: the question that it was chosen in answer to."""
    replaces: Replaced | None = None
    """The withdrawn question that this one asks anew."""
    joined: tuple[AskKind, ...] = ()
    """Questions about the same call that the same press answers; each goes on record by itself."""
    irreversible: bool = False
    """A rule says that it cannot be taken back: allowing it takes a stronger gesture."""
    expires_secs: float | None = None
    """After so long without an answer the console denies."""
    scope: RunScope | None = None
    """What "allow for this run" would reach; None where it is not offered."""
    program: Text | None = None
    """Call id of the program that makes the call; None for a call that the model makes itself."""
    background: bool = False
    """Allowed, it runs in the background, and the model goes on meanwhile."""
    own_value: bool = False
    """The operator may answer a function call in the function's place."""
    output_schema: Json = None
    """JSON Schema that such an answer must fit; None for free text."""
    habit: Habit | None = None
    """What answering has become by habit, where there is something to say of it."""
    code_change: CodeChange | None = None
    """Of code: how it differs from what was allowed last; None where none was."""
    unasked_site: bool = False
    """The page is on a site that nobody allowed: it was led there."""
    everything_held: bool = False
    """Asked while *Hold all* was on: a rule might have answered it otherwise."""
    step: Step | None = None
    """Of a hold: where, why, and what should be known about it."""
