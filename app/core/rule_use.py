"""What each rule of a run has answered so far, from the record alone: live and in replay alike."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.core.scope import RunScope
from app.core.timeline import AskRecord
from app.core.value import Json


@dataclass(frozen=True)
class RuleUse:
    """One rule of a run, in its place of the order."""

    name: str
    """As decisions name it: ``file 2``, ``run 1``."""
    verdict: str
    author: str
    """``run file``, or ``you``."""
    text: str
    """The author's own words; outside text."""
    scope: RunScope | None = None
    """Of a rule that was made with a press."""
    hits: int = 0
    last_seq: int = 0
    last_ms: int = 0
    example: str = ""
    """The newest ask that it answered."""
    ended: bool = False
    """It was made in a process that is gone, and ended with it."""

    @property
    def number(self) -> int:
        """Its number among those of its author."""
        return int(self.name.rpartition(" ")[2])


def rule_uses(planned: Json, asks: Iterable[AskRecord], seq: int, *, resumed_seq: int = 0) -> list[RuleUse]:
    """The rules of the run file, then those made by a press, each with what it answered up to event `seq`.

    `resumed_seq`: where another process took the run up, with the rules `planned`; hits before it were of others.
    """
    rules = planned if isinstance(planned, list) else []
    uses = {f"file {number}": _planned(number, rule) for number, rule in enumerate(rules, start=1)}
    made = 0
    for record in asks:
        decision = record.decision_at(seq)
        if decision is None:
            continue
        if decision.for_run is not None:
            made += 1
            ended = (record.decided_seq or 0) < resumed_seq
            uses[f"run {made}"] = RuleUse(f"run {made}", "allow", "you", "", decision.for_run, ended=ended)
        before = (record.decided_seq or 0) < resumed_seq and decision.rule.startswith("file ")
        if decision.rule in uses and not before:
            use = uses[decision.rule]
            uses[decision.rule] = replace(
                use,
                hits=use.hits + 1,
                last_seq=record.decided_seq or 0,
                last_ms=record.wall_ms,
                example=record.ask.ask_id,
            )
    return list(uses.values())


def _planned(number: int, rule: Json) -> RuleUse:
    given = rule if isinstance(rule, dict) else {}
    verdict, text = given.get("verdict"), given.get("text")
    return RuleUse(f"file {number}", str(verdict or ""), "run file", text if isinstance(text, str) else "")
