"""One document seen from a world of its own: page scripts run there, out of reach of the page's own scripts."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import CDPSession, Error

from drivers.browser.scripts import bundle
from drivers.errors import PageStuck, bounded

if TYPE_CHECKING:
    from drivers.browser.tabs import Tab

NAME = "signalbox"
ANSWER_SECS = 5.0
"""How long a page may think about one question before it is given up."""

_GONE = ("Cannot find context", "uniqueContextId not found", "Target closed", "has been closed", "Session closed",
         "No frame", "detached", "Target page, context or browser", "Inspected target navigated",
         "context was destroyed", "Promise was collected")  # fmt: skip


class WorldGone(Exception):
    """The document is no longer there: navigated away, its frame removed or its tab closed."""


Way = Literal["together", "singly", "not"]


@dataclass
class Heard:
    """What the page scripts of one document were told so far."""

    nodes: dict[int, None] = field(default_factory=dict)
    """The elements that listen, by the browser's number for them."""
    whole: bool = True
    """False when some could not be told: a read then goes on by what the markup says."""
    way: Way | None = None
    """How elements can be asked after, by how many listeners there are; None while not looked."""
    swept: bool = False
    """Whether what earlier documents left behind in the process was cleared away."""
    singly: bool = False
    """Whether they were told by asking after elements one by one: `nodes` does not say which."""


class World:
    """The isolated world of one document; it dies with the document and never comes to mean another."""

    def __init__(
        self, tab: Tab, session: CDPSession, frame_id: str, context_id: int, *, document_id: str, parent: World | None,
        owner: int | None,
    ) -> None:  # fmt: skip
        self.tab = tab
        self.session = session
        self.frame_id = frame_id
        self.context_id = context_id
        self.document_id = document_id
        self.parent = parent
        self.owner = owner
        """The number by which the parent document's registry knows the frame element."""
        self.origin = ""
        self.document_handle: str | None = None
        """The document in the page's own world, once something had to be asked about it there."""
        self.heard = Heard()
        """What its page scripts were told about listeners."""

    async def call(self, function: str, *arguments: object, secs: float = ANSWER_SECS) -> Any:
        """Call one of the page scripts and decode its JSON answer."""
        given = ", ".join(json.dumps(a) for a in arguments)
        answer = await self.evaluate(f"signalbox.{function}({given})", secs=secs)
        return json.loads(answer) if isinstance(answer, str) else answer

    async def call_here(self, function: str, *arguments: object) -> Any:
        """The same of a document that may be gone; another one, whose context has the number of this, is not asked.

        Raises:
            WorldGone: the document is no longer there.
        """
        here = f"globalThis.signalboxWorld === {json.dumps(self.document_id)}"
        given = ", ".join(json.dumps(a) for a in arguments)
        answer = await self.evaluate(f"{here} ? (signalbox.{function}({given})) : null")
        if answer is None:
            raise WorldGone("the document of this number is another one")
        return json.loads(answer)

    async def evaluate(self, expression: str, *, secs: float = ANSWER_SECS, by_value: bool = True) -> Any:
        """The value of an expression in this world; the browser itself ends it after *secs*."""
        if self.tab.crashed:
            raise WorldGone("the page has crashed")  # Chromium would hold the question for a page that may follow
        question = {
            "expression": expression,
            "contextId": self.context_id,
            "returnByValue": by_value,
            "awaitPromise": True,
            "timeout": int(secs * 1000),
        }
        reply = await _of_document(self.session, "Runtime.evaluate", question, secs=secs + 1)
        if "exceptionDetails" in reply:
            raise PageStuck("A page script failed; the page may have changed what it relies on.")
        return reply["result"] if not by_value else reply["result"].get("value")

    async def still_there(self) -> bool:
        """Whether the context of this number is this world still.

        Each renderer process counts its contexts from the start: after leading to another site and back, another
        document's context has the same number.
        """
        try:
            return bool(await self.evaluate("globalThis.signalboxWorld ?? null") == self.document_id)
        except (Error, PageStuck, WorldGone):
            return False

    def chain(self) -> list[World]:
        """This document and those around it, innermost first."""
        out, at = [], self
        while at is not None:
            out.append(at)
            if at.parent is None:
                break
            at = at.parent
        return out


async def send(
    session: CDPSession, method: str, params: dict[str, Any] | None = None, *, secs: float
) -> dict[str, Any]:
    """One protocol question with a ceiling; a vanished document or target becomes :class:`WorldGone`."""
    try:
        return await bounded(session.send(method, params or {}), secs=secs, what="The page's answer")
    except Error as error:
        text = str(error)
        if "terminated" in text or "Internal error" in text:  # the latter is what an awaited expression gets
            raise PageStuck(f"The page gave no answer within {secs - 1:g} s.") from None
        if any(mark in text for mark in _GONE):
            raise WorldGone(method) from None
        raise


async def _of_document(session: CDPSession, method: str, params: dict[str, Any], *, secs: float) -> dict[str, Any]:
    """A question about a document. What the browser cannot answer about it, it cannot since the document is another."""
    try:
        return await send(session, method, params, secs=secs)
    except Error:
        raise WorldGone(method) from None


class Worlds:
    """The worlds of one tab, made when first asked for and told apart by document."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._known: dict[str, World] = {}  # by frame
        self._count = 0

    def newest(self) -> World | None:
        """The world of what the tab showed last, which may be gone."""
        return self._known.get(self._tab.target_id)

    async def main(self) -> World:
        """The world of what the tab shows now."""
        session = await self._tab.session()
        return await self._enter(session, self._tab.target_id, parent=None, owner=None)

    async def child(self, parent: World, owner: int) -> World | None:
        """The world inside a frame element of *parent*; None when it cannot be entered."""
        found = await parent.evaluate(f"signalbox.frames.get({owner})?.deref() ?? null", by_value=False)
        if "objectId" not in found:
            return None
        one = {"objectId": found["objectId"]}
        described = await _of_document(parent.session, "DOM.describeNode", one, secs=ANSWER_SECS)
        frame_id = described["node"].get("frameId")
        if frame_id is None:
            return None
        try:
            return await self._enter(parent.session, frame_id, parent=parent, owner=owner)
        except WorldGone:
            session = await self._tab.frame_session(frame_id)
            return None if session is None else await self._enter(session, frame_id, parent=parent, owner=owner)

    async def _enter(self, session: CDPSession, frame_id: str, *, parent: World | None, owner: int | None) -> World:
        known = self._known.get(frame_id)
        made, same = await asyncio.gather(
            _of_document(
                session, "Page.createIsolatedWorld", {"frameId": frame_id, "worldName": NAME}, secs=ANSWER_SECS
            ),
            known.still_there() if known is not None else _never(),
        )
        context_id = int(made["executionContextId"])
        unmoved = known is not None and known.context_id == context_id and known.session is session
        if known is not None and same and unmoved and known.parent is parent:
            return known
        self._count += 1
        name = f"{self._tab.id}.d{self._count}"
        world = World(self._tab, session, frame_id, context_id, document_id=name, parent=parent, owner=owner)
        await world.evaluate(f"{bundle()}\n;globalThis.signalboxWorld = {json.dumps(name)};null")
        # Not the address's: a frame written inline has its parent's origin, a sandboxed one none.
        world.origin = str(await world.evaluate("self.origin"))
        self._known[frame_id] = world
        return world


async def _never() -> bool:
    return False
