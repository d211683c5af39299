"""Which elements of a page react to a press though nothing in their markup says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from playwright.async_api import Error

from drivers.browser.world import ANSWER_SECS, Way, World, WorldGone, send
from drivers.errors import BrowserError, PageStuck

MOST = 400
"""Elements asked after in one read of a document; beyond that the markup alone tells."""
MOST_LISTENERS = 10_000
"""With more than that in a page's process, whose ever they are, elements are asked after one by one."""
FAR_TOO_MANY = 50_000
"""With more than that they are not asked after: one element may have them all, and a page would hold up its reader."""
_KINDS = {"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick"}
_GROUP = "signalbox-listeners"
_MARK = "function(...nodes) { signalbox.heard(nodes, true); }"
_ONLY = "function(...nodes) { return signalbox.heardOnly(nodes); }"

T = TypeVar("T")


@dataclass(frozen=True)
class News:
    """What of it has changed since."""

    nodes: dict[int, None]
    whole: bool


async def decide(world: World) -> Way:
    """Find out how this document's elements can be asked after. Never an error."""
    try:
        counted = await _counted(world)
    except (Error, WorldGone, BrowserError):
        counted = FAR_TOO_MANY + 1
    way: Way = "together" if counted <= MOST_LISTENERS else "singly" if counted <= FAR_TOO_MANY else "not"
    world.heard.way = way if way == "together" else None  # the others are looked at once more before the next read
    return way


async def listen(world: World) -> News | None:
    """What the document's elements listen for now; None when that is what its page scripts know. Never an error."""
    known = world.heard
    try:
        listeners = await _again(lambda: _all_listeners(world))
    except (Error, WorldGone, BrowserError):
        return News(known.nodes, whole=False) if known.whole else None
    if len(listeners) > MOST_LISTENERS // 2:
        known.way = None  # looked at once more before the next read
    found = {entry["backendNodeId"]: None for entry in listeners if entry["type"] in _KINDS}
    nodes, whole = dict.fromkeys(list(found)[:MOST]), len(found) <= MOST
    same = nodes.keys() == known.nodes.keys() and whole == known.whole
    return None if same else News(nodes, whole)


async def tell(world: World, news: News) -> bool:
    """Bring the page scripts up to date; whether a read would now find more or less. Never an error.

    Only elements that are new to them cost anything. One that could not be handed over is no element they know, so that
    it is handed over with the next read.
    """
    known = world.heard
    known.whole = news.whole
    gone = known.singly or known.nodes.keys() - news.nodes.keys()
    new = [node for node in news.nodes if gone or node not in known.nodes]
    try:
        if gone:
            await world.evaluate("signalbox.heard([], false)")
            known.nodes, known.singly = {}, False
        if new:
            told = await _again(lambda: _mark(world, new))
            known.nodes = {**known.nodes, **dict.fromkeys(told)}
    except (Error, WorldGone, BrowserError):
        known.nodes, known.whole = {}, False
    return bool(gone or new)


async def ask_singly(world: World, *, whole: bool) -> bool:
    """Ask after the elements that the walk left as candidates; whether a read would now find more or less.

    *whole*: whether the walk could leave all of them. Never an error.
    """
    known = world.heard
    known.nodes, known.singly = {}, True
    try:
        changed = await _again(lambda: _singly(world))
    except (Error, WorldGone, BrowserError):
        known.whole = False
        return False
    known.whole = whole
    return changed


async def _again(work: Callable[[], Awaitable[T]]) -> T:
    """Once more after an error of the protocol: what was removed while it was asked after belongs to no page."""
    try:
        return await work()
    except Error:
        return await work()


async def _counted(world: World) -> int:
    """The listeners in the document's process, once what documents before it left behind is cleared away."""
    while True:
        counted = await send(world.session, "Memory.getDOMCounters", secs=ANSWER_SECS)
        if counted["jsEventListeners"] <= MOST_LISTENERS or world.heard.swept:
            return int(counted["jsEventListeners"])
        world.heard.swept = True
        await send(world.session, "HeapProfiler.collectGarbage", secs=ANSWER_SECS)


