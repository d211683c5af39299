"""Several screens with gaps between them, screens of their own numbers, and pictures of one window that moves."""

import asyncio
import io
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
from openai.types.responses import computer_action as modern
from PIL import Image
from Xlib import X
from Xlib.protocol import display, event

from drivers.desktop import pointer
from drivers.desktop.camera import HIDDEN
from drivers.desktop.driver import DesktopDriver
from drivers.desktop.xserver import XServer
from drivers.errors import NotDone
from tests.helpers.vnc_desktop import NEEDS_VNC, vnc_desktop
from tests.helpers.x_screens import Program, x_server
from tests.unit.drivers.desktop.conftest import NEEDS_DESKTOP

pytestmark = NEEDS_DESKTOP

RED, GREEN, BLUE = 0xFF0000, 0x00FF00, 0x0000FF
BLACK = (0, 0, 0)


def click(x: int, y: int) -> Any:
    return modern.Click(type="click", x=x, y=y, button="left")


@contextmanager
def programs(display: str, count: int = 1) -> Iterator[list[Program]]:
    made: list[Program] = []
    try:
        made.extend(Program(display) for _ in range(count))
        yield made
    finally:
        for one in made:
            one.close()


@asynccontextmanager
async def driver_on(display: str, **options: Any) -> AsyncIterator[DesktopDriver]:
    driver = await asyncio.to_thread(lambda: DesktopDriver(display, where="a desktop", is_ours=True, **options))
    try:
        yield driver
    finally:
        await driver.close()


async def shown(driver: DesktopDriver) -> Image.Image:
    """The picture that points are points of."""
    return Image.open(io.BytesIO((await driver.picture_to_point_at()).data)).convert("RGB")


async def refused(driver: DesktopDriver, action: Any, words: str) -> None:
    """Before anybody is asked, and once more at the act."""
    with pytest.raises(NotDone, match=words):
        await driver.check(action)
    with pytest.raises(NotDone, match=words):
        await getattr(driver, action.type)(action)


GAPS = [(1340, 100), (1340, 500), (2000, 100), (1500, 1100), (400, 1350), (10, 1060)]
"""Between the two upper screens, above and below the right one, beside and above the lowest."""
LANDED = [
    # point of the screen, window, point in the window
    ((1270, 1000), "left", (1270, 1000)), ((1400, 200), "right", (0, 0)), ((2599, 999), "right", (1199, 799)),
    ((299, 1399), "low", (299, 299)), ((0, 1100), "low", (0, 0)),
]  # fmt: skip


@pytest.mark.parametrize("at_most", [None, (1300, 750), (701, 997)])
async def test_points_land_on_every_screen_and_never_in_a_gap(at_most: tuple[int, int] | None) -> None:
    with x_server("2600x1500") as name, programs(name) as [program]:
        # The lowest begins left of everything that the server shows, so that only a part of it is to be seen.
        program.monitors((0, 0, 1280, 1024), (1400, 200, 1200, 800), (-200, 1100, 500, 300))
        program.show("left", RED, (0, 0, 1280, 1024))
        program.show("right", GREEN, (1400, 200, 1200, 800))
        program.show("low", BLUE, (0, 1100, 300, 300))
        async with driver_on(name, picture_at_most=at_most) as driver:
            assert program.server.screens == [(0, 0, 1280, 1024), (1400, 200, 1200, 800), (-200, 1100, 500, 300)]
            picture = await shown(driver)
            across, down = picture.width / 2600, picture.height / 1500
            assert picture.size == {None: (2600, 1500), (1300, 750): (1300, 750), (701, 997): (701, 404)}[at_most]
            for at, colour in (((600, 500), (255, 0, 0)), ((2000, 600), (0, 255, 0)), ((150, 1250), (0, 0, 255))):
                assert picture.getpixel((int(at[0] * across), int(at[1] * down))) == colour
            for at in GAPS:
                await refused(driver, click(int(at[0] * across), int(at[1] * down)), "outside every screen")
            way = [{"x": 5, "y": 5}, {"x": int(1340 * across), "y": 5}]
            await refused(driver, modern.Drag.model_validate({"type": "drag", "path": way}), "outside every screen")
            assert program.pressed() == []
            for at, window, inside in LANDED:
                # The last picture point of a screen, and not the first of the gap, where one shows both.
                point = (min(int(at[0] * across), picture.width - 1), min(int(at[1] * down), picture.height - 1))
                try:
                    await driver.click(click(*point))
                except NotDone:
                    assert at_most is not None
                    continue
                [(landed, x, y)] = program.pressed()
                assert landed == window
                if at_most is None:
                    assert (x, y) == inside
                else:
                    assert abs(x - inside[0]) <= 1 / across + 1
                    assert abs(y - inside[1]) <= 1 / down + 1


