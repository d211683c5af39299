"""What became of an ask. Only the gate makes a `Decision`; a view or a script hands in an `Answer`."""

from typing import Literal

from app.core.changes import Change
from app.core.scope import RunScope
from app.core.value import Frozen, Text

Verdict = Literal["allow", "deny", "stop"]
"""`stop` denies this ask and ends the run."""

DecidedBy = Literal["person", "rule", "scripted", "console"]
"""`console` is the gate itself, failing closed: a closed window, an error, a stop in progress."""


class Answer(Frozen):
    """What a person pressed or a scenario's operator said; not yet a decision."""

    verdict: Verdict
    by: Literal["person", "scripted"]
    note: Text = ""
    """For the model, with a denial."""
    for_run: bool = False
    """With an allow: for all that the ask's scope names."""
    value: Text | None = None
    """With a denial: what the model gets in place of a function's own answer."""
    shown_digest: str = ""
    """Digest of the arguments as they stood on the card that was answered."""
    picked: Text = ""
    """With a denial: the id of the candidate to be asked about instead. Choosing it allows nothing yet."""


VerdictWord = Literal["allowed", "denied", "answered"]
"""`answered`: by the operator in a function's place. On record it is a denial with a value: nothing may run for it."""


class Decision(Frozen):
    """The one answer to one ask, as it is on record."""

    ask_id: str
    verdict: Verdict
    by: DecidedBy
    reason: Text = ""
    """The rule's own text, or why the console denied."""
    note: Text = ""
    digest: str
    """Digest of what was decided about: equal to the ask's."""
    waited_ms: int = 0
    picked: Text = ""
    """The candidate that the operator took instead of the model's; asked about next, and never the model's choice."""
    rule: str = ""
    """Which rule answered: ``file 2``, ``run 1``, ``console``; empty for all others."""
    for_run: RunScope | None = None
    """What was allowed with it until the run ends."""
    value: Text | None = None
    """What the operator answered in a function's place; the function did not run."""
    withdrawn: tuple[Change, ...] = ()
    """What changed on the page while the question stood; then it is a denial by the console."""

    @property
    def allowed(self) -> bool:
        """Whether the asked action may run."""
        return self.verdict == "allow"


def verdict_word(decision: Decision) -> VerdictWord:
    """What it counts as."""
    if decision.allowed:
        return "allowed"
    return "answered" if decision.value is not None else "denied"
