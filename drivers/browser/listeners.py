"""Which elements of a page react to a press though nothing in their markup says so."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error

from drivers.browser.world import ANSWER_SECS, World, WorldGone, send
from drivers.errors import BrowserError

MOST = 400
"""Elements asked after in one read of a document; beyond that the markup alone tells."""
MOST_LISTENERS = 10_000
"""With more than that in a page's process its listeners are not asked for, which would cost seconds."""
_KINDS = {"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick"}
_GROUP = "signalbox-listeners"
_MARK = "function(...nodes) { signalbox.heard(nodes, true); }"


@dataclass(frozen=True)
class News:
    """What of it has changed since."""

    nodes: dict[int, None]
    whole: bool


async def listen(world: World) -> News | None:
    """What the document's elements listen for now; None when that is what its page scripts know. Never an error."""
    known = world.heard
    try:
        if known.crowded is None:
            known.crowded = await _crowded(world)
        if known.crowded:
            return News({}, whole=False) if known.whole else None
        all_of_it = {"objectId": await _document(world), "depth": -1, "pierce": False}
        answer = await send(world.session, "DOMDebugger.getEventListeners", all_of_it, secs=ANSWER_SECS)
        if len(answer["listeners"]) > MOST_LISTENERS // 2:
            known.crowded = None  # looked at once more before the next read
        found = {entry["backendNodeId"]: None for entry in answer["listeners"] if entry["type"] in _KINDS}
        nodes, whole = dict.fromkeys(list(found)[:MOST]), len(found) <= MOST
    except (Error, WorldGone, BrowserError):
        nodes, whole = {}, False
    same = nodes.keys() == known.nodes.keys() and whole == known.whole
    return None if same else News(nodes, whole)


async def tell(world: World, news: News) -> None:
    """Bring the page scripts up to date; only elements that are new to them cost anything. Never an error."""
    known = world.heard
    new = [node for node in news.nodes if node not in known.nodes]
    gone = known.nodes.keys() - news.nodes.keys()
    known.nodes, known.whole = news.nodes, news.whole
    try:
        if gone:
            await world.evaluate("signalbox.heard([], false)")
            new = list(news.nodes)
        if new:
            await _mark(world, new)
    except (Error, WorldGone, BrowserError):
        known.nodes, known.whole = {}, False


async def _crowded(world: World) -> bool:
    """Whether there are too many; what documents before this one left behind does not count."""
    for attempt in (1, 2):
        counted = await send(world.session, "Memory.getDOMCounters", secs=ANSWER_SECS)
        if counted["jsEventListeners"] <= MOST_LISTENERS:
            return False
        if attempt == 1:
            await send(world.session, "HeapProfiler.collectGarbage", secs=ANSWER_SECS)
    return True


async def _mark(world: World, nodes: list[int]) -> None:
    try:
        found = await asyncio.gather(*(_resolved(world, node) for node in nodes))
        call: dict[str, Any] = {
            "functionDeclaration": _MARK,
            "executionContextId": world.context_id,
            "arguments": [{"objectId": handle} for handle in found if handle is not None],
        }
        await send(world.session, "Runtime.callFunctionOn", call, secs=ANSWER_SECS)
    finally:
        # IMPORTANT: handles kept beyond a navigation end the page's process.
        await send(world.session, "Runtime.releaseObjectGroup", {"objectGroup": _GROUP}, secs=ANSWER_SECS)


async def _document(world: World) -> str:
    """The document as the page's own scripts hold it: only their listeners are asked for, not the driver's."""
    if world.document_handle is None:
        own = await world.evaluate("document", by_value=False)
        described = await send(world.session, "DOM.describeNode", {"objectId": own["objectId"]}, secs=ANSWER_SECS)
        there = {"backendNodeId": described["node"]["backendNodeId"]}
        resolved = await send(world.session, "DOM.resolveNode", there, secs=ANSWER_SECS)
        world.document_handle = str(resolved["object"]["objectId"])
    return world.document_handle


async def _resolved(world: World, node: int) -> str | None:
    wanted = {"backendNodeId": node, "executionContextId": world.context_id, "objectGroup": _GROUP}
    try:
        answer = await send(world.session, "DOM.resolveNode", wanted, secs=ANSWER_SECS)
    except Error:
        return None  # gone in the meantime
    return str(answer["object"].get("objectId", "")) or None
