"""What the console relies on in the SDK's two toolsets, each held by a test on the toolset alone."""

import asyncio
import json
from typing import Any, cast

import pytest
from openai.lib.browser import AsyncBrowserToolset, BrowserError
from openai.lib.computer import AsyncComputerToolset, ComputerUseError
from openai.types.responses import ResponseComputerToolCall, ResponseFunctionToolCall

from app.runner import computer
from tests.unit.app.rehearsal.form_driver import PIXEL
from tests.unit.app.runner.sdk_drivers import Page, Screen


async def no(*_: Any) -> bool:
    return False


async def test_an_exception_of_confirm_is_swallowed_and_nothing_is_done() -> None:
    async def broken(context: Any) -> bool:
        raise RuntimeError("no window")

    page = Page()
    toolset = AsyncBrowserToolset(cast(Any, page), members=["click"], confirm=broken)
    output = await toolset.execute(click_call())
    assert '"error":"Browser action failed."' in cast(Any, output["output"])[0]["text"].replace(": ", ":")
    assert page.clicks == []


async def test_words_raised_for_a_protected_read_are_dropped() -> None:
    async def denied(context: Any) -> bool:
        raise BrowserError("Not this page, please.")

    toolset = AsyncBrowserToolset(
        cast(Any, Page()), members=["read_page"], confirm_reads=["read_page"], confirm=cast(Any, denied)
    )
    output = await toolset.execute(
        ResponseFunctionToolCall(
            type="function_call",
            call_id="call_1",
            name="browser_read_page",
            arguments='{"tab_id": null, "filter": "all"}',
        )
    )
    text = cast(Any, output["output"])[0]["text"]
    assert "Not this page" not in text
    assert json.loads(text)["error"] == "Browser read was not approved."


async def test_a_toolset_in_a_call_takes_no_second_one_and_closing_it_drains_and_then_refuses() -> None:
    """Closing leaves the call that is under way to itself and the driver to its owner."""
    asked, answered = asyncio.Event(), asyncio.Event()

    async def slow(context: Any) -> bool:
        asked.set()
        await answered.wait()
        return True

    page = Page()
    toolset = AsyncBrowserToolset(cast(Any, page), members=["click"], confirm=slow)
    under_way = asyncio.create_task(toolset.execute(click_call()))
    await asked.wait()
    with pytest.raises(RuntimeError, match=r"^Browser toolset is busy with another call\.$"):
        await toolset.execute(click_call())
    assert toolset.close() == {"status": "draining"}
    answered.set()
    assert '"ok":true' in cast(Any, (await under_way)["output"])[0]["text"].replace(": ", ":")
    assert len(page.clicks) == 1, "the call that was refused did nothing, the one under way was finished"
    assert toolset.close() == {"status": "closed"}
    with pytest.raises(RuntimeError, match="closed"):
        await toolset.execute(click_call())
    assert len(page.clicks) == 1


def click_call() -> ResponseFunctionToolCall:
    """A call of click."""
    return ResponseFunctionToolCall(
        type="function_call", call_id="call_1", name="browser_click", arguments='{"target": "e1", "tab_id": null}'
    )


def computer_call(**more: Any) -> ResponseComputerToolCall:
    """A batch of two actions."""
    return ResponseComputerToolCall.model_validate(
        {
            "type": "computer_call",
            "id": "cu_1",
            "call_id": "call_1",
            "status": "completed",
            "actions": [{"type": "wait"}, {"type": "type", "text": "a"}],
            "pending_safety_checks": [],
            **more,
        }
    )


async def test_the_texts_of_refusals_by_which_they_are_told_from_failures() -> None:
    toolset = AsyncComputerToolset(cast(Any, Screen()))
    with pytest.raises(ComputerUseError) as refused:
        await toolset.execute(computer_call(), before_action=no)
    assert str(refused.value) == computer.ACTION_REFUSED
    checks = [{"id": "sc_1", "code": "c", "message": "m"}]
    with pytest.raises(ComputerUseError) as unacknowledged:
        await toolset.execute(computer_call(pending_safety_checks=checks), approve_safety_checks=no)
    assert str(unacknowledged.value) == computer.CHECKS_REFUSED


async def test_before_action_is_given_the_action_alone_and_last_the_screenshot() -> None:
    given: list[Any] = []

    async def before(action: Any) -> bool:
        given.append(action.to_dict())
        return True

    await AsyncComputerToolset(cast(Any, Screen())).execute(computer_call(), before_action=before)
    assert given == [{"type": "wait"}, {"type": "type", "text": "a"}, {"type": "screenshot"}]


async def test_without_before_action_the_computer_acts_unasked() -> None:
    screen = Screen()
    await AsyncComputerToolset(cast(Any, screen)).execute(computer_call())
    assert len(screen.actions) == 2


async def test_the_detail_of_a_screenshot_is_dropped() -> None:
    output = await AsyncComputerToolset(cast(Any, Screen())).execute(computer_call())
    assert output["output"] == {"type": "computer_screenshot", "image_url": PIXEL}


async def test_a_driver_s_own_exception_comes_through_the_computer_toolset() -> None:
    class Broken(Screen):
        async def wait(self, action: Any) -> None:
            raise BrowserError("not there any more")

    with pytest.raises(BrowserError, match="not there any more"):
        await AsyncComputerToolset(cast(Any, Broken())).execute(computer_call())


def test_the_wire_form_of_an_item_keeps_its_async_mark() -> None:
    call = ResponseFunctionToolCall.model_validate(
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "async": True}
    )
    assert call.to_dict()["async"] is True
    assert "async" not in call.model_dump()
