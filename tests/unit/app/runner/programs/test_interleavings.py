"""Any mixture of direct calls, programs' calls, jobs, waits and denials: each call answered once, on its own call."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

from app.core.events import ActionEnded, ActionStarted, AskRaised, DecisionMade
from app.core.jobs import JobDelivered
from app.core.programs_plan import WAIT_TOOL
from app.ledger.verify import verify
from app.runner.specs import FunctionSpec
from tests.unit.app.runner.harness import Run, several_at_once
from tests.unit.app.runner.programs.scripts import Item, call, message, outputs, played, program, script, shop

SEEDS = 24
MOST_CALLS = 4


def test_each_call_is_answered_exactly_once_whatever_comes_when(tmp_path: Path) -> None:
    def one(seed: int) -> None:
        folder = tmp_path / str(seed)
        folder.mkdir()
        _check(seed, folder)

    several_at_once(one, range(SEEDS))


def _check(seed: int, folder: Path) -> None:
    dice = random.Random(seed)
    turns, proposed = _turns(dice)
    denied = {"arguments": '"units":2|DENIED', "answer": "deny"}
    scenario = script(
        *turns,
        {"output": [message()], "repeat": len(proposed) + 2},
        programs=True,
        max_steps=100,
        operator={"default": "allow", "answers": [denied]},
    )
    run = played(scenario, folder, _tools(dice), stream=bool(seed % 2))
    assert run.ended.status == "finished", (seed, run.ended)
    answered = outputs(run)
    assert sorted(item["call_id"] for item in answered) == sorted(proposed), seed
    for item in answered:
        assert item.get("caller") == proposed[item["call_id"]].get("caller"), (seed, item)
    _results_before_status(seed, answered, proposed)
    _only_allowed_calls_ran(seed, run)
    jobs = {call_id for call_id, raw in proposed.items() if raw.get("async")}
    delivered = [event.call_id for event in run.of(JobDelivered)]
    assert len(delivered) == len(set(delivered)), seed
    assert set(delivered) <= jobs, seed
    assert verify(run.ledger_path).whole, seed


def _turns(dice: random.Random) -> tuple[list[list[Item]], dict[str, Any]]:
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
            sku = dice.choice(["QUICK", "SLOW", "DENIED"])
            return call("lookup_price", call_id, {"sku": sku, "task_handle": handle}, **{"async": True})
        case "program":
            caller = {"type": "program", "caller_id": dice.choice(programs), "trace": call_id}
            return call("order_units", call_id, {"sku": "a", "units": dice.randint(1, 3)}, caller=caller)
    return call("order_units", call_id, {"sku": "a", "units": dice.randint(1, 3)})


def _tools(dice: random.Random) -> list[FunctionSpec]:
    steps = [dice.randint(0, 30) for _ in range(20)]

    async def price(arguments: Any) -> str:
        for _ in range(steps.pop() if arguments["sku"] == "SLOW" and steps else 0):
            await asyncio.sleep(0)
        return json.dumps(arguments)

    async def order(arguments: Any) -> str:
        await asyncio.sleep(0)
        return json.dumps(arguments)

    return [
        FunctionSpec(shop(name)[0].tool, execute) for name, execute in (("lookup_price", price), ("order_units", order))
    ]


def _results_before_status(seed: int, answered: list[Item], proposed: dict[str, Any]) -> None:
    """When a wait says how a task ended, the task's own output has gone before."""
    place = {item["call_id"]: at for at, item in enumerate(answered)}
    first_by_handle: dict[str, str] = {}
    for call_id, raw in proposed.items():
        if raw.get("async"):
            first_by_handle.setdefault(json.loads(raw["arguments"])["task_handle"], call_id)
    for call_id, raw in proposed.items():
        if raw["name"] != WAIT_TOOL:
            continue
        for handle in json.loads(raw["arguments"])["task_handles"]:
            job = first_by_handle[handle]
            assert place[job] < place[call_id], (seed, handle)


def _only_allowed_calls_ran(seed: int, run: Run) -> None:
    asked = {event.ask.ask_id: event.ask for event in run.of(AskRaised)}
    allowed = {asked[e.decision.ask_id].call_id for e in run.of(DecisionMade) if e.decision.allowed}
    started = [event.call_id for event in run.of(ActionStarted) if not event.reads_only]
    assert sorted(started) == sorted(allowed), seed
    assert {event.outcome for event in run.of(ActionEnded)} <= {"done"}, seed
