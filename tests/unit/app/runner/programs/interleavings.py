"""Random answers that mix direct calls, programs' calls, jobs and waits, with tools that log what they do."""

import asyncio
import json
import random
from dataclasses import dataclass, field
from typing import Any

from app.core.programs_plan import WAIT_TOOL
from app.rehearsal.scenario import Scenario
from app.runner.specs import FunctionSpec
from tests.unit.app.runner.programs.scripts import Item, call, message, program, script, shop

MOST_CALLS = 4
DENIED = {"arguments": '"units":2|DENIED', "answer": "deny"}


@dataclass
class Done:
    """What the tools really did, by what the arguments name."""

    begun: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)


def turns(dice: random.Random) -> tuple[list[list[Item]], dict[str, Any]]:
    """Some answers of the model, and every call in them by its id."""
    turns: list[list[Item]] = []
    proposed: dict[str, Any] = {}
    handles: list[str] = []
    programs: list[str] = []
    for turn in range(dice.randint(1, 4)):
        items: list[Item] = []
        if dice.random() < 0.5 or not programs:
            programs.append(f"p{turn}")
            items.append(program(programs[-1]))
        for at in range(dice.randint(1, MOST_CALLS)):
            made = _one_call(dice, f"c{turn}_{at}", programs, handles)
            items.append(made)
        turns.append(items)
        proposed |= {item["raw"]["call_id"]: item["raw"] for item in items if item["raw"]["type"] == "function_call"}
    return turns, proposed


def _one_call(dice: random.Random, call_id: str, programs: list[str], handles: list[str]) -> Item:
    match dice.choice(["direct", "program", "job", "job", "wait"]):
        case "wait" if handles:
            chosen = dice.sample(handles, dice.randint(1, len(handles)))
            return call(WAIT_TOOL, call_id, {"task_handles": chosen})
        case "job":
            handle = dice.choice(handles) if handles and dice.random() < 0.15 else f"h_{call_id}"
            handles[:] = dict.fromkeys([*handles, handle])
            sku = f"{dice.choice(['QUICK', 'SLOW', 'DENIED'])} {call_id}"
            return call("lookup_price", call_id, {"sku": sku, "task_handle": handle}, **{"async": True})
        case "program":
            caller = {"type": "program", "caller_id": dice.choice(programs), "trace": call_id}
            return call("order_units", call_id, {"sku": call_id, "units": dice.randint(1, 3)}, caller=caller)
    return call("order_units", call_id, {"sku": call_id, "units": dice.randint(1, 3)})


def tools(dice: random.Random, log: Done) -> list[FunctionSpec]:
    """A price that takes its time, and an order."""
    steps = [dice.randint(0, 30) for _ in range(20)]

    async def price(arguments: Any) -> str:
        log.begun.append(arguments["sku"])
        for _ in range(steps.pop() if arguments["sku"].startswith("SLOW") and steps else 0):
            await asyncio.sleep(0)
        log.done.append(arguments["sku"])
        return json.dumps(arguments)

    async def order(arguments: Any) -> str:
        log.begun.append(arguments["sku"])
        await asyncio.sleep(0)
        log.done.append(arguments["sku"])
        return json.dumps(arguments)

    return [
        FunctionSpec(shop(name)[0].tool, execute) for name, execute in (("lookup_price", price), ("order_units", order))
    ]


def mixture(dice: random.Random) -> tuple[Scenario, dict[str, Any]]:
    """A scenario that ends with the model's words, and every call in it by its id."""
    answers, proposed = turns(dice)
    scenario = script(
        *answers,
        {"output": [message()], "repeat": len(proposed) + 4},
        programs=True,
        max_steps=100,
        operator={"default": "allow", "answers": [DENIED]},
    )
    return scenario, proposed


def results_before_status(answered: list[Item], proposed: dict[str, Any]) -> list[str]:
    """Waits whose status came before the output of a task that they name."""
    place = {item["call_id"]: at for at, item in enumerate(answered)}
    first_by_handle: dict[str, str] = {}
    for call_id, raw in proposed.items():
        if raw.get("async") and call_id in place:
            first_by_handle.setdefault(json.loads(raw["arguments"])["task_handle"], call_id)
    return [
        call_id
        for call_id, raw in proposed.items()
        if raw["name"] == WAIT_TOOL and call_id in place
        for handle in json.loads(raw["arguments"])["task_handles"]
        if handle in first_by_handle and place[first_by_handle[handle]] > place[call_id]
    ]
