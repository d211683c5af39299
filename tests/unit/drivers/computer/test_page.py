"""The computer tool on a page: both forms of actions, modifiers, and refusals before any effect."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from openai.lib.computer import AsyncComputerToolset
from openai.types.responses import ResponseComputerToolCall
from openai.types.responses import computer_action as modern
from openai.types.responses import response_computer_tool_call as legacy

from drivers.browser.driver import BrowserDriver
from drivers.computer.page import PageComputer
from drivers.errors import NotDone
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGE = """<body style='margin:0;height:3000px'><input id=i style='position:absolute;left:10px;top:10px;width:200px'>
<div id=from draggable=true style='position:absolute;left:50px;top:100px;width:60px;height:60px'>drag</div>
<div id=to style='position:absolute;left:300px;top:100px;width:100px;height:100px;background:#afa'>drop</div>
<script>window.log = []; const say = (w) => log.push(w);
for (const kind of ['click', 'dblclick', 'auxclick', 'contextmenu']) addEventListener(kind, e => say(
  kind + (e.ctrlKey ? '+ctrl' : '') + '@' + e.clientX + ',' + e.clientY));
document.getElementById('to').addEventListener('dragover', e => e.preventDefault());
document.getElementById('to').addEventListener('drop', () => say('drop'));
document.getElementById('from').addEventListener('dragstart', e => e.dataTransfer.setData('text', 'x'))</script>"""


@pytest_asyncio.fixture(loop_scope="module")
async def computer(driver: BrowserDriver, site: Site) -> AsyncIterator[PageComputer]:
    await show(driver, site, PAGE)
    yield PageComputer(driver)


async def log(driver: BrowserDriver) -> Any:
    return await value_of(driver, "log.splice(0)")


async def test_modern_and_legacy_clicks_land_where_they_should(computer: PageComputer, driver: BrowserDriver) -> None:
    await computer.click(modern.Click(type="click", button="left", x=500, y=400, keys=["CTRL"]))
    await computer.click(legacy.ActionClick(type="click", button="wheel", x=501, y=402))
    await computer.double_click(modern.DoubleClick(type="double_click", x=503, y=404))
    await computer.click(modern.Click(type="click", button="right", x=1, y=2))
    seen = await log(driver)
    assert seen == [
        "click+ctrl@500,400", "auxclick@501,402", "click@503,404", "click@503,404", "dblclick@503,404",
        "contextmenu@1,2", "auxclick@1,2",
    ]  # fmt: skip


@pytest.mark.parametrize(("x", "y"), [(-1, 5), (5, -1), (1280, 5), (5, 800), (10**9, 5)])
async def test_points_outside_are_refused_before_any_effect(
    computer: PageComputer, driver: BrowserDriver, x: int, y: int
) -> None:
    outside: list[Any] = [
        computer.click(modern.Click(type="click", button="left", x=x, y=y)),
        computer.double_click(modern.DoubleClick(type="double_click", x=x, y=y)),
        computer.move(modern.Move(type="move", x=x, y=y)),
        computer.scroll(modern.Scroll(type="scroll", x=x, y=y, scroll_x=0, scroll_y=10)),
        computer.drag(modern.Drag(type="drag", path=[modern.DragPath(x=5, y=5), modern.DragPath(x=x, y=y)])),
        computer.click(modern.Click(type="click", button="back", x=x, y=y)),
    ]
    for act in outside:
        with pytest.raises(NotDone, match="outside"):
            await act
    assert await log(driver) == []


async def test_an_empty_drag_is_refused(computer: PageComputer) -> None:
    for path in ([], [modern.DragPath(x=1, y=1)]):
        with pytest.raises(NotDone, match="two points"):
            await computer.drag(modern.Drag(type="drag", path=path))


async def test_native_drag_and_drop(computer: PageComputer, driver: BrowserDriver) -> None:
    path = [modern.DragPath(x=80, y=130), modern.DragPath(x=200, y=140), modern.DragPath(x=350, y=150)]
    await computer.drag(modern.Drag(type="drag", path=path))
    assert await log(driver) == ["drop"]


async def test_typing_pressing_and_scrolling(computer: PageComputer, driver: BrowserDriver) -> None:
    await computer.click(modern.Click(type="click", button="left", x=20, y=20))
    await computer.type(modern.Type(type="type", text="Zoë 😀"))
    await computer.keypress(modern.Keypress(type="keypress", keys=["CTRL", "A"]))
    await computer.type(legacy.ActionType(type="type", text="new"))
    assert await value_of(driver, "document.getElementById('i').value") == "new"
    await computer.scroll(modern.Scroll(type="scroll", x=600, y=400, scroll_x=0, scroll_y=300))
    assert await value_of(driver, "scrollY") == 300
    with pytest.raises(NotDone):
        await computer.keypress(modern.Keypress(type="keypress", keys=[]))


async def test_the_sdk_drives_it(computer: PageComputer, driver: BrowserDriver) -> None:
    async def yes(action: Any) -> bool:
        return True

    toolset = AsyncComputerToolset(computer)
    actions = [
        {"type": "move", "x": 5, "y": 6},
        {"type": "click", "button": "left", "x": 700, "y": 300},
        {"type": "wait"},
    ]
    call = ResponseComputerToolCall.model_validate(
        {
            "type": "computer_call",
            "id": "i1",
            "call_id": "c1",
            "status": "completed",
            "actions": actions,
            "pending_safety_checks": [],
        }
    )
    output = await toolset.execute(call, before_action=yes)
    assert str(output["output"]["image_url"]).startswith("data:image/png;base64,")
    assert await log(driver) == ["click@700,300"]
