"""Small scenarios of the own loop: the model's answers as wire items, run on the real session over real HTTP."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.core.plan import RunPlan
from app.rehearsal.functions import DEMO_FUNCTIONS
from app.rehearsal.scenario import Scenario
from app.rehearsal.shop import SHOP_READS
from app.runner.specs import ToolSpec, spec_of
from tests.unit.app.runner.harness import Run, run_scenario

Item = dict[str, Any]

PROGRAM = "call_prog_123"
CALLER = {"type": "program", "caller_id": PROGRAM}
CODE = "const [stock, demand] = await Promise.all([tools.get_inventory({}), tools.get_demand({})]);"
ALLOW: Item = {"default": "allow"}


def raw(**item: Any) -> Item:
    """One item exactly as the service sends it."""
    return {"raw": item}


def program(call_id: str = PROGRAM, code: str = CODE) -> Item:
    """A program that the service has begun."""
    return raw(type="program", id=f"id_{call_id}", call_id=call_id, code=code, fingerprint="opaque_replay_state")


def program_output(result: str, call_id: str = PROGRAM, status: str = "completed") -> Item:
    """Its end."""
    return raw(type="program_output", id=f"out_{call_id}", call_id=call_id, result=result, status=status)


def call(name: str, call_id: str, arguments: Any, **more: Any) -> Item:
    """A function call; `more` are further fields, such as ``caller``."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return raw(type="function_call", id=f"id_{call_id}", call_id=call_id, name=name, arguments=text, **more)


def message(text: str = "Done.", **more: Any) -> Item:
    """Words of the model."""
    return {"message": text, **more}


def script(*answers: Sequence[Item] | Item, operator: Item | None = None, **keys: Any) -> Scenario:
    """A scenario of these answers; one that is a dict is a whole step."""
    steps = [answer if isinstance(answer, dict) else {"output": list(answer)} for answer in answers]
    whole = {
        "name": "scene",
        "title": "A scene",
        "summary": "A scene.",
        "task": "Do as you are told.",
        "engine": "programs",
        "members": [],
        "answers": steps,
        "operator": operator or ALLOW,
        "check": {"claim": "", "bookings": []},
        **keys,
    }
    return Scenario.model_validate_json(json.dumps(whole))


def shop(*names: str) -> list[ToolSpec]:
    """Tools of the demo shop."""
    return [spec_of(*DEMO_FUNCTIONS[name], reads_only=name in SHOP_READS) for name in names]


def played(
    scenario: Scenario,
    folder: Path,
    tools: Sequence[ToolSpec],
    *,
    stream: bool = False,
    plan: Callable[[RunPlan], RunPlan] = lambda plan: plan,
    **more: Any,
) -> Run:
    """Run it to its end; in one piece unless `stream`."""

    def changed(given: RunPlan) -> RunPlan:
        return plan(given.model_copy(update={"streaming": given.streaming.model_copy(update={"stream": stream})}))

    return run_scenario(scenario, folder, functions=list(tools), plan=changed, **more)


def sent(run: Run, number: int) -> list[Item]:
    """The input of request `number`, from 1."""
    items: list[Item] = run.model.requests[number - 1].input
    return items


def outputs(run: Run) -> list[Item]:
    """Every output that any request carried for the first time, in order."""
    seen: list[Item] = []
    for request in run.model.requests:
        seen += [item for item in request.input if str(item.get("type")).endswith("_output") and item not in seen]
    return [item for item in seen if item["type"] != "program_output"]


def is_output(item: Item) -> bool:
    """Whether it answers a call."""
    return str(item.get("type")).endswith("_output") and item["type"] != "program_output"
