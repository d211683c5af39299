"""The computer tool on a desktop: the SDK's nine methods, and what the console asks of a screen that it shows."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from openai.types.responses.response_computer_tool_call_output_screenshot_param import (
    ResponseComputerToolCallOutputScreenshotParam,
)

from drivers.browser.keys import chords, modifiers
from drivers.computer.page import (
    WAIT_SECS,
    Click,
    DoubleClick,
    Drag,
    Keypress,
    Move,
    Scroll,
    Type,
    Wait,
)
from drivers.desktop.camera import TRIES, Shot, data_url
from drivers.desktop.cast import Cast, Frame
from drivers.desktop.ground import Ground, XGround
from drivers.desktop.human import Human
from drivers.desktop.keysyms import of_key, of_letter
from drivers.desktop.mapping import Mapping
from drivers.desktop.pointer import Point, Pointer
from drivers.desktop.screen import (
    CHANGED,
    KEYS_TO_CONSOLE,
    POINT_ON_CONSOLE,
    Change,
    DesktopScreen,
    Facts,
    Seen,
    View,
)
from drivers.desktop.xserver import DesktopGone
from drivers.errors import BrowserError, Cancelled, NotDone, bounded, stop_if

T = TypeVar("T")

ACTION_SECS = 60.0
LOOK_SECS = 10.0
_POLL_SECS = 0.05


class DesktopDriver:
    """One desktop. Everything of it happens in one thread of its own, one thing after another.

    A refusal (:class:`drivers.errors.NotDone`) comes before any effect of that action; earlier actions of the same
    batch stay done. Points are pixels of the picture that the model gets.
    """

    def __init__(
        self,
        ground: Ground | str,
        *,
        where: str,
        is_ours: bool,
        window: str | None = None,
        picture_at_most: tuple[int, int] | None = None,
    ) -> None:
        """`ground`: a display as in ``DISPLAY``, or what else there is; `where` names it for people; `is_ours`: a
        person's hands may come through this driver, since they have no other. Raises `DesktopMissing`.
        """
        self._ground = XGround(ground, window) if isinstance(ground, str) else ground
        self._server = self._ground.server
        self._windows = self._ground.windows
        self._screen = DesktopScreen(self._server, self._windows, where, window, picture_at_most)
        self._camera = self._ground.camera
        self._pointer = Pointer(self._server)
        try:
            self._keyboard = self._ground.keyboard(self._with_keys)
        except BaseException:
            self._camera.close()
            self._server.close()
            raise
        hands = Human(self._server, self._screen, self._pointer, self._keyboard, self._by_hand)
        self.human = hands if is_ours else None
        """A person's hands; None on a desktop that is theirs anyway."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="desktop")
        self._cast: Cast | None = None
        self._held_point: tuple[Point, Seen] | None = None
        self._pictured: View | None = None
        """What the picture is of that the model's points are points of."""
        self._held_focus: tuple[Seen | None] | None = None
        self.on_change: Callable[[Change], None] = lambda change: None
        """Told of what a person should know, in the caller's loop."""

    async def close(self) -> None:
        """Let everything go. The desktop itself stays."""
        try:
            if self._cast is not None:
                await asyncio.to_thread(self._cast.end)
            # A desktop that is gone holds nothing.
            with contextlib.suppress(BrowserError):
                await self._done(self._let_go, LOOK_SECS)
        finally:
            self._server.close()
            self._thread.shutdown(wait=True)

    def _let_go(self) -> None:
        try:
            self._pointer.let_go()
            self._keyboard.restore()
        finally:
            self._camera.close()

    async def _done(self, work: Callable[[], T], secs: float) -> T:
        loop = asyncio.get_running_loop()
        return await bounded(loop.run_in_executor(self._thread, work), secs=secs, what="The desktop")

    async def _by_hand(self, work: Callable[[], None]) -> None:
        await self._done(work, ACTION_SECS)

    def _with_keys(self) -> Any:
        window = self._windows.with_keys()
        return window.handle if window is not None else None

    # What the SDK's toolset calls.

    async def click(self, action: Click, *, cancelled: Cancelled = None) -> None:
        """Press once."""
        self._require(action.button)
        await self._pointed(action, lambda at: self._pointer.click(at, action.button), cancelled)

    async def double_click(self, action: DoubleClick, *, cancelled: Cancelled = None) -> None:
        """Press twice."""
        await self._pointed(action, lambda at: self._pointer.click(at, "left", 2), cancelled)

    async def move(self, action: Move, *, cancelled: Cancelled = None) -> None:
        """Move the pointer."""
        await self._pointed(action, self._pointer.move, cancelled)

    async def scroll(self, action: Scroll, *, cancelled: Cancelled = None) -> None:
        """Turn the wheel over a point."""
        await self._pointed(action, lambda at: self._pointer.wheel(at, action.scroll_x, action.scroll_y), cancelled)

    async def drag(self, action: Drag, *, cancelled: Cancelled = None) -> None:
        """Press at the first point and let go at the last."""
        path = [(point.x, point.y) for point in action.path]

        def dragged() -> None:
            places = self._path(path)
            self._as_shown(path[0])
            stop_if(cancelled)
            self._holding(
                action.keys or [], lambda: self._pointer.drag(places, lambda: bool(cancelled and cancelled()))
            )

        await self._done(dragged, ACTION_SECS)

    async def keypress(self, action: Keypress, *, cancelled: Cancelled = None) -> None:
        """Press chords."""
        await self._done(lambda: self._keyboard.press(list(action.keys), self._key_check(cancelled)), ACTION_SECS)

    async def type(self, action: Type, *, cancelled: Cancelled = None) -> None:
        """Type at the focus; a line break is the Enter key. The clipboard is not used."""
        await self._done(lambda: self._keyboard.type(action.text, self._key_check(cancelled)), 4 * ACTION_SECS)

    async def wait(self, action: Wait, *, cancelled: Cancelled = None) -> None:
        """Wait a second, or until the caller asks for a stop."""
        end = time.monotonic() + WAIT_SECS
        while (left := end - time.monotonic()) > 0:
            stop_if(cancelled)
            await asyncio.sleep(min(_POLL_SECS, left))

    async def screenshot(self) -> ResponseComputerToolCallOutputScreenshotParam:
        """The picture that the model's points are points of, as a PNG."""
        shot = await self._done(self._to_point_at, LOOK_SECS)
        return {"type": "computer_screenshot", "image_url": data_url(shot)}

    async def picture_to_point_at(self) -> Shot:
        """The same, for whoever else gives points."""
        return await self._done(self._to_point_at, LOOK_SECS)

    def _to_point_at(self) -> Shot:
        shot, self._pictured = self._taken()
        return shot

    def _taken(self) -> tuple[Shot, View]:
        """A picture of what did not change its place meanwhile."""
        mapping, view = self._screen.view()
        for _ in range(TRIES):
            shot, before = self._camera.png(mapping), mapping
            mapping, view = self._screen.view()
            if mapping == before:
                return shot, view
        raise DesktopGone("What this run may use moved too much for a picture of it.")

    # What is checked before anybody is asked, and before anything is done.

    async def check(self, action: Any) -> None:
        """Refuse what is never done, whoever allows it: points outside, the console's own windows, unknown keys."""
        try:
            await self._done(lambda: self._checked(action), LOOK_SECS)
        except NotDone as refusal:
            if str(refusal) in (POINT_ON_CONSOLE, KEYS_TO_CONSOLE):
                self.on_change(Change("input_to_console", detail=str(action.type)))
            raise

    def _require(self, button: str) -> None:
        if button in self._server.lacks:
            raise NotDone("Not done: this desktop has no such button.")

    def _checked(self, action: Any) -> None:
        if action.type == "click":
            self._require(action.button)
        if action.type == "drag":
            self._path([(point.x, point.y) for point in action.path])
        elif action.type in ("click", "double_click", "move", "scroll"):
            self._screen.point(action.x, action.y, self._pictured)
        elif action.type == "keypress":
            self._keyboard.require([of_key(name) for chord in chords(list(action.keys)) for name in chord])
            self._screen.keys()
        elif action.type == "type":
            self._keyboard.require([of_letter(letter) for letter in action.text.replace("\r", "\n")])
            self._screen.keys()
        modifiers(list(getattr(action, "keys", None) or []) if action.type != "keypress" else [])

    async def _pointed(self, action: Any, act: Callable[[Point], None], cancelled: Cancelled) -> None:
        def acted() -> None:
            at = self._screen.point(action.x, action.y, self._pictured)
            self._as_shown((action.x, action.y))
            stop_if(cancelled)
            self._holding(action.keys or [], lambda: act(at))
            self._server.pinged(self._with_keys(), _POLL_SECS)

        await self._done(acted, ACTION_SECS)

    def _path(self, path: Sequence[tuple[int, int]]) -> list[Point]:
        if len(path) < 2:
            raise NotDone("Not done: a drag needs two points or more.")
        return [self._screen.point(x, y, self._pictured) for x, y in path]

    def _holding(self, keys: Sequence[str], act: Callable[[], None]) -> None:
        names = modifiers(list(keys))
        self._keyboard.hold(names)
        try:
            act()
        finally:
            self._keyboard.let_go(names)

    def _as_shown(self, point: tuple[int, int]) -> None:
        held, self._held_point = self._held_point, None
        if held is not None and held[0] == point and self._screen.seen_at(*point, self._pictured).ref != held[1].ref:
            raise NotDone(CHANGED)

    def _key_check(self, cancelled: Cancelled) -> Callable[[], None]:
        """Before each piece of text: no stop, and the window that was shown still has the keys."""
        held, self._held_focus = self._held_focus, None

        def check() -> None:
            stop_if(cancelled)
            now = self._screen.seen_focus()
            if held is not None and (now.ref if now else None) != (held[0].ref if held[0] else None):
                raise NotDone(CHANGED)

        return check

    # What the console shows an ask with.

    async def expect(self, target: str) -> Seen:
        """A desktop has no refs."""
        raise NotDone("There are no page elements on a desktop.")

    async def expect_at(self, x: float, y: float, tab_id: str | None = None) -> Seen:
        """The window that a press at a point would reach."""
        return await self._done(lambda: self._screen.seen_at(int(x), int(y), self._pictured), LOOK_SECS)

    async def expect_focus(self, tab_id: str | None = None) -> Seen | None:
        """The window that keys would go to."""
        return await self._done(self._screen.seen_focus, LOOK_SECS)

    async def page_facts(self, tab_id: str | None) -> Facts:
        """The desktop in the place of a page."""
        return await self._done(self._screen.facts, LOOK_SECS)

    async def picture(self, tab_id: str | None = None) -> Shot:
        """The desktop now, as a PNG."""
        return (await self._done(self._taken, LOOK_SECS))[0]

    def hold_to(self, evidence: Any) -> None:
        """There are no refs to be held to."""

    def hold_point(self, x: float, y: float, evidence: Seen) -> None:
        """The next pointer action that begins at this point is done only on the window that was shown."""
        self._held_point = ((int(x), int(y)), evidence)

    def hold_focus(self, evidence: Seen | None) -> None:
        """The next keys go only to the window that was shown."""
        self._held_focus = (evidence,)

    async def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        mapping: Mapping = await self._done(self._screen.mapping, LOOK_SECS)
        return mapping.image_width, mapping.image_height

    async def first_window(self, secs: float) -> None:
        """Wait until a window is shown, at most `secs`."""

        def waited() -> None:
            end = time.monotonic() + secs
            while not self._windows.all() and time.monotonic() < end:
                time.sleep(_POLL_SECS)

        await self._done(waited, secs + LOOK_SECS)

    async def start_cast(self, put: Callable[[Frame], None]) -> None:
        """Hand live pictures to `put`, from a thread of its own, until the driver is closed."""

        def made() -> Cast:
            beside = self._ground.beside()
            screen = DesktopScreen(beside.server, beside.windows, "", self._screen.only, self._screen.at_most)
            return Cast(beside.camera, screen.mapping, put, beside.server.close)

        self._cast = await self._done(made, LOOK_SECS)
        self._cast.start()
