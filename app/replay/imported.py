"""The events that a bare SDK checkpoint tells of. It holds no asks and no decisions, so none are made up."""

import json
import math
from collections.abc import Iterator
from typing import Any

from app.core.ask import Source
from app.core.describe import BROWSER_MEMBERS
from app.core.events import (
    ActionEnded,
    ActionStarted,
    CallAnswered,
    CheckpointSaved,
    Event,
    PageRead,
    PictureTaken,
    ProposedCall,
    Recorded,
    RequestSent,
    RunEnded,
    RunStarted,
    TurnAnswered,
    UserTextAdded,
)
from app.core.evidence import Picture
from app.core.value import Json, call_digest
from app.replay.checkpoint_file import CheckpointFile

MOST_EVENTS = 50_000
MADE_UP_PAUSE_NS = 500_000_000
"""Times are not on record; this much between two events lets such a run be played."""

BROWSER_PREFIX = "browser_"
_OUTPUTS = ("function_call_output", "computer_call_output", "custom_tool_call_output", "mcp_approval_response")
_NOTHING_DONE = (
    "Browser navigation was not approved.",
    "Browser action was not approved. Do not retry it unless the user asks.",
    "Browser read was not approved.",
    "Browser arguments must be valid JSON.",
    "Browser arguments do not match the requested tool.",
    "Browser argument has an invalid value.",
    "Browser tool is unavailable or incomplete.",
    "Not executed: an earlier browser action in this turn failed.",
)
"""The SDK's own words for a call that it never gave to a driver."""


def imported_events(opened: CheckpointFile) -> tuple[tuple[Recorded, ...], bool]:
    """The events in order, and whether they are all."""
    events: list[Recorded] = []
    for event in _Import(opened).events():
        if len(events) == MOST_EVENTS:
            return tuple(events), False
        seq = len(events) + 1
        events.append(Recorded(seq, 0, seq * MADE_UP_PAUSE_NS, event))
    return tuple(events), True


class _Import:
    """One pass over one checkpoint. Whatever an item holds, it is read as far as it makes sense."""

    def __init__(self, opened: CheckpointFile) -> None:
        self._opened = opened
        self._found = opened.checkpoint
        self._turn = 0
        self._calls: dict[str, ProposedCall] = {}
        self._in_doubt: set[str] = set()
        if self._found["phase"] == "pending":
            attempted = {call_id for call_id in self._found["attempted_call_ids"] if isinstance(call_id, str)}
            self._in_doubt = attempted - {str(call_id) for call_id in self._found["returned_call_ids"]}

    def events(self) -> Iterator[Event]:
        found = self._found
        items = [item for item in found["history"] + found["pending_items"] if isinstance(item, dict)]
        begin = next((index for index, item in enumerate(items) if not _from_user(item)), len(items))
        yield self._started("\n\n".join(text for item in items[:begin] for text in _texts(item)))
        answer: list[dict[str, Any]] = []
        for item in items[begin:]:
            if item.get("type") in _OUTPUTS or _from_user(item):
                yield from self._answered(answer)
                answer = []
                yield from self._input(item)
            else:
                answer.append(item)
        yield from self._answered(answer)
        for output in found["returned_outputs"]:
            if isinstance(output, dict):
                yield from self._input(output)
        yield from self._doubts()
        yield from self._ending()

    def _started(self, task: str) -> RunStarted:
        found = self._found
        names = [tool.get("name") or tool.get("type") for tool in found["tools"] if isinstance(tool, dict)]
        return RunStarted(
            run_id=found["run_id"],
            task=task,
            model="",
            engine="responses",
            max_steps=found["max_steps"],
            provenance="imported",
            unattended=False,
            plan={"tools": names},
            versions={},
        )

    def _answered(self, items: list[dict[str, Any]], *, final: bool = False) -> Iterator[Event]:
        """A model's answer. Several in a row look like one: nothing in a history parts them."""
        if not items:
            return
        self._turn += 1
        calls = tuple(call for item in items if (call := _call(item)) is not None)
        self._calls.update((call.call_id, call) for call in calls)
        yield RequestSent(turn=self._turn, revision=0)
        yield TurnAnswered(
            turn=self._turn,
            response_id="",
            calls=calls,
            messages=tuple(text for item in items if item.get("type", "message") == "message" for text in _texts(item)),
            final=final,
            items=items,
        )

    def _input(self, item: dict[str, Any]) -> Iterator[Event]:
        if _from_user(item):
            for text in _texts(item):
                yield UserTextAdded(text=text, reason="in the record")
            return
        call_id = item.get("call_id") or item.get("approval_request_id")
        if not isinstance(call_id, str):
            return
        content = item.get("approve") if "approve" in item else item.get("output")
        said = _said(content)
        ok = said.get("ok") is not False and content is not False
        call = self._calls.get(call_id)
        if call is not None and call.source != "mcp" and said.get("error") not in _NOTHING_DONE:
            yield _start(call)
            yield ActionEnded(call_id=call_id, outcome="done" if ok else "may_have_happened")
        if call is not None and isinstance(result := said.get("result"), dict) and "elements" in result:
            tab_id, url = _tab(said)
            yield PageRead(call_id=call_id, member=call.member, report=result, tab_id=tab_id, url=url)
        for picture in self._pictures(content):
            yield PictureTaken(role="read", picture=picture, call_id=call_id)
        yield CallAnswered(call_id=call_id, ok=ok, output=content)

    def _pictures(self, content: Json) -> Iterator[Picture]:
        for block in content if isinstance(content, list) else [content]:
            held = block.get("image_url") if isinstance(block, dict) else None
            digest = held.get("picture") if isinstance(held, dict) else None
            if isinstance(digest, str) and (found := self._opened.pictures.get(digest)) is not None:
                size = found.header
                yield Picture(
                    digest=digest,
                    media_type=size.media_type,
                    width=size.width,
                    height=size.height,
                    css_width=size.width,
                    css_height=size.height,
                )

    def _doubts(self) -> Iterator[Event]:
        """Attempted and not returned: begun, as far as the record knows, and without an end."""
        for call_id in sorted(self._in_doubt & self._calls.keys()):
            yield _start(self._calls[call_id])

    def _ending(self) -> Iterator[Event]:
        found = self._found
        final: dict[str, Any] | None = found["final_response"]
        output = final.get("output") if final else None
        items = [item for item in output if isinstance(item, dict)] if isinstance(output, list) else []
        yield from self._answered(items, final=True)
        yield CheckpointSaved(
            revision=found["revision"],
            phase=found["phase"],
            consumed_requests=found["consumed_requests"],
            attempted_call_ids=_only_texts(found["attempted_call_ids"]),
            returned_call_ids=_only_texts(found["returned_call_ids"]),
        )
        if found["phase"] == "final":
            text = "\n\n".join(text for item in items for text in _texts(item))
            yield RunEnded(status="finished", reason="the record holds a final answer", final_text=text)


