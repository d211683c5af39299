"""The scripted driver answers in order, refuses what it does not expect, and passes the SDK's toolset."""

import json
from typing import Any

import pytest
from openai.lib.browser import BROWSER_MEMBERS, AsyncBrowserToolset
from openai.lib.computer import AsyncComputerToolset
from openai.types.responses import ResponseFunctionToolCall

from drivers.browser.observation import PageChange
from drivers.errors import BrowserError, NotDone
from drivers.scripted import Answer, ScriptedComputer, ScriptedDriver, ScriptExhausted


async def yes(context: Any, *rest: Any) -> bool:
    return True


def call(member: str, **arguments: Any) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call",
        name=f"browser_{member}",
        call_id="c1",
        arguments=json.dumps(arguments),
        status="completed",
    )


async def test_answers_come_in_order_and_calls_are_kept() -> None:
    driver = ScriptedDriver([Answer("click", "first"), Answer("click", "second")])
    assert await driver.click({"target": "e1"}) == "first"
    assert await driver.click({"target": "e2"}) == "second"
    assert [c.arguments["target"] for c in driver.calls] == ["e1", "e2"]
    assert driver.left == 0


async def test_an_unexpected_call_is_refused_and_uses_up_nothing() -> None:
    driver = ScriptedDriver([Answer("click")])
    with pytest.raises(ScriptExhausted, match="expects click next, not type"):
        await driver.type({"text": "x"})
    assert driver.left == 1


async def test_refusals_and_failures_are_told_apart() -> None:
    driver = ScriptedDriver([Answer("click", refusal="Covered."), Answer("click", failure="Lost.")])
    with pytest.raises(NotDone):
        await driver.click({})
    with pytest.raises(BrowserError) as raised:
        await driver.click({})
    assert not isinstance(raised.value, NotDone)


async def test_the_sdk_takes_it_with_every_member() -> None:
    after = [{"id": "t1", "title": "Shop", "url": "https://shop.example/", "active": True}]
    driver = ScriptedDriver([Answer("navigate", tabs=after, changes=[PageChange("navigation", "t1")])])
    toolset = AsyncBrowserToolset(driver, members=driver.members, confirm=yes, url_policy=yes)
    assert len(toolset.tools) == len(BROWSER_MEMBERS)
    output = await toolset.execute(call("navigate", url="https://shop.example/", tab_id=None))
    told = json.loads(output["output"][0]["text"])  # type: ignore[index,typeddict-item]
    assert told["ok"] is True
    assert told["state"]["tabs"][0]["url"] == "https://shop.example"
    assert told["state"]["observation"]["changes"] == [{"type": "navigation", "sequence": 1, "tab_id": "t1"}]


async def test_the_sdk_takes_its_computer() -> None:
    AsyncComputerToolset(ScriptedComputer(ScriptedDriver([])))
