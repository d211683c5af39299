"""The computer tool on every kind of screen: one page, the same actions, the same events."""

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import pytest
import pytest_asyncio
from openai.types.responses import computer_action as modern
from openai.types.responses import response_computer_tool_call as legacy

from app.runner.image_size import image_size
from app.runner.outputs import picture_blob
from drivers.browser.launch import LaunchOptions
from drivers.browser.session import BrowserSession
from drivers.computer.page import PageComputer
from drivers.desktop.session import DesktopOptions, open_desktop
from drivers.desktop.virtual import what_is_missing
from drivers.errors import BrowserCancelledError, NotDone
from drivers.remote.desktop import SCHEMES, open_remote_desktop
from drivers.remote.endpoint import Endpoint
from tests.helpers.chromium import kiosk
from tests.helpers.vnc_desktop import NEEDS_VNC, vnc_desktop
from tests.helpers.watched_page import BARE, FIELD, WatchedPage
from tests.helpers.window_watch import WatchedWindow

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Watched(Protocol):
    """What is on the screen, telling what reaches it."""

    def clear(self) -> None:
        """Forget what was told so far."""

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Everything of one kind so far."""

    def wait_for(self, secs: float = 60.0, **fields: Any) -> dict[str, Any]:
        """The first thing told that has these fields."""


@dataclass
class Bench:
    """A computer on a screen of 1280 by 800 pixels that shows one thing, and what that told."""

    computer: Any
    page: Watched
    alphabet: str = ""
    """In which encoding a text must be for its letters to be typed here; empty: any."""
    every_move: bool = True
    """Whether each place of the pointer is told. A browser passes over those that came while it had no time to look;
    over VNC nobody can see for how long a window manager holds up what follows a press, and the last one alone is told.
    """

    async def told(self, **fields: Any) -> dict[str, Any]:
        """What is told, now or soon."""
        return await asyncio.to_thread(lambda: self.page.wait_for(**fields))


@asynccontextmanager
async def _page() -> AsyncIterator[Bench]:
    with WatchedPage() as page:
        async with await BrowserSession.open(LaunchOptions(sandbox=os.geteuid() != 0)) as session:
            await session.driver.navigate({"url": page.url, "tab_id": None})
            yield Bench(PageComputer(session.driver), page)


@asynccontextmanager
async def _desktop() -> AsyncIterator[Bench]:
    with WatchedWindow() as window:
        async with open_desktop(DesktopOptions(programs=(window.program,))) as desktop:
            yield Bench(desktop.driver, window)


@asynccontextmanager
async def _browser_on_desktop() -> AsyncIterator[Bench]:
    with WatchedPage() as page:
        async with open_desktop(DesktopOptions(programs=(kiosk(page.url),))) as desktop:
            bench = Bench(desktop.driver, page, every_move=False)
            await _takes_presses(bench)
            yield bench


async def _takes_presses(bench: Bench) -> None:
    """A browser drops what is pressed before it has painted its page once, whatever that has told by then."""
    await bench.told(kind="size", width=1280, height=800)
    for _ in range(30):
        await bench.computer.click(modern.Click(type="click", x=BARE[0], y=BARE[1], button="left"))
        with contextlib.suppress(AssertionError):
            await asyncio.to_thread(lambda: bench.page.wait_for(3.0, kind="mouseup"))
            return
    raise TimeoutError("no press ever reached the page")


@asynccontextmanager
async def _over_vnc() -> AsyncIterator[Bench]:
    """The window is shown only once a window manager has the screen, and used only once it has the keys."""
    with WatchedWindow() as window:
        async with vnc_desktop("-SecurityTypes", "None") as theirs:
            await theirs.managed()
            await theirs.run(*window.program)
            await theirs.focused("watched")
            endpoint = Endpoint.at(f"vnc://127.0.0.1:{theirs.port}", schemes=SCHEMES)
            async with open_remote_desktop(endpoint) as desktop:
                # Its thread exists before the first test, which would leave it behind.
                await desktop.driver.size()
                yield Bench(desktop.driver, window, alphabet="ascii", every_move=False)


NO_DESKTOP = what_is_missing()
NEEDS_MANAGER = pytest.mark.skipif(shutil.which("openbox") is None, reason="openbox is not installed")
RIGS = [
    pytest.param(_page, id="page"),
    pytest.param(_desktop, id="desktop", marks=pytest.mark.skipif(NO_DESKTOP is not None, reason=NO_DESKTOP or "")),
    pytest.param(_over_vnc, id="desktop over VNC", marks=[NEEDS_VNC, NEEDS_MANAGER]),
    pytest.param(
        _browser_on_desktop,
        id="browser on a desktop",
        marks=pytest.mark.skipif(NO_DESKTOP is not None, reason=NO_DESKTOP or ""),
    ),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=RIGS)
async def screen(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    """One screen for the whole module."""
    # The loop's own thread is one, and exists before the first test, which would leave it behind.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(max_workers=1))
    await asyncio.to_thread(int)
    async with request.param() as bench:
        await bench.told(kind="size", width=1280, height=800)
        yield bench


@pytest_asyncio.fixture(loop_scope="module")
async def bench(screen: Bench) -> Bench:
    """The screen, with its field empty and pressed into."""
    # A Delete of the test before is not the one that is waited for.
    screen.page.clear()
    await screen.computer.click(modern.Click(type="click", x=FIELD[0], y=FIELD[1], button="left"))
    # A window manager looks at each press before the window gets it, and keys overtake the two of them.
    await screen.told(kind="mouseup", x=FIELD[0], y=FIELD[1])
    await screen.computer.keypress(modern.Keypress(type="keypress", keys=["ctrl", "a"]))
    await screen.computer.keypress(modern.Keypress(type="keypress", keys=["Delete"]))
    await screen.told(kind="keydown", key="Delete")
    screen.page.clear()
    return screen


@pytest.mark.parametrize("action", [modern.Click, legacy.ActionClick])
@pytest.mark.parametrize(("button", "number"), [("left", 0), ("wheel", 1), ("right", 2)])
async def test_a_click_lands_on_its_pixel(bench: Bench, action: Any, button: str, number: int) -> None:
    await bench.computer.click(action(type="click", x=BARE[0], y=BARE[1], button=button))
    down = await bench.told(kind="mousedown", button=number)
    assert (down["x"], down["y"], down["held"]) == (*BARE, [])
    await bench.told(kind="mouseup", button=number)


async def test_modifiers_are_held_during_a_pointer_action_and_no_longer(bench: Bench) -> None:
    keys = ["CTRL", "Shift"]
    await bench.computer.click(modern.Click(type="click", x=BARE[0], y=BARE[1], button="left", keys=keys))
    await bench.told(kind="mousedown", held=["ctrl", "shift"])
    bench.page.clear()
    await bench.computer.click(modern.Click(type="click", x=BARE[0], y=BARE[1], button="left"))
    await bench.told(kind="mousedown", held=[])


AT = {"x": BARE[0], "y": BARE[1]}
WAY = [{"x": 500, "y": 500}, {"x": 640, "y": 560}]
POINTED: dict[str, tuple[dict[str, Any], str, Any, Any]] = {
    "click": ({"button": "left", **AT}, "mousedown", modern.Click, legacy.ActionClick),
    "double_click": (AT, "dblclick", modern.DoubleClick, legacy.ActionDoubleClick),
    "drag": ({"path": WAY}, "mouseup", modern.Drag, legacy.ActionDrag),
    "move": (AT, "move", modern.Move, legacy.ActionMove),
    "scroll": ({"scroll_x": 0, "scroll_y": 100, **AT}, "wheel", modern.Scroll, legacy.ActionScroll),
}


@pytest.mark.parametrize("form", ["modern", "legacy"])
@pytest.mark.parametrize("name", POINTED)
async def test_every_pointer_action_of_both_forms_is_done_with_its_modifiers(
    bench: Bench, name: str, form: str
) -> None:
    given, kind, *models = POINTED[name]
    await bench.computer.move(modern.Move(type="move", x=300, y=600))
    model: Any = models[form == "legacy"]
    await getattr(bench.computer, name)(model.model_validate({"type": name, "keys": ["SHIFT"], **given}))
    await bench.told(kind=kind, held=["shift"])


async def test_the_legacy_forms_of_keys_text_and_waiting(bench: Bench) -> None:
    await bench.computer.wait(legacy.ActionWait(type="wait"))
    await bench.computer.type(legacy.ActionType(type="type", text="Greetings"))
    await bench.told(kind="input", value="Greetings")
    await bench.computer.keypress(legacy.ActionKeypress(type="keypress", keys=["HOME"]))
    await bench.told(kind="keydown", key="Home")
    with pytest.raises(BrowserCancelledError):
        await bench.computer.wait(modern.Wait(type="wait"), cancelled=lambda: True)


async def test_a_double_click_is_one(bench: Bench) -> None:
    await bench.computer.double_click(modern.DoubleClick(type="double_click", x=BARE[0], y=BARE[1], keys=None))
    await bench.told(kind="dblclick")


@pytest.mark.parametrize("at", [(0, 0), (1279, 799), (3, 797), (641, 401)])
async def test_a_move_reaches_every_corner(bench: Bench, at: tuple[int, int]) -> None:
    await bench.computer.move(modern.Move(type="move", x=600, y=600))
    await bench.computer.move(modern.Move(type="move", x=at[0], y=at[1]))
    await bench.told(kind="move", x=at[0], y=at[1])


async def test_a_drag_goes_its_way(bench: Bench) -> None:
    path = [{"x": 500, "y": 500}, {"x": 600, "y": 520}, {"x": 900, "y": 700}]
    await bench.computer.drag(modern.Drag.model_validate({"type": "drag", "path": path}))
    up = await bench.told(kind="mouseup", button=0)
    assert (up["x"], up["y"]) == (900, 700)
    down = bench.page.of("mousedown")[0]
    assert (down["x"], down["y"]) == (500, 500)
    moves = [(one["x"], one["y"]) for one in bench.page.of("move") if one["buttons"] == 1]
    assert moves == sorted(moves)
    assert moves[-1] == (900, 700)
    assert (600, 520) in moves or not bench.every_move
    for x, y in moves:
        way = 500 + (x - 500) / 5 if x <= 600 else 520 + (x - 600) * 0.6
        assert abs(y - way) <= 1, (x, y)


@pytest.mark.parametrize(("across", "down"), [(0, 300), (0, -100), (200, 0)])
async def test_the_wheel_turns_the_way_it_is_told(bench: Bench, across: int, down: int) -> None:
    at = {"x": BARE[0], "y": BARE[1]}
    await bench.computer.scroll(
        modern.Scroll.model_validate({"type": "scroll", "scroll_x": across, "scroll_y": down, **at})
    )
    turned = await bench.told(kind="wheel", dx=(across > 0) - (across < 0), dy=(down > 0) - (down < 0))
    assert (turned["x"], turned["y"]) == BARE


KEYS = [
    (["ENTER"], "Enter", []), (["esc"], "Escape", []), (["Tab"], "Tab", []), (["PAGE_DOWN"], "PageDown", []),
    (["ArrowLeft"], "ArrowLeft", []), (["UP"], "ArrowUp", []), (["F2"], "F2", []), (["space"], " ", []),
    (["CTRL", "b"], "b", ["ctrl"]), (["ctrl+shift+Home"], "Home", ["ctrl", "shift"]),
    (["alt", "q"], "q", ["alt"]), (["home"], "Home", []), (["End"], "End", []), (["Insert"], "Insert", []),
    (["BACKSPACE"], "Backspace", []), (["DEL"], "Delete", []), (["7"], "7", []), (["#"], "#", None),
]  # fmt: skip


@pytest.mark.parametrize(("words", "key", "held"), KEYS, ids=lambda value: "+".join(value) if value else "")
async def test_keys_arrive_by_any_of_their_names(
    bench: Bench, words: list[str], key: str, held: list[str] | None
) -> None:
    await bench.computer.keypress(modern.Keypress(type="keypress", keys=words))
    came = await bench.told(kind="keydown", key=key)
    assert held is None or came["held"] == held


TEXTS = [
    "Plain words, 0123456789.", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "Grüße, àéîõç ÆØÅ ß ½", "€ Œuvre", "Ещё жизнь Ёж",
    "Καλημέρα", "שלום", "مرحبا", "你好，世界", "こんにちは 日本語", "안녕하세요", "Tiếng Việt ệ", "e\u0301 n\u0303",
    "😀👍🏽 🇦🇹 𝔘", "tabs and\nlines\n", "“quotes” – — … ’",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
async def test_text_arrives_letter_for_letter(bench: Bench, text: str) -> None:
    if bench.alphabet and text.encode(bench.alphabet, "ignore").decode(bench.alphabet) != text:
        # A server that lacks a key for a letter may drop it, and does not say so (docs/remote.md).
        for refused in (bench.computer.check, bench.computer.type):
            with pytest.raises(NotDone, match="is on no US keyboard"):
                await refused(modern.Type(type="type", text=text))
        text = "nothing before this"
    await bench.computer.type(modern.Type(type="type", text=text))
    await bench.told(kind="input", value=text)


OUTSIDE: list[Any] = [
    modern.Click(type="click", x=-1, y=5, button="left"),
    modern.Move(type="move", x=5, y=800),
    modern.DoubleClick(type="double_click", x=1280, y=5, keys=None),
    modern.Scroll(type="scroll", x=5, y=10**9, scroll_x=0, scroll_y=1),
    modern.Drag.model_validate({"type": "drag", "path": [{"x": 5, "y": 5}, {"x": 5, "y": -1}]}),
]


@pytest.mark.parametrize("action", OUTSIDE, ids=lambda action: action.type)
async def test_a_point_outside_is_refused_before_and_at_the_act(bench: Bench, action: Any) -> None:
    with pytest.raises(NotDone, match="outside"):
        await bench.computer.check(action)
    with pytest.raises(NotDone, match="outside"):
        await getattr(bench.computer, action.type)(action)
    assert bench.page.of("mousedown") == []


async def test_a_stop_comes_before_the_act(bench: Bench) -> None:
    click = modern.Click(type="click", x=BARE[0], y=BARE[1], button="left")
    with pytest.raises(BrowserCancelledError):
        await bench.computer.click(click, cancelled=lambda: True)
    assert bench.page.of("mousedown") == []


async def test_the_picture_shows_the_page_pixel_for_pixel(bench: Bench) -> None:
    picture = await bench.computer.screenshot()
    assert picture["type"] == "computer_screenshot"
    blob = picture_blob(picture["image_url"])
    assert blob is not None
    assert image_size(blob.data) == (1280, 800)
