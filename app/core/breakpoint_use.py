"""The breakpoints of a run and how often each has fitted, from the record alone: live and in replay alike."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pydantic import ValidationError

from app.core.breakpoint import BreakpointPlan, condition_words
from app.core.timeline import AskRecord
from app.core.value import Json


@dataclass(frozen=True)
class BreakpointUse:
    """One breakpoint as a list shows it."""

    name: str
    """As holds name it: ``file 2``, ``panel 1``."""
    words: str
    """Its author's, else what it looks for; outside text."""
    log_only: bool = False
    enabled: bool = True
    hits: int = 0
    """How often it had fitted when it last held or noted."""
    last_seq: int = 0
    last_ms: int = 0


def breakpoint_uses(planned: Json, steps: Iterable[AskRecord], seq: int) -> list[BreakpointUse]:
    """Those of the run file, then those of the panel that have held or noted by event `seq`."""
    uses = {use.name: use for use in _planned(planned)}
    for record in steps:
        step = record.ask.step
        if record.seq > seq or step is None or not step.breakpoint:
            continue
        use = uses.get(step.breakpoint) or BreakpointUse(step.breakpoint, step.text, step.logged)
        uses[step.breakpoint] = replace(use, hits=step.hit, last_seq=record.seq, last_ms=record.wall_ms)
    return list(uses.values())


def _planned(planned: Json) -> list[BreakpointUse]:
    uses = []
    for number, given in enumerate(planned if isinstance(planned, list) else [], start=1):
        try:
            plan = BreakpointPlan.model_validate(given)
        except ValidationError:
            # A newer program wrote it; its holds are on record all the same.
            uses.append(BreakpointUse(f"file {number}", ""))
            continue
        words = plan.text or condition_words(plan)
        uses.append(BreakpointUse(f"file {number}", words, plan.log_only, plan.enabled))
    return uses
