"""The real program killed while a program waits and a job runs; resumed at the form; what its model then reads."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.ledger.shelf import summary_of
from app.ledger.verify import verify
from app.runner.folding import FOUND
from app.runner.told import RESUMED
from tests.end2end.test_resume import AtTheForm, Killed, resumed
from tests.unit.app.runner.harness import serving
from tests.unit.app.runner.programs.scripts import (
    CALLER,
    Item,
    call,
    is_output,
    message,
    program,
    program_output,
    script,
)

TOOLS = '''"""Tools of a user: an order, and a price that takes for ever."""

import asyncio
import json
from pathlib import Path


async def order(arguments):
    with Path(__file__).with_name("orders.txt").open("a") as orders:
        orders.write(arguments["sku"] + "\\n")
    return json.dumps({"ordered": arguments["sku"]})


async def price(arguments):
    if arguments["sku"] == "QUICK":
        return json.dumps({"task_handle": arguments["task_handle"], "price_cents": 7})
    await asyncio.Event().wait()


def _takes(*names):
    properties = {name: {"type": "string"} for name in names}
    return {"type": "object", "properties": properties, "required": list(names), "additionalProperties": False}


order.tool = {"type": "function", "name": "order", "parameters": _takes("sku"), "allowed_callers": ["programmatic"]}
price.tool = {"type": "function", "name": "price", "async": True, "parameters": _takes("sku", "task_handle")}
'''

RUN_FILE = """task = "Order, and look prices up."
model = "scripted-model"
[[functions]]
name = "order"
import = "own_shop:order"
allowed_callers = ["programmatic"]
[[functions]]
name = "price"
import = "own_shop:price"
async = true
[[server_tools]]
type = "programmatic_tool_calling"
[[rules]]
verdict = "allow"
kinds = ["function_call"]
"""
QUICK = {"sku": "QUICK", "task_handle": "first"}
SLOW = {"sku": "SLOW", "task_handle": "second"}
SCENE = script(
    [program(), call("order", "ordered", {"sku": "a"}, caller=CALLER), call("price", "slow", SLOW, **{"async": True})],
    [call("price", "quick", QUICK, **{"async": True}), call("wait_for_tasks", "wait", {"task_handles": ["second"]})],
    [program_output("{}"), call("price", "again", SLOW, **{"async": True})],
    {"output": [message("All is ordered.")], "repeat": 3},
    task="Order, and look prices up.",
    programs=True,
)


async def _says_not_done(at: AtTheForm) -> None:
    panel = await at.form()
    [doubt] = panel.doubts
    assert doubt.doubt.call.call_id == "slow"
    assert not panel.go_button.isEnabled()
    QTest.mouseClick(doubt.buttons["not_done"], Qt.MouseButton.LeftButton)
    pilot = await at.go_on()
    await pilot.answer_all(lambda ask: "deny")
    pilot.window.close()


def test_killed_with_a_job_under_way_it_goes_on_and_each_output_comes_once(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "own_shop.py").write_text(TOOLS)
    monkeypatch.syspath_prepend(str(home))
    with serving(SCENE) as served:
        killed = Killed(home, served, "", RUN_FILE)
        try:
            killed.wait_for("job_ended", "")
            killed.wait_for("action_started", "wait_for_tasks")
        finally:
            killed.kill()
        assert summary_of(killed.path).status == "cut_off"
        assert resumed(killed, _says_not_done, monkeypatch) == 0
        requests: list[list[Item]] = [request.input for request in killed.model.requests]
    assert (home / "orders.txt").read_text() == "a\n", "nothing was done again"
    said: dict[str, Any] = {}
    for items in requests:
        for item in filter(is_output, items):
            assert said.setdefault(item["call_id"], item) == item
    assert said["ordered"]["caller"] == CALLER
    assert json.loads(said["quick"]["output"])["price_cents"] == 7, "its result was on record and is not lost"
    cut_off = json.loads(said["slow"]["output"])
    assert (cut_off["task_handle"], cut_off["error"]["message"]) == ("second", FOUND["not_done"])
    assert json.loads(said["wait"]["output"]) == {
        "status": "completed",
        "completed_task_handles": [],
        "failed_task_handles": ["second"],
    }
    assert json.loads(said["again"]["output"])["error"]["type"] == "handle_taken", "also of a task of the old process"
    order = [item["call_id"] for item in filter(is_output, requests[-1])]
    assert sorted(order) == sorted(said)
    assert order.index("slow") < order.index("wait")
    [seam] = [item["content"] for item in requests[-1] if RESUMED in str(item.get("content"))]
    assert seam.startswith(RESUMED)
    assert verify(killed.path).whole
    assert summary_of(killed.path).status == "finished"