async def test_a_screen_of_another_number_is_looked_at_and_used_by_itself() -> None:
    with x_server("1280x800", "1024x768") as name, programs(f"{name}.0") as [first], programs(f"{name}.1") as [second]:
        console = first.show("signalbox", RED, (0, 0, 1280, 800))
        second.show("other", GREEN, (0, 0, 1024, 768))
        async with driver_on(f"{name}.1") as driver:
            picture = await shown(driver)
            assert picture.size == (1024, 768)
            assert picture.getcolors() == [(1024 * 768, (0, 255, 0))]
            await driver.click(click(1023, 767))
            assert (first.pressed(), second.pressed()) == ([], [("other", 1023, 767)])
            # Keys go where the focus is, on whichever screen.
            console.set_input_focus(X.RevertToParent, X.CurrentTime)
            first.server.settle()
            await refused(driver, modern.Keypress(type="keypress", keys=["Enter"]), "the console that supervises")


async def test_nothing_is_pressed_where_the_pointer_is_kept_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with x_server("1280x800") as name, programs(name, 2) as [game, other]:
        held = game.show("game", RED, (0, 0, 200, 200))
        other.show("other", GREEN, (300, 0, 200, 200))
        async with driver_on(name) as driver:
            held.grab_pointer(True, X.ButtonPressMask, X.GrabModeAsync, X.GrabModeAsync, held, X.NONE, X.CurrentTime)
            game.server.settle()
            monkeypatch.setattr(pointer, "ARRIVE_SECS", 0.2)
            for action in (click(350, 50), modern.Scroll(type="scroll", x=350, y=50, scroll_x=0, scroll_y=100)):
                with pytest.raises(NotDone, match="does not stay"):
                    await getattr(driver, action.type)(action)
            assert (game.pressed(), other.pressed()) == ([], [])
            monkeypatch.undo()
            game.server.display.ungrab_pointer(X.CurrentTime)
            game.server.settle()
            await driver.click(click(350, 50))
            assert other.pressed() == [("other", 50, 50)]


