"""How a run came to its end, before that is on record."""

from dataclasses import dataclass

from app.core.errors import NotDurable
from app.core.events import RunEnded, RunStatus
from app.core.offer import Verification
from app.runner.effects import Effects

MAY = "may have happened"
UNCERTAIN = f"An action {MAY}; only a person can say whether it did"


@dataclass(frozen=True)
class Ending:
    """How the run ended, in words. `verification` is of a decisions run only."""

    status: RunStatus
    reason: str
    final_text: str = ""
    verification: Verification = ""
    attempted: tuple[str, ...] = ()
    completed: tuple[str, ...] = ()

    def event(self) -> RunEnded:
        """The run's last event."""
        return RunEnded(
            status=self.status,
            reason=self.reason,
            final_text=self.final_text,
            verification=self.verification,
            attempted=self.attempted,
            completed=self.completed,
        )


def unwritable(error: NotDurable, effects: Effects) -> Ending:
    """The record failed: nothing may happen any more, and what has happened without a record is named."""
    reason = f"the record could not be written: {error}"
    effect = effects.unrecorded
    if effect is None or effect.reads_only:
        return Ending("failed", reason)
    which = f"{effect.source}.{effect.member}, action {effect.part} of call {effect.call_id},"
    return Ending("needs_reconciling", f"{reason}. {which} was started and its end is not on record: it {MAY}")
