"""What a player has: the members of the toolset, as the SDK gives them to a model."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tests.conformance.conftest import Bench
from tests.conformance.miniwob.pages import Instruction
from tests.conformance.miniwob.sight import Sight

VIEW = (280, 212)
"""A task takes 160 by 210; in this view the wheel turns over it."""

MOST_KEYS = 32
"""Chords in one call."""

SCORE_BOARD = ("Last reward:", "Last 10 average:", "Time left:", "Episodes done:", "START")

PATIENCE_SECS = 2.5
"""How long a thing that moves or is covered is tried again."""

FEWEST_TRIES = 5
"""How often at least something is looked for or pressed, however slow the machine is."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Control:
    """One control of a report."""

    ref: str
    role: str
    label: str
    value: str = ""
    options: tuple[tuple[str, str], ...] = ()
    checked: bool = False

    @property
    def unnamed(self) -> bool:
        """Whether the page gave no words for it."""
        return self.label.startswith("(unnamed")


@dataclass(frozen=True)
class View:
    """One report: lines of text below the instruction, and the controls."""

    lines: list[str]
    controls: list[Control]

    def of(self, *roles: str) -> list[Control]:
        """The controls of some roles, in page order."""
        return [control for control in self.controls if control.role in roles]

    def named(self, label: str, *roles: str) -> list[Control]:
        """The controls of that label, case aside."""
        wanted = " ".join(label.split()).casefold()
        return [c for c in self.controls if c.label.casefold() == wanted and (not roles or c.role in roles)]

    @property
    def unnamed(self) -> list[Control]:
        """The controls without words."""
        return [control for control in self.controls if control.unnamed]


class Stuck(AssertionError):
    """The player does not know how to go on."""


class Hands:
    """Plays one episode; counts its calls."""

    def __init__(self, bench: Bench, told: Instruction, aid: str = "") -> None:
        self._bench = bench
        self.goal = told.words
        self.fields = told.fields
        self.aid = aid
        """Where the player finds pages of its own."""
        self.calls = 0
        self.passes: Callable[[float], Awaitable[None]] | None = None
        """Lets so many milliseconds pass in a page whose time stands still otherwise."""

    @property
    def quoted(self) -> list[str]:
        """The words between quotation marks in the instruction."""
        return re.findall(r'"([^"]*)"', self.goal)

    def told(self, pattern: str) -> str:
        """The first group of a pattern in the instruction."""
        found = re.search(pattern, self.goal)
        if found is None:
            raise Stuck(f"no {pattern!r} in the instruction")
        return found.group(1)

    async def call(self, member: str, **arguments: Any) -> dict[str, Any]:
        """One call; what the model gets."""
        self.calls += 1
        if member != "new_tab":
            arguments = {"tab_id": None, **arguments}
        return await self._bench.call(member, **arguments)

    async def done(self, member: str, **arguments: Any) -> Any:
        """One call that must succeed."""
        answer = await self.call(member, **arguments)
        if not answer["ok"]:
            raise Stuck(f"{member}: {answer['error']}")
        return answer.get("result")

    async def read(self) -> View:
        """The page as it stands, without the instruction and the page's own score board."""
        report = await self.done("read_page", filter="all")
        lines = [line.strip() for line in report["text"].split("\n")]
        lines = [line for line in lines if line and not line.startswith(SCORE_BOARD)]
        return View(
            self._below_goal(lines),
            [_control(element) for element in report["elements"] if element["label"] != "START"],
        )

    def _below_goal(self, lines: list[str]) -> list[str]:
        """Leave out the lines at the top that the instruction is made of; a picture in it may stand for a word."""
        asked = " ".join(self.goal.split())
        while lines and lines[0] in asked:
            asked = asked.partition(lines[0])[2]
            lines = lines[1:]
        return lines

    async def read_lines(self) -> list[str]:
        """The text alone."""
        return (await self.read()).lines

    async def until(self, ready: Callable[[View], Any], what: str, *, secs: float = 5.0) -> View:
        """Read until something can be seen; on a slow machine one read may take all the time."""
        late, reads = time.monotonic() + secs, 1
        while not ready(view := await self.read()):
            reads += 1
            if time.monotonic() > late and reads > FEWEST_TRIES:
                raise Stuck(f"{what} never came")
        return view

    async def see(self) -> Sight:
        """A picture of the page."""
        answer = await self.call("screenshot")
        return Sight.of(base64.b64decode(answer["image"].partition(",")[2]))

    async def click(self, control: Control) -> None:
        """Press a control. What the driver refuses since the page moves just then had no effect and is tried again."""
        tries, late = 0, time.monotonic() + PATIENCE_SECS
        while True:
            answer = await self.call("click", target=control.ref)
            tries += 1
            if answer["ok"] or not re.search("held back|hidden", answer["error"]):
                break
            if tries >= FEWEST_TRIES and time.monotonic() > late:
                break
            await self.pause(60)
        if not answer["ok"]:
            raise Stuck(f"click: {answer['error']}")

    async def press(self, label: str, *roles: str, which: int = -1) -> None:
        """Press the control of that label; pages that move it meanwhile are read again."""
        said, tries, late = "not there", 0, time.monotonic() + PATIENCE_SECS
        while tries < FEWEST_TRIES or time.monotonic() < late:
            tries += 1
            found = (await self.read()).named(label, *roles)
            if found:
                answer = await self.call("click", target=found[which].ref)
                if answer["ok"]:
                    return
                said = answer["error"]
            await self.pause(50)
        raise Stuck(f"{label!r}: {said}")

    async def submit(self) -> None:
        """Press the button that ends most tasks."""
        await self.press("Submit", "button")

    async def type(self, control: Control, text: str) -> None:
        """Fill a field."""
        await self.done("type", target=control.ref, text=text)

    async def keys(self, *names: str) -> None:
        """Press keys one after another."""
        for start in range(0, len(names), MOST_KEYS):
            await self.done("key", keys=list(names[start : start + MOST_KEYS]))

    async def point(self, at: Point, *, count: int = 1) -> None:
        """Press at a point."""
        await self.done("click_at", x=round(at[0]), y=round(at[1]), button="left", click_count=count, keys=[])

    async def hover(self, at: Point) -> None:
        """Move the pointer."""
        await self.done("hover_at", x=round(at[0]), y=round(at[1]))

    async def drag(self, *path: Point) -> None:
        """Drag through points."""
        await self.done("drag_path", path=[{"x": round(x), "y": round(y)} for x, y in path], keys=[])

    async def pause(self, millis: float) -> None:
        """Wait as a model would: for words that do not come."""
        if self.passes is not None:
            await self.passes(millis)
            return
        await self.call("wait_for", text="never to be seen here", timeout_ms=max(1, round(millis)))


def _control(element: dict[str, Any]) -> Control:
    return Control(
        element["ref"],
        element["role"],
        element["label"],
        element.get("value", ""),
        tuple((option["label"], option["value"]) for option in element.get("options", [])),
        element.get("checked", False),
    )