def _start(call: ProposedCall) -> ActionStarted:
    return ActionStarted(
        call_id=call.call_id,
        source=call.source,
        member=call.member,
        digest=call_digest(call.member, call.arguments),
        ask_id=None,
        reads_only=False,
    )


def _from_user(item: dict[str, Any]) -> bool:
    return item.get("type", "message") == "message" and item.get("role") in ("user", "developer", "system")


def _texts(item: dict[str, Any]) -> list[str]:
    content = item.get("content")
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    found = [part.get("text", part.get("refusal")) for part in parts if isinstance(part, dict)]
    return [text for text in found if isinstance(text, str)]


def _call(item: dict[str, Any]) -> ProposedCall | None:
    kind, name = item.get("type"), item.get("name")
    call_id = item.get("id") if kind == "mcp_approval_request" else item.get("call_id")
    if not isinstance(call_id, str):
        return None
    if kind == "computer_call":
        actions = item.get("actions") or [item.get("action")]
        return ProposedCall(call_id=call_id, source="computer", member="computer", arguments=actions)
    if kind not in ("function_call", "mcp_approval_request") or not isinstance(name, str):
        return None
    raw = item.get("arguments")
    source: Source = "mcp" if kind == "mcp_approval_request" else "functions"
    if name.removeprefix(BROWSER_PREFIX) in BROWSER_MEMBERS and name.startswith(BROWSER_PREFIX):
        source, name = "browser", name.removeprefix(BROWSER_PREFIX)
    return ProposedCall(
        call_id=call_id,
        source=source,
        member=name,
        arguments=_json_or_same(raw),
        raw_arguments=raw if isinstance(raw, str) else "",
    )


def _json_or_same(raw: Json) -> Json:
    if not isinstance(raw, str):
        return raw
    try:
        return json.loads(raw, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        return raw


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError("not a finite number")
    return number


def _said(content: Json) -> dict[str, Any]:
    """The JSON that the SDK puts first into a browser call's output; empty for any other output."""
    first = content[0] if isinstance(content, list) and content else content
    text = first.get("text") if isinstance(first, dict) else first
    found = _json_or_same(text)
    return found if isinstance(found, dict) else {}


def _tab(said: dict[str, Any]) -> tuple[str, str]:
    state = said.get("state")
    tabs = state.get("tabs") if isinstance(state, dict) else None
    for tab in tabs if isinstance(tabs, list) else []:
        if isinstance(tab, dict) and tab.get("active") is True:
            return str(tab.get("id", "")), str(tab.get("url", ""))
    return "", ""


def _only_texts(values: list[Json]) -> tuple[str, ...]:
    return tuple(value for value in values if isinstance(value, str))
