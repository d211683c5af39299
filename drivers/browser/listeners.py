"""Which elements a page listens on for presses: such an element can be pressed although nothing in its markup says so."""

from __future__ import annotations

import asyncio
from typing import Any

from playwright.async_api import Error

from drivers.browser.world import ANSWER_SECS, World, WorldGone, send

KINDS = frozenset({"click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick", "contextmenu"})
MOST = 300
"""New elements looked up in one read; each costs a question to the browser."""

_NOTE = (
    "function (...found) { signalbox.listeners ??= new WeakSet(); for (const el of found) signalbox.listeners.add(el) }"
)


async def note_listeners(world: World) -> bool:
    """Tell the page scripts which elements are listened on; False when there were too many to tell them all."""
    document = (await world.evaluate("document", by_value=False)).get("objectId")
    if document is None:
        return True
    asked = {"objectId": document, "depth": -1, "pierce": True}
    found = await send(world.session, "DOMDebugger.getEventListeners", asked, secs=ANSWER_SECS)
    nodes = {
        entry["backendNodeId"] for entry in found["listeners"] if entry["type"] in KINDS and "backendNodeId" in entry
    }
    new = sorted(nodes - world.listened)
    resolved = await asyncio.gather(*(_object(world, node) for node in new[:MOST]))
    arguments = [{"objectId": known} for known in resolved if known is not None]
    if arguments:
        call: dict[str, Any] = {
            "functionDeclaration": _NOTE, "arguments": arguments, "executionContextId": world.context_id,
        }  # fmt: skip
        await send(world.session, "Runtime.callFunctionOn", call, secs=ANSWER_SECS)
    world.listened.update(new[:MOST])
    return len(new) <= MOST


async def _object(world: World, node: int) -> str | None:
    question = {"backendNodeId": node, "executionContextId": world.context_id}
    try:
        reply = await send(world.session, "DOM.resolveNode", question, secs=ANSWER_SECS)
    except (Error, WorldGone):
        return None  # a node of another document, such as a frame's
    known = reply["object"].get("objectId")
    return str(known) if known is not None else None