async def _all_listeners(world: World) -> list[dict[str, Any]]:
    """What all elements listen for, inside of shadow roots as well."""
    if world.document_handle is None:
        own = await world.evaluate("document", by_value=False)
        world.document_handle = await _as_the_page_has_it(world, own["objectId"])
    all_of_it = {"objectId": world.document_handle, "depth": -1, "pierce": True}
    try:
        answer = await send(world.session, "DOMDebugger.getEventListeners", all_of_it, secs=ANSWER_SECS)
    except Error:
        world.document_handle = None
        raise
    listeners: list[dict[str, Any]] = answer["listeners"]
    return listeners


async def _as_the_page_has_it(world: World, handle: str, **group: str) -> str:
    """An element or document of the driver's world as the page's own scripts hold it.

    IMPORTANT: Asked after what it listens for by a handle of another world, the browser mixes the worlds up: page
    scripts are then given elements of the page's own world.
    """
    described = await send(world.session, "DOM.describeNode", {"objectId": handle}, secs=ANSWER_SECS)
    there = {"backendNodeId": described["node"]["backendNodeId"], **group}
    return str((await send(world.session, "DOM.resolveNode", there, secs=ANSWER_SECS))["object"]["objectId"])


async def _mark(world: World, nodes: list[int]) -> list[int]:
    """Hand elements over to the page scripts; those done with: they were there, or are another document's."""
    try:
        own = await asyncio.gather(*(_of_this_document(world, node) for node in nodes))
        there = [node for node, is_own in zip(nodes, own, strict=True) if is_own]
        handles = await asyncio.gather(*(_resolved(world, node, executionContextId=world.context_id) for node in there))
        found = {node: handle for node, handle in zip(there, handles, strict=True) if handle is not None}
        await _hand_over(world, _MARK, list(found.values()))
        return [*found, *(node for node, is_own in zip(nodes, own, strict=True) if is_own is False)]
    finally:
        await _release(world)


async def _of_this_document(world: World, node: int) -> bool | None:
    """None when it is gone. A frame's elements are told as well; the browser's handles begin with what they are of.

    IMPORTANT: A frame's element that is taken for one of this document becomes one for the frame's page scripts too.
    """
    handle = await _resolved(world, node)
    if handle is None or world.document_handle is None:
        return None
    return handle.rpartition(".")[0] == world.document_handle.rpartition(".")[0]


async def _singly(world: World) -> bool:
    try:
        wanted = {"expression": "signalbox.candidates", "contextId": world.context_id, "objectGroup": _GROUP}
        listed = await send(world.session, "Runtime.evaluate", wanted, secs=ANSWER_SECS)
        each = {"objectId": listed["result"]["objectId"], "ownProperties": True}
        properties = await send(world.session, "Runtime.getProperties", each, secs=ANSWER_SECS)
        handles = [str(one["value"]["objectId"]) for one in properties["result"] if one["name"].isdigit()]
        answers = await asyncio.gather(*(_presses(world, handle) for handle in handles))
        hit = [handle for handle, listens in zip(handles, answers, strict=True) if listens]
        return bool(await _hand_over(world, _ONLY, hit))
    finally:
        await _release(world)


async def _presses(world: World, handle: str) -> bool:
    there = await _as_the_page_has_it(world, handle, objectGroup=_GROUP)
    alone = {"objectId": there, "depth": 1, "pierce": False}
    answer = await send(world.session, "DOMDebugger.getEventListeners", alone, secs=ANSWER_SECS)
    return any(entry["type"] in _KINDS for entry in answer["listeners"])


async def _hand_over(world: World, function: str, handles: list[str]) -> Any:
    call: dict[str, Any] = {
        "functionDeclaration": function,
        "executionContextId": world.context_id,
        "arguments": [{"objectId": handle} for handle in handles],
        "returnByValue": True,
    }
    answer = await send(world.session, "Runtime.callFunctionOn", call, secs=ANSWER_SECS)
    if "exceptionDetails" in answer:
        raise PageStuck("A page script failed; the page may have changed what it relies on.")
    return answer["result"].get("value")


async def _release(world: World) -> None:
    # IMPORTANT: handles kept beyond a navigation end the page's process.
    await send(world.session, "Runtime.releaseObjectGroup", {"objectGroup": _GROUP}, secs=ANSWER_SECS)


async def _resolved(world: World, node: int, **context: int) -> str | None:
    wanted = {"backendNodeId": node, "objectGroup": _GROUP, **context}
    try:
        answer = await send(world.session, "DOM.resolveNode", wanted, secs=ANSWER_SECS)
    except Error:
        return None  # gone in the meantime
    return str(answer["object"].get("objectId", "")) or None