async def test_a_drag_goes_its_way_though_a_manager_takes_long_over_the_press(monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds the pointer meanwhile, and of all the moves that wait for it the server keeps the last."""
    looks: list[bool] = []
    with x_server("1280x800") as name, programs(name, 2) as [manager, program]:
        window = program.show("canvas", GREEN, (0, 0, 600, 600))
        window.change_attributes(event_mask=X.PointerMotionMask)
        program.server.settle()
        manager.server.root.grab_button(
            1, X.AnyModifier, True, X.ButtonPressMask, X.GrabModeSync, X.GrabModeAsync, X.NONE, X.NONE
        )
        manager.server.settle()

        def looked(server: XServer, seen: Any = XServer.pointer.fget) -> Any:  # type: ignore[attr-defined]
            if manager.server.display.pending_events():
                # It has the press: it lets go of the pointer only after somebody has asked for that a few times.
                looks.append(True)
                if len(looks) == 3:
                    let_go()
            return seen(server)

        def let_go() -> None:
            manager.server.display.allow_events(X.ReplayPointer, X.CurrentTime)
            manager.server.settle()

        monkeypatch.setattr(XServer, "pointer", property(looked))
        async with driver_on(name) as driver:
            way = [{"x": 100, "y": 100}, {"x": 150, "y": 100}, {"x": 150, "y": 300}]
            await driver.drag(modern.Drag.model_validate({"type": "drag", "path": way}))
            let_go()
            program.server.settle()
            moves = []
            while program.server.display.pending_events():
                told = program.server.display.next_event()
                if told.type == X.MotionNotify and told.state & X.Button1Mask:
                    moves.append((told.event_x, told.event_y))
    assert moves == [(x, 100) for x in range(110, 151, 10)] + [(150, 100 + 200 * step // 17) for step in range(1, 18)]


async def test_keys_do_not_overtake_a_press_that_a_manager_takes_long_over(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[bool] = []
    with x_server("1280x800") as name, programs(name, 2) as [manager, program]:
        field, other = program.show("field", GREEN, (0, 0, 600, 600)), program.show("other", RED, (600, 0, 600, 600))
        for window in (field, other):
            window.change_attributes(event_mask=X.KeyPressMask)
        other.set_input_focus(X.RevertToParent, X.CurrentTime)
        program.server.settle()
        manager.server.root.grab_button(
            1, X.AnyModifier, True, X.ButtonPressMask, X.GrabModeSync, X.GrabModeAsync, X.NONE, X.NONE
        )
        manager.server.settle()

        def looked(server: XServer, seen: Any = XServer.is_pressed.fget) -> Any:  # type: ignore[attr-defined]
            looks.append(True)
            if len(looks) == 3:
                manager.server.window(field.id).set_input_focus(X.RevertToParent, X.CurrentTime)
                manager.server.display.allow_events(X.ReplayPointer, X.CurrentTime)
                manager.server.settle()
            return seen(server)

        monkeypatch.setattr(XServer, "is_pressed", property(looked))
        async with driver_on(name) as driver:
            await driver.click(click(300, 300))
            await driver.type(modern.Type(type="type", text="abc"))
            program.server.settle()
            got = []
            while program.server.display.pending_events():
                told = program.server.display.next_event()
                got += [told.window.id] if told.type == X.KeyPress else []
    assert got == [field.id] * 3


async def test_points_of_a_window_that_moved_stay_in_it_or_are_refused() -> None:
    with x_server("1280x800") as name, programs(name) as [program]:
        window = program.show("notes", RED, (-100, 50, 400, 300))
        async with driver_on(name, window="notes") as driver:
            assert (await shown(driver)).size == (300, 300)
            await driver.click(click(0, 0))
            assert program.pressed() == [("notes", 100, 0)]
            # What was its left edge is none any more.
            window.configure(x=200)
            program.server.settle()
            await refused(driver, click(0, 0), "another part of the screen")
            assert program.pressed() == []
            assert (await shown(driver)).size == (400, 300)
            window.configure(x=700, y=400)
            program.server.settle()
            await driver.click(click(10, 20))
            assert program.pressed() == [("notes", 10, 20)]
            window.configure(width=100, height=100)
            program.server.settle()
            await refused(driver, click(150, 20), "outside the picture")
            window.configure(x=1300)
            program.server.settle()
            await refused(driver, click(10, 20), "outside the screen")


async def test_points_of_a_scaled_picture_are_refused_once_the_scale_is_another() -> None:
    with x_server("1280x800") as name, programs(name) as [program]:
        window = program.show("notes", RED, (100, 100, 800, 600))
        async with driver_on(name, window="notes", picture_at_most=(400, 400)) as driver:
            assert (await shown(driver)).size == (400, 300)
            await driver.click(click(100, 100))
            assert program.pressed() == [("notes", 201, 201)]
            window.configure(width=600, height=600)
            program.server.settle()
            await refused(driver, click(100, 100), "at another scale")
            assert (await shown(driver)).size == (400, 400)
            await driver.click(click(100, 100))
            assert program.pressed() == [("notes", 150, 150)]


async def test_what_others_have_in_front_of_the_one_window_is_not_shown() -> None:
    with x_server("1280x800") as name, programs(name, 2) as [program, stranger]:
        program.show("notes", RED, (100, 100, 400, 300))
        async with driver_on(name, window="notes") as driver:
            stranger.show("password keeper", GREEN, (150, 150, 100, 100))
            # A menu is a window of the same program, whatever it is called.
            program.show("menu", BLUE, (200, 200, 100, 100))
            picture = await shown(driver)
            assert [picture.getpixel(at) for at in ((5, 5), (60, 60), (120, 120), (50, 50), (49, 49))] == [
                (255, 0, 0), HIDDEN, (0, 0, 255), HIDDEN, (255, 0, 0)
            ]  # fmt: skip
            assert picture.getcolors(2**16) is not None
            assert (0, 255, 0) not in {colour for _, colour in picture.getcolors(2**16) or []}
            await refused(driver, click(60, 60), "another window lies there")
            await driver.click(click(120, 120))
            assert (program.pressed(), stranger.pressed()) == ([("menu", 20, 20)], [])


@NEEDS_VNC
async def test_a_server_with_outputs_of_its_own_and_one_that_numbers_events_otherwise() -> None:
    """TigerVNC as the operator's own display: the library for pictures cannot use its quick way there."""
    async with vnc_desktop("-SecurityTypes", "None") as theirs:
        with x_server("640x480") as other, programs(theirs.display) as [program], programs(other) as [elsewhere]:
            numbers = [one.server.display.extension_event.ScreenChangeNotify for one in (program, elsewhere)]
            assert numbers[0] != numbers[1]
            # The library's own table, which all connections would share, is as it came.
            assert vars(display.Display)["event_classes"] == event.event_class
            program.show("window", RED, (0, 0, 1280, 800))
            async with driver_on(theirs.display) as driver:
                assert (await shown(driver)).getcolors() == [(1280 * 800, (255, 0, 0))]
                await driver.click(click(1279, 799))
                assert program.pressed() == [("window", 1279, 799)]
