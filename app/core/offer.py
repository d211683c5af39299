"""What one decisions request offered, exactly as it was sent, and what came back: shown beside the ask about it."""

from typing import Literal

from app.core.value import Frozen, Json, Text

ChosenBy = Literal["model", "operator"]

CHOSEN_BY: dict[ChosenBy, str] = {"model": "chosen by the model", "operator": "chosen by you, not by the model"}

Verification = Literal["", "verified", "unverified", "refused"]
"""How a decisions run came to its end, in the SDK's words; empty where it did not, and for every other engine."""


class Candidate(Frozen):
    """One thing that could be chosen."""

    candidate_id: Text
    description: Text
    done: bool = False
    """Whether it says that the task is complete; then there is nothing to execute."""


class Offer(Frozen):
    """The question as the model got it. `chosen` is what this ask is about, whoever chose it."""

    question: Text
    observation: Json
    """As it was sent, with each inline picture replaced by ``{"picture": digest}``."""
    candidates: tuple[Candidate, ...]
    chosen: Text
    chosen_by: ChosenBy = "model"
    confidence: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0

    def words_for(self, candidate_id: str) -> str:
        """The description of one candidate; empty for one that was not offered."""
        return next((one.description for one in self.candidates if one.candidate_id == candidate_id), "")

    def others(self) -> tuple[Candidate, ...]:
        """What the operator may take instead: everything that can be executed and is not what was chosen."""
        return tuple(one for one in self.candidates if one.candidate_id != self.chosen and not one.done)
