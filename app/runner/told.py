"""What the model is told when a run goes on in another process, or as a fork; and what it may know of the page."""

import json
import logging
from collections.abc import Sequence
from typing import Any

from app.core.plan import RunPlan

log = logging.getLogger(__name__)

RESUMED = "This run was interrupted. The operator now continues it."
FORKED = "The operator continues this conversation from here as a run of its own."
NEW_BROWSER = (
    "The browser was opened anew: element references from before are void, and what had been typed into a page and not "
    "sent is gone. Look at the page before you act."
)
NEW_CODE = "The code environments were started anew: variables, open files and processes of before are gone."
SAID = "said by a person"
"""Why words for the model are on record, where a person has said them during the run."""
NO_TABS = "No tab is open."
UNKNOWN_PAGE = "Which page is open could not be read."


def opened_anew(plan: RunPlan) -> list[str]:
    """What of the run's surroundings is not as the model knew it."""
    return [*([NEW_BROWSER] if plan.browser is not None else []), *([NEW_CODE] if plan.code is not None else [])]


def resumed_words(told: Sequence[str], note: str, anew: Sequence[str]) -> str:
    """The message at the seam of a resumed run."""
    return _joined(RESUMED, [*told, *anew], note)


def forked_words(note: str, anew: Sequence[str]) -> str:
    """The message with which a fork begins."""
    return _joined(FORKED, anew, note)


def _joined(first: str, told: Sequence[str], note: str) -> str:
    said = [first, *told]
    if note.strip():
        said.append(f"The operator's note: {note.strip()}")
    return "\n".join(said)


async def observation(driver: Any) -> str:
    """Which tabs are open, as every browser output tells the model: origin and title, never more of the address."""
    try:
        state = await driver.state()
        tabs = [
            {"active": tab["active"], "origin": _origin(tab["url"]), "title": str(tab["title"])[:200]}
            for tab in state["tabs"]
        ]
    except Exception:
        log.info("the state of the browser could not be read", exc_info=True)
        return UNKNOWN_PAGE
    return f"Open now: {json.dumps(tabs)}" if tabs else NO_TABS


def _origin(url: str) -> str:
    scheme, mark, rest = url.partition("://")
    if not mark or scheme not in ("http", "https"):
        return f"{url.partition(':')[0]}:"
    authority = rest.partition("/")[0].partition("?")[0].partition("#")[0]
    return f"{scheme}://{authority.rpartition('@')[2]}"
