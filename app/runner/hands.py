"""A person's hands on the driven browser while they have control: input in its order, and what of it is on record."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.core.errors import NotDurable
from app.core.events import PictureTaken
from app.core.evidence import Point
from app.core.human import (
    ComposeInput,
    HumanActed,
    HumanInput,
    KeyInput,
    MouseInput,
    TabInput,
    TextInput,
    WheelInput,
)
from app.core.live import LatestFrame
from app.core.ports import Clock, Journal
from app.gate.control import Control
from app.runner.screen import picture_of_frame
from app.tasks import TaskOwner, spawn
from drivers.errors import BrowserError

log = logging.getLogger(__name__)

QUIET_SECS = 0.7
"""After so long without input what was typed goes on record, with a picture of what came of it."""

BROKEN = "your input could not be brought in or recorded"

TOLD_MODEL = (
    "The operator took control of the browser and has handed it back. They may have changed anything in it, and "
    "every reference that you hold is void. Look at the page again before you do anything else."
)


@dataclass(frozen=True)
class _Put:
    """Input on its way."""

    given: HumanInput
    kept: bool
    """Whether the record had no gap when the person made it."""


def _is_move(one: object) -> bool:
    return isinstance(one, _Put) and isinstance(one.given, MouseInput) and one.given.kind == "move"


class Hands:
    """One per run. Whatever a person does is recorded as theirs, before it is done; typed letters as one text.

    What goes into a field for secrets is counted, not kept, and while the record has a gap nothing is.
    """

    def __init__(self, human: Any, journal: Journal, frames: LatestFrame, clock: Clock, control: Control) -> None:
        """`human`: the driver's `Human`; None where it has none, and then nobody can take control."""
        self._human = human
        self._journal = journal
        self._frames = frames
        self._clock = clock
        self._control = control
        self._queue: asyncio.Queue[_Put | Callable[[], None]] = asyncio.Queue()
        self._tasks = TaskOwner("hands")
        self._typed = ""
        self._secret = 0
        self._pictured_ns = 0
        self._work: asyncio.Task[None] | None = None

    @classmethod
    def of(cls, driver: Any, journal: Journal, frames: LatestFrame, clock: Clock, control: Control) -> "Hands":
        """The hands on that driver; `control` can be taken from now on if the driver lets a person act."""
        made = cls(getattr(driver, "human", None), journal, frames, clock, control)
        if made._human is not None:
            control.hands = made
        return made

    async def aclose(self) -> None:
        """Nobody can take control any more."""
        self._control.hands = None
        await self._tasks.aclose()

    def begin(self) -> None:
        """As `control.Hands`."""
        self._pictured_ns = self._clock.mono_ns()
        self._queue = asyncio.Queue()
        self._work = spawn(
            "a person's input", self._input(self._queue), owner=self._tasks, on_failure=lambda *_: self._broken()
        )

    def _broken(self) -> None:
        # Nothing more would arrive, and the way back goes through the same queue.
        with contextlib.suppress(NotDurable):
            self._control.give_back(BROKEN)

    def put(self, given: HumanInput) -> None:
        """As `control.Hands`."""
        self._queue.put_nowait(_Put(given, not self._control.private))

    def then(self, do: Callable[[], None]) -> None:
        """As `control.Hands`."""
        self._queue.put_nowait(do)

    def end(self) -> None:
        """As `control.Hands`."""
        work, self._work = self._work, None
        if work is not None and work is not asyncio.current_task():
            work.cancel("handed back")
        self._write_down()
        self._human.void_refs()
        spawn("letting go", self._let_go(), owner=self._tasks)

    async def _let_go(self) -> None:
        try:
            await self._human.let_go()
        except BrowserError as error:
            log.info("not everything could be let go: %s", type(error).__name__)

    async def _input(self, queue: "asyncio.Queue[_Put | Callable[[], None]]") -> None:
        while self._work is asyncio.current_task():
            try:
                following = await asyncio.wait_for(queue.get(), QUIET_SECS)
            except TimeoutError:
                self._write_down()
                following = await queue.get()
            while _is_move(following) and not queue.empty():
                before, following = following, queue.get_nowait()
                if not _is_move(following):
                    await self._do(before)
            await self._do(following)

    async def _do(self, one: "_Put | Callable[[], None]") -> None:
        if not isinstance(one, _Put):
            self._write_down()
            one()
            return
        try:
            if one.kept:
                await self._record(one.given)
            await self._act(one.given)
        except BrowserError as error:
            # A page or tab that went away under the hand; the person sees as much.
            log.info("a person's input did not arrive: %s", type(error).__name__)

    async def _act(self, given: HumanInput) -> None:
        human = self._human
        match given:
            case MouseInput():
                await human.mouse(given.kind, given.x, given.y, given.button, given.clicks)
            case WheelInput():
                await human.wheel(given.x, given.y, given.dx, given.dy)
            case KeyInput():
                await human.key(given.key, given.down)
            case TextInput():
                await human.insert(given.text)
            case ComposeInput():
                await human.compose(given.text, given.cursor)
            case TabInput():
                await human.switch(given.tab_id)

    async def _record(self, given: HumanInput) -> None:
        match given:
            case MouseInput(kind="down"):
                times = "" if given.clicks == 1 else f", {given.clicks} times"
                self._acted(act="press", point=Point(x=given.x, y=given.y), detail=f"{given.button}{times}")
            case WheelInput():
                self._acted(act="wheel", point=Point(x=given.x, y=given.y), detail=f"{given.dx:g}, {given.dy:g}")
            case KeyInput(down=True, types=True) if len(given.key) == 1:
                await self._note(given.key)
            case KeyInput(down=True) if given.key not in ("Shift", "Control", "Alt", "Meta"):
                self._acted(act="keys", detail=given.key if len(given.key) > 1 else "a letter with a modifier")
            case TextInput(pasted=True):
                secret = await self._human.secret_focus()
                text = None if secret is not False else given.text
                self._acted(act="paste", text=text, characters=len(given.text))
            case TextInput():
                await self._note(given.text)
            case TabInput():
                self._acted(act="tab", detail=given.tab_id)

    async def _note(self, text: str) -> None:
        """Letters on their way: kept until there is a pause, unless they go into a field for secrets."""
        if await self._human.secret_focus() is False:
            if self._secret:
                self._write_text()
            self._typed += text
        else:
            if self._typed:
                self._write_text()
            self._secret += len(text)

    def _write_text(self) -> None:
        typed, secret = self._typed, self._secret
        self._typed, self._secret = "", 0
        if typed or secret:
            self._journal.append(
                HumanActed(
                    act="text",
                    tab_id=self._human.tab_id,
                    text=typed or None,
                    characters=len(typed) + secret,
                    detail="into a field for secrets" if secret else "",
                )
            )

    def _acted(self, **what: Any) -> None:
        self._write_text()
        self._journal.append(HumanActed(tab_id=self._human.tab_id, **what))

    def _write_down(self) -> None:
        """What was typed, and a picture if there is a newer one."""
        self._write_text()
        frame = self._frames.frame
        if not self._control.recording:
            # Nothing from inside a gap is kept after it either.
            self._pictured_ns = self._clock.mono_ns()
        elif frame is not None and frame.taken_mono_ns > self._pictured_ns:
            self._pictured_ns = frame.taken_mono_ns
            picture, blob = picture_of_frame(frame, self._clock)
            self._journal.append(PictureTaken(role="live", picture=picture), [blob])
