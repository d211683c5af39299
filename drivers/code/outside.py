"""The objects outside that sandboxed code may use, which of their members, with which arguments: nothing else."""

import asyncio
import base64
import functools
import inspect
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from drivers.code.addresses import wait_for_address

Message = dict[str, Any]

_LOCATING = frozenset(
    {"locator", "get_by_role", "get_by_text", "get_by_label", "get_by_placeholder", "get_by_alt_text", "get_by_title",
     "get_by_test_id", "frame_locator"}
)  # fmt: skip
_ACTING = frozenset(
    {"click", "dblclick", "hover", "fill", "press", "check", "uncheck", "select_option", "focus", "tap", "type",
     "press_sequentially", "set_checked", "clear", "blur", "drag_to", "scroll_into_view_if_needed", "drag_and_drop"}
)  # fmt: skip
_READING = frozenset(
    {"inner_text", "text_content", "inner_html", "get_attribute", "input_value", "is_visible", "is_hidden",
     "is_enabled", "is_disabled", "is_checked", "is_editable", "bounding_box", "screenshot", "evaluate",
     "wait_for_timeout", "wait_for_selector", "all_inner_texts", "all_text_contents", "count"}
)  # fmt: skip

MEMBERS: Mapping[str, frozenset[str]] = {
    "Page": _LOCATING | _ACTING | _READING
    | {"goto", "reload", "go_back", "go_forward", "title", "url", "content", "keyboard", "mouse", "viewport_size",
       "wait_for_load_state", "wait_for_url", "main_frame"},
    "Frame": _LOCATING | _ACTING | _READING | {"title", "url", "content", "name"},
    "FrameLocator": _LOCATING | {"first", "last", "nth", "owner"},
    "Locator": _LOCATING | _ACTING | _READING
    | {"first", "last", "nth", "filter", "all", "and_", "or_", "wait_for", "content_frame"},
    "Keyboard": frozenset({"press", "type", "down", "up", "insert_text"}),
    "Mouse": frozenset({"click", "dblclick", "move", "down", "up", "wheel"}),
    "DesktopInput": frozenset(
        {"size", "screenshot", "move_to", "moveTo", "click", "double_click", "doubleClick", "right_click", "rightClick",
         "drag_to", "dragTo", "scroll", "write", "typewrite", "press", "hotkey"}
    ),
    "ElementHandle": _ACTING | _READING | {"query_selector", "query_selector_all"},
}  # fmt: skip
"""By class. What reads or writes files outside, opens other pages or changes requests is in none of them."""

_REFUSED_ARGUMENTS = frozenset({"path"})
"""Would write a file on this machine."""

MOST_HELD = 20_000
"""Objects that the code may have at a time; there is a handle for each that it was ever given."""
MOST_PATTERN_CHARS = 2_000

ANSWER_SECS = 60.0
"""How long one call may take; the library's own limit is half of it."""

MayOpen = Callable[[str], Awaitable[bool]]
WhyNot = Callable[[], str]


async def nowhere(_url: str) -> bool:
    """Opens nothing."""
    return False


def always() -> str:
    """Nothing stands against it."""
    return ""


class RefusedOutside(Exception):
    """What the code asked for is not to be had; the text is for the code's author."""


class Outside:
    """Objects by handle. `may_open` is asked before a page goes anywhere; until it is set, none does.

    `why_not` is asked before each single thing: while it gives a reason, nothing of any object is used.
    """

    def __init__(self) -> None:
        self.may_open: MayOpen = nowhere
        self.why_not: WhyNot = always
        self.asking_secs = 0.0
        """How long `may_open` has taken so far, which is a person's time."""
        self._held: dict[int, Any] = {}

    def hold(self, thing: Any) -> int:
        """Give `thing` a handle."""
        if len(self._held) >= MOST_HELD:
            raise RefusedOutside("the code has too many objects of the page")
        handle = len(self._held) + 1
        self._held[handle] = thing
        return handle

    def forget(self) -> None:
        """Every handle is void from here on."""
        self._held.clear()

    async def asked(self, message: Message) -> Message:
        """Do what the code asks of one object: an attribute, or a call. Raises `RefusedOutside`, or what it raises."""
        self._go_on_or_refuse()
        thing = self._held.get(message["handle"])
        name = message["name"]
        kind = type(thing).__name__
        if thing is None or name not in MEMBERS.get(kind, frozenset()):
            raise RefusedOutside(f"{kind if thing is not None else 'the object'} has no {name!r} here")
        member = getattr(thing, name)
        if message["args"] is None:
            return {"method": True} if inspect.isroutine(member) else self._said(member)
        args, kwargs = self._given(message["args"]), self._given(message["kwargs"])
        if refused := _REFUSED_ARGUMENTS & kwargs.keys():
            raise RefusedOutside(f"{name} takes no {', '.join(sorted(refused))} here")
        if not isinstance(args, list) or not isinstance(kwargs, dict):
            raise RefusedOutside(f"{name} takes its arguments as a list and by name")
        if name == "goto":
            await self._opening(args, kwargs)
        does = functools.partial(wait_for_address, thing) if name == "wait_for_url" else member
        result = does(*args, **kwargs)
        if inspect.isawaitable(result):
            async with asyncio.timeout(ANSWER_SECS):
                result = await result
        return self._said(result)

    async def _opening(self, args: list[Any], kwargs: dict[str, Any]) -> None:
        began = time.monotonic()
        try:
            may = await self.may_open(str(args[0] if args else kwargs.get("url", "")))
        finally:
            self.asking_secs += time.monotonic() - began
        if not may:
            raise RefusedOutside("the address was not approved")
        # Much may have happened while a person was asked.
        self._go_on_or_refuse()

    def _go_on_or_refuse(self) -> None:
        if reason := self.why_not():
            raise RefusedOutside(reason)

    def _given(self, value: Any) -> Any:
        if isinstance(value, dict):
            if list(value) == ["$handle"]:
                if value["$handle"] not in self._held:
                    raise RefusedOutside("the object is not there any more")
                return self._held[value["$handle"]]
            if list(value) == ["$pattern"]:
                return _pattern(*value["$pattern"])
            return {key: self._given(one) for key, one in value.items()}
        return [self._given(one) for one in value] if isinstance(value, list) else value

    def _said(self, value: Any) -> Message:
        if type(value).__name__ in MEMBERS:
            return {"handle": self.hold(value), "kind": type(value).__name__}
        if isinstance(value, bytes):
            return {"bytes": base64.b64encode(value).decode("ascii")}
        if isinstance(value, list) and any(type(one).__name__ in MEMBERS for one in value):
            return {"list": [self._said(one) for one in value]}
        if value is None or isinstance(value, str | int | float | bool | list | dict):
            return {"value": value}
        # A response and the like: nothing of it is needed, and it could lead on to more.
        return {"value": None}


def _pattern(source: str, flags: str) -> re.Pattern[str]:
    """A regular expression of the code's, which the library hands on to the page."""
    letters = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
    if len(source) > MOST_PATTERN_CHARS:
        raise RefusedOutside("the regular expression is too long to be handed out of the sandbox")
    try:
        return re.compile(source, sum((letters[one] for one in set(flags) & letters.keys()), re.NOFLAG))
    except re.error as error:
        raise RefusedOutside(f"the regular expression cannot be handed out of the sandbox: {error}") from error
