"""The driver on a real X server with a window manager: letters, layouts, windows, and what is closed to it."""

import asyncio
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from openai.types.responses import computer_action as modern
from Xlib import X

from drivers.desktop.camera import HIDDEN
from drivers.desktop.cast import Frame
from drivers.desktop.screen import Change
from drivers.desktop.xserver import XServer
from drivers.errors import NotDone
from tests.unit.drivers.desktop.conftest import NEEDS_DESKTOP, Bench, a_desktop, soon_true

pytestmark = [NEEDS_DESKTOP, pytest.mark.asyncio(loop_scope="module")]


def click(x: int, y: int) -> Any:
    return modern.Click(type="click", x=x, y=y, button="left")


def typed(text: str) -> Any:
    return modern.Type(type="type", text=text)


def keys(*names: str) -> Any:
    return modern.Keypress(type="keypress", keys=list(names))


async def emptied(bench: Bench) -> None:
    await bench.driver.keypress(keys("ctrl+a"))
    await bench.driver.keypress(keys("Delete"))
    await bench.holds("")


CYRILLIC = {"й": 0x6CA, "ц": 0x6C3, "н": 0x6CE}
MANY = "".join(chr(0x4E00 + at) for at in range(120)) + "Ω" + "".join(chr(0x4E00 + at) for at in range(60))


async def laid_out(bench: Bench, layout: str) -> None:
    """Give the keyboard a layout. One that comes a moment later would change keys that are in use."""
    env = {**os.environ, "DISPLAY": bench.virtual.display, "XAUTHORITY": bench.virtual.access}
    await asyncio.to_thread(subprocess.run, ["setxkbmap", layout], env=env, check=True)


@pytest.mark.parametrize(("layout", "row"), [("us", "qwy"), ("de", "qwz"), ("fr", "azy"), ("ru", "йцн")])
async def test_text_arrives_letter_for_letter_on_any_layout(desktop: Bench, layout: str, row: str) -> None:
    await laid_out(desktop, layout)
    try:
        server = XServer(desktop.virtual.display)
        syms = [server.display.get_keyboard_mapping(code, 1)[0][0] for code in (24, 25, 29)]
        server.close()
        assert syms == [CYRILLIC.get(letter, ord(letter)) for letter in row]
        await emptied(desktop)
        text = "The quick Brown @fox~ {jumps} 'über' жизнь z/y\\ €5 – ẞ 😀\n\ttabs"
        await desktop.driver.type(typed(text))
        await desktop.holds(text)
    finally:
        await laid_out(desktop, "us")


async def test_more_letters_than_the_keyboard_has_keys_for(desktop: Bench) -> None:
    await emptied(desktop)
    await desktop.driver.type(typed(MANY))
    await desktop.holds(MANY)


async def test_caps_lock_changes_no_letter_and_stays(desktop: Bench) -> None:
    await emptied(desktop)
    await desktop.driver.keypress(keys("CapsLock"))
    try:
        await desktop.driver.type(typed("aBc äÖ"))
        await desktop.holds("aBc äÖ")
        server = XServer(desktop.virtual.display)
        assert server.root.query_pointer().mask & X.LockMask
        server.close()
    finally:
        await desktop.driver.keypress(keys("CapsLock"))


async def test_the_clipboard_is_left_as_it_was(desktop: Bench) -> None:
    await emptied(desktop)
    server = XServer(desktop.virtual.display)
    owner = server.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    clipboard = server.atom("CLIPBOARD")
    owner.set_selection_owner(clipboard, X.CurrentTime)
    await desktop.driver.type(typed("nothing 好 is copied"))
    await desktop.holds("nothing 好 is copied")
    assert server.display.get_selection_owner(clipboard) == owner
    server.close()


@pytest.mark.parametrize("text", ["a\0b", "\x1b[A", "\x7f", "\ud800"])
async def test_what_no_key_gives_is_refused_before_anything_is_typed(desktop: Bench, text: str) -> None:
    await emptied(desktop)
    for refused in (desktop.driver.check, desktop.driver.type):
        with pytest.raises(NotDone, match="control character"):
            await refused(typed(text))
    await desktop.driver.type(typed("!"))
    await desktop.holds("!")


