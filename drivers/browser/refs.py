"""References that a report hands out: which document each belongs to, so that none can come to mean another thing."""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right
from typing import NoReturn

from drivers.browser.world import World
from drivers.errors import NotDone

KEPT = 4096
"""Runs of references remembered; older ones are refused as stale."""

_REF = re.compile(r"e([1-9][0-9]{0,15})")
_SCOPE = re.compile(r"s([1-9][0-9]{0,15})")

VOID = "This ref is void: the operator has acted in the browser since. Read the page again."
STALE = "This ref is stale: its page or element is no longer there. Read the page again."


class Refs:
    """Numbers are given out once in a session, whatever tab or frame they are for."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._worlds: list[World] = []
        self.last = 0
        self._void_up_to = 0
        self.issuing = asyncio.Lock()
        """Held while a page gives out numbers, so that no number is given out twice."""

    @property
    def start(self) -> str:
        """The page scripts' call before they give out numbers: the last one given out, and the last void one."""
        return f"begin({self.last}, {self._void_up_to})"

    def issued(self, world: World, up_to: int) -> None:
        """Note that the numbers after the last one up to *up_to* are this document's."""
        if up_to > self.last:
            self._starts.append(self.last + 1)
            self._worlds.append(world)
            self.last = up_to
            if len(self._starts) > KEPT:
                del self._starts[: KEPT // 4], self._worlds[: KEPT // 4]

    def void(self) -> None:
        """Nothing given out so far means anything any more: somebody else has acted on the pages."""
        self._void_up_to = self.last

    def world_of(self, ref: str, *, tab_id: str | None) -> World:
        """The document a ref belongs to, or :class:`NotDone`."""
        if _SCOPE.fullmatch(ref):
            raise NotDone("This ref names a section to read, not an element to act on.")
        return self._find(_REF.fullmatch(ref), tab_id)

    def scope_world(self, ref: str, *, tab_id: str | None) -> World:
        """The document a scope ref belongs to, or :class:`NotDone`."""
        if _REF.fullmatch(ref):
            raise NotDone("This ref names an element, not a section that can be read.")
        return self._find(_SCOPE.fullmatch(ref), tab_id)

    def _find(self, match: re.Match[str] | None, tab_id: str | None) -> World:
        if match is None:
            raise NotDone("There is no such ref. Use one from the newest read of the page.")
        number = int(match[1])
        if number > self.last:
            raise NotDone("There is no such ref. Use one from the newest read of the page.")
        if number <= self._void_up_to:
            raise NotDone(VOID)
        index = bisect_right(self._starts, number) - 1
        if index < 0:
            raise NotDone(STALE)
        world = self._worlds[index]
        if tab_id is not None and world.tab.id != tab_id:
            raise NotDone("This ref belongs to another tab than the one named.")
        if world.tab.closed:
            raise NotDone(STALE)
        return world


def refuse_status(status: str) -> NoReturn:
    """The words for what a page script found wrong with a reference."""
    words = {
        "unknown": "There is no such ref. Use one from the newest read of the page.",
        "gone": STALE,
        "changed": "The element has changed since it was read: its role or name is another now. Read the page again.",
    }
    raise NotDone(words.get(status, "The element cannot be used this way."))
