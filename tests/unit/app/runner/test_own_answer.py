"""A function call that the operator answers in the function's place: it does not run, and the model reads that."""

from pathlib import Path
from typing import Any

import pytest

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.describe import decision_words
from app.core.events import ActionStarted, DecisionMade
from app.runner.specs import FunctionSpec
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import run_scenario
from tests.unit.app.runner.scenes import answer, scene

TOOL = {"type": "function", "name": "lookup", "parameters": {"type": "object", "properties": {}}, "strict": False}


class Knows:
    """Denies with a value of their own."""

    async def hold(self, ask: Ask) -> Answer:
        return Answer(verdict="deny", by="person", value="closed on Mondays", shown_digest=ask.digest)

    def close(self, reason: str) -> None: ...


@pytest.mark.parametrize("may", [True, False])
def test_the_model_gets_the_operator_s_value_where_the_function_allows_it(tmp_path: Path, may: bool) -> None:
    called: list[Any] = []

    async def lookup(arguments: dict[str, Any]) -> str:
        called.append(arguments)
        return "called"

    run = run_scenario(
        scene(answer('function = "lookup"\narguments = { day = "Monday" }'), answer(scenes.DONE)),
        tmp_path,
        inbox=Knows(),
        functions=[FunctionSpec(TOOL, lookup, allow_output_override=may)],
    )
    assert called == []
    assert run.of(ActionStarted) == []
    sent = run.outputs_sent()["call_001_01"]
    assert (sent == "closed on Mondays") == may
    assert ("did not approve" in sent) != may
    (made,) = run.of(DecisionMade)
    assert made.decision.allowed is False
    assert (decision_words(made.decision) == "answered by you in the function's place") == may
