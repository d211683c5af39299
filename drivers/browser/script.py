"""Scripts that were approved, run with the page's own rights, with a time limit that is real."""

from __future__ import annotations

import json
import logging
from typing import Any

from playwright.async_api import Error

from drivers.browser.tabs import Tab, Tabs
from drivers.browser.world import WorldGone, send
from drivers.errors import BrowserError, Cancelled, NotDone, PageStuck, stop_if

log = logging.getLogger(__name__)

RESULT_CHARACTERS = 100_000
GRACE_SECS = 3.0
"""After the limit, how long the browser gets to say that it ended the script."""


class ScriptRunner:
    """A page whose script would not stop is retired: its tab is closed, since what it goes on doing is not known."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs

    async def run(self, tab: Tab, source: str, millis: int, *, cancelled: Cancelled = None) -> str:
        """The value of the script's last statement as text; ``await`` is allowed at the top."""
        if not source.strip():
            raise NotDone("There is no script to run.")
        session = await tab.ready()
        stop_if(cancelled)
        question = {
            "expression": source,
            "replMode": True,
            "awaitPromise": True,
            "returnByValue": True,
            "timeout": millis,
            "userGesture": False,
        }
        try:
            async with self._tabs.in_front(tab):
                reply = await send(session, "Runtime.evaluate", question, secs=millis / 1000 + GRACE_SECS)
        except PageStuck as stuck:
            if "gave no answer" in str(stuck):
                raise BrowserError(f"The script was stopped after {millis} ms; what it had done stays done.") from None
            await self._retire(tab)
            # Held back by a page on its way, it may not have begun; with the tab nothing of it is left to begin later.
            raise BrowserError(f"The script had not ended after {millis} ms; its tab was closed.") from None
        except WorldGone:
            raise BrowserError("The page went away while the script ran; it may have had effects.") from None
        except Error:
            return "The script ended; its result cannot be shown as text."
        return _text(reply)

    async def _retire(self, tab: Tab) -> None:
        try:
            await self._tabs.close(tab)
        except (Error, BrowserError):
            log.debug("a retired tab did not answer to being closed")


def _text(reply: dict[str, Any]) -> str:
    if "exceptionDetails" in reply:
        details = reply["exceptionDetails"]
        said = details.get("exception", {}).get("description") or details.get("text", "")
        return _clean("The script failed: " + str(said).splitlines()[0])
    result = reply["result"]
    if result["type"] == "undefined":
        return ""
    if "unserializableValue" in result:
        return str(result["unserializableValue"])
    value = result.get("value")
    return _clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _clean(text: str) -> str:
    whole = text.encode("utf-8", errors="replace").decode("utf-8")
    return whole if len(whole) <= RESULT_CHARACTERS else whole[:RESULT_CHARACTERS] + "… (cut)"
