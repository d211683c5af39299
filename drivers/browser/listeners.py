"""Which elements of a page react to a press though nothing in their markup says so."""

from __future__ import annotations

import asyncio
from typing import Any

from playwright.async_api import Error

from drivers.browser.world import ANSWER_SECS, World, WorldGone, send
from drivers.errors import BrowserError

MOST = 400
"""Elements asked after in one read of a document; beyond that the markup alone tells."""
_KINDS = {"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick"}
_GROUP = "signalbox-listeners"
_MARK = "function(...nodes) { signalbox.heard(nodes); }"


async def mark_listeners(world: World) -> bool:
    """Tell the page scripts of one document which of its elements listen; never an error.

    False when not all of them could be told: the read then goes on by what the markup says.
    """
    try:
        all_of_it = {"objectId": await _document(world), "depth": -1, "pierce": False}
        answer = await send(world.session, "DOMDebugger.getEventListeners", all_of_it, secs=ANSWER_SECS)
        nodes = {entry["backendNodeId"]: None for entry in answer["listeners"] if entry["type"] in _KINDS}
        if nodes:
            await _tell(world, list(nodes)[:MOST])
        return len(nodes) <= MOST
    except (Error, WorldGone, BrowserError):
        return False


async def _tell(world: World, nodes: list[int]) -> None:
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