async def test_an_unknown_key_is_refused_before_anybody_is_asked(desktop: Bench) -> None:
    with pytest.raises(NotDone, match="no key by one of these names"):
        await desktop.driver.check(keys("ctrl", "any key"))


async def test_the_console_s_windows_are_not_shown_and_not_touched(tmp_path: Path) -> None:
    async with a_desktop(tmp_path) as bench:
        told: list[Change] = []
        bench.driver.on_change = told.append
        await bench.window("signalbox", "red", 300, 200, 400, 300)
        picture = await bench.picture()
        assert picture.getpixel((500, 350)) == HIDDEN
        assert all(count == 0 for count, colour in picture.getcolors(2**24) or [] if colour == (255, 0, 0))
        for action in (click(500, 350), modern.Move(type="move", x=301, y=250), keys("Enter"), typed("y")):
            with pytest.raises(NotDone, match="the console that supervises this run"):
                await bench.driver.check(action)
            with pytest.raises(NotDone, match="the console that supervises this run"):
                await getattr(bench.driver, action.type)(action)
        assert [(change.kind, change.detail) for change in told] == [
            ("input_to_console", name) for name in ("click", "move", "keypress", "type")
        ]
        # Beside it, and on what lies in front of it, the run goes on.
        await bench.window("other", "blue", 400, 250, 100, 100)
        assert (await bench.driver.expect_at(450, 300)).label == "other"
        await bench.driver.click(click(100, 600))
        await bench.driver.type(typed("typed"))
        await bench.holds("typed")


async def test_an_act_is_held_to_the_window_that_was_shown(tmp_path: Path) -> None:
    async with a_desktop(tmp_path) as bench:
        shown = await bench.driver.expect_at(500, 350)
        focus = await bench.driver.expect_focus()
        assert shown.label == "editor"
        await bench.window("other", "blue", 300, 200, 400, 300)
        bench.driver.hold_point(500, 350, shown)
        with pytest.raises(NotDone, match="another window"):
            await bench.driver.click(click(500, 350))
        bench.driver.hold_focus(focus)
        with pytest.raises(NotDone, match="another window"):
            await bench.driver.type(typed("not for this one"))
        await bench.driver.click(click(100, 600))
        await bench.driver.type(typed("done"))
        await bench.holds("done")


async def test_one_window_scaled_down(tmp_path: Path) -> None:
    async with a_desktop(tmp_path, window="Notes", picture_at_most=(640, 640)) as bench:
        shown: list[Frame] = []
        await bench.driver.start_cast(shown.append)
        await soon_true(lambda: shown)
        assert (shown[0].shot.width, shown[0].shot.media_type) == (640, "image/jpeg")
        full = await bench.driver.size()
        assert max(full) == 640
        await bench.driver.click(click(full[0] // 2, full[1] // 2))
        await bench.driver.type(typed("within"))
        await bench.holds("within")
        with pytest.raises(NotDone, match="outside the picture"):
            await bench.driver.check(click(full[0], 5))
        await bench.window("other", "blue", 300, 200, 400, 300)
        with pytest.raises(NotDone, match="another window"):
            await bench.driver.check(click(250, 180))
        with pytest.raises(NotDone, match="another window has the keys"):
            await bench.driver.check(typed("elsewhere"))


async def test_a_person_s_own_hands(desktop: Bench) -> None:
    await emptied(desktop)
    human = desktop.driver.human
    assert human is not None
    await human.mouse("down", 600, 300, "left", 1)
    await human.mouse("up", 600, 300, "left", 1)
    for name in ("h", "@", "ö"):
        await human.key(name, True)
        await human.key(name, False)
    await human.key("Shift", True)
    await human.key("X", True)
    await human.let_go()
    await human.insert(" 好")
    await desktop.holds("h@öX 好")
