"""A scripted model that chooses by the observation alone, as a real one must: for decisions runs that go on."""

from typing import Any

from app.rehearsal.decisions import decision
from app.rehearsal.record import RecordedRequest
from app.rehearsal.scenario import ChoiceStep, Scenario
from app.rehearsal.script import Turn
from app.rehearsal.server import MODEL, ScriptedModel
from tests.unit.app.runner.choosing import choosing

MOST_CHOICES = 60
PRESS = "Press “Reserve table”"


def choosing_scene() -> Scenario:
    """A name is typed and the table is reserved; how often is the model's own affair."""
    return choosing(*(["done"] * MOST_CHOICES), keys="max_steps = 40")


class ChoosingModel(ScriptedModel):
    """Reserves one table. What the observation says about its press decides whether it presses again."""

    def _decision(self, turn: Turn[ChoiceStep], recorded: RecordedRequest) -> dict[str, Any]:
        step = ChoiceStep(choose=next_choice(recorded.body))
        return decision(step, recorded.body, model=MODEL)


def next_choice(body: dict[str, Any]) -> str:
    """What the model chooses next."""
    observed = str(body["input"][1]["content"])
    offered = [choice["value"] for choice in body["questions"][0]["choices"]]
    if f"Last completed action: {PRESS}" in observed:
        return "done"
    return "type-name" if "type-name" in offered else "press-reserve-table"
