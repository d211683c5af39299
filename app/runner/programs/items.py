"""The items of an answer as the own loop sees them: which of them want an output, and what makes an answer unusable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from openai.types.responses import Response

from app.core.value import Json, canonical_json
from app.runner.turns import program_of

Wire = dict[str, Any]

OUTPUT_OF = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "computer_call": "computer_call_output",
    "mcp_approval_request": "mcp_approval_response",
    "apply_patch_call": "apply_patch_call_output",
    "shell_call": "shell_call_output",
    "tool_search_call": "tool_search_output",
}
"""What each item is answered with that wants an answer from here."""

PASSED_ON = frozenset(
    {
        "message",
        "reasoning",
        "program",
        "program_output",
        "compaction",
        "mcp_call",
        "mcp_list_tools",
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "shell_call",
        "shell_call_output",
        "tool_search_call",
        "tool_search_output",
    }
)
"""Items that are sent again untouched and need nothing done here: of shells and searches those of the service."""

NAMES = {"apply_patch_call": "apply_patch", "shell_call": "shell", "tool_search_call": "tool_search"}
"""What calls without a name of their own are called."""

NOT_SENT_AGAIN = ("created_by", "parsed_arguments")


class AnswerUnusable(Exception):
    """Nothing of an answer may be acted on; the text says why, for people."""


@dataclass(frozen=True)
class Call:
    """One item that wants an output."""

    kind: str
    call_id: str
    name: str
    raw: Wire
    """As it came, and as it goes back."""
    item: Any
    """The SDK's object of it."""

    @property
    def program(self) -> str:
        """Call id of the program that makes it; empty for a call that the model makes itself."""
        return program_of(self.raw)

    @property
    def background(self) -> bool:
        """Whether the model goes on without its output."""
        return self.raw.get("async") is True

    @property
    def whole(self) -> bool:
        """Whether the service says that the item came to its end."""
        begun = ("in_progress",) if self.kind in ("apply_patch_call", "shell_call") else ()
        return self.raw.get("status") in (None, "completed", *begun)

    def approval(self, *, approve: bool) -> Wire:
        """The output item of a server's request for approval."""
        return {"type": OUTPUT_OF[self.kind], "approval_request_id": self.call_id, "approve": approve}

    def output(self, content: Json) -> Wire:
        """The output item. Its `caller` is the call's own, since by it the service finds the program to resume."""
        return self.made(output=content)

    def made(self, **fields: Json) -> Wire:
        """The same for outputs that hold other fields."""
        answered: Wire = {"type": OUTPUT_OF[self.kind], "call_id": self.call_id, **fields}
        if "caller" in self.raw:
            answered["caller"] = self.raw["caller"]
        return answered


def recorded_call(raw: Wire) -> Call | None:
    """The call that an item of a saved conversation is; None for any other item."""
    if not wants_output(raw):
        return None
    kind = str(raw["type"])
    call_id = raw.get("id") if kind == "mcp_approval_request" else raw.get("call_id")
    return Call(kind, str(call_id), _name(raw), raw, None)


def wants_output(raw: Wire) -> bool:
    """Whether the item is to be answered from here: a shell in the service's container and its search are not."""
    if raw.get("type") == "tool_search_call":
        return raw.get("execution") == "client"
    if raw.get("type") == "shell_call":
        environment = raw.get("environment")
        return not isinstance(environment, Mapping) or environment.get("type") != "container_reference"
    return raw.get("type") in OUTPUT_OF


def in_words(call: Call, words: str, *, ok: bool) -> Wire:
    """The output item of a call that is answered with `words` alone, in the form that its kind has."""
    match call.kind:
        case "apply_patch_call":
            return call.made(status="completed" if ok else "failed", output=words)
        case "shell_call":
            said: Json = {"stdout": words if ok else "", "stderr": "" if ok else words}
            entry: Json = {**said, "outcome": {"type": "exit", "exit_code": 0 if ok else 1}}
            return call.made(output=[entry], **kept_length(call))
        case "tool_search_call":
            return call.made(execution="client", status="completed", tools=[])
    return call.output(words)


def kept_length(call: Call) -> Wire:
    """What the service wants back with a shell's output, where it has sent it."""
    action = call.raw.get("action")
    given = action.get("max_output_length") if isinstance(action, Mapping) else None
    return {} if given is None else {"max_output_length": given}


def _name(raw: Wire) -> str:
    return str(raw.get("name") or NAMES.get(str(raw.get("type")), "computer"))


def is_output(raw: Wire) -> bool:
    """Whether the item is an answer from here to a call."""
    return raw.get("type") in OUTPUT_OF.values() and raw.get("execution") != "server"


def wire_items(response: Response) -> list[Wire]:
    """The answer's items as they are sent again. `model_dump` would spell ``async`` otherwise than the service does."""
    items = []
    for item in response.output:
        raw = item.to_dict(warnings=False)
        items.append({key: value for key, value in raw.items() if key not in NOT_SENT_AGAIN})
    return items


@dataclass
class KnownIds:
    """Ids that the run has met: none comes twice, and a call's program is one of them."""

    items: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    programs: set[str] = field(default_factory=set)

    def calls_of(self, response: Response, items: Sequence[Wire]) -> list[Call]:
        """The calls of an answer in its order; the ids count as met from then on.

        Raises:
            AnswerUnusable: an item of a kind that nothing here answers, or an id that is missing or was there before.
        """
        calls = []
        for item, raw in zip(response.output, items, strict=True):
            kind = raw.get("type")
            nobody_s = kind == "tool_search_call" and raw.get("execution") not in ("server", "client")
            if nobody_s or (kind not in OUTPUT_OF and kind not in PASSED_ON):
                raise AnswerUnusable(f"the model's answer held an item that this loop does not run: {str(kind)[:60]!r}")
            if not _can_be_kept(raw):
                raise AnswerUnusable("the model's answer held a value that cannot be put on record")
            self._new(raw.get("id"), self.items, "an item id", needed=False)
            if kind == "program":
                self._new(raw.get("call_id"), self.programs, "a program's call id")
            elif wants_output(raw):
                call_id = raw.get("id") if kind == "mcp_approval_request" else raw.get("call_id")
                self._new(call_id, self.calls, "a call id")
                calls.append(Call(str(kind), str(call_id), _name(raw), raw, item))
        if not all(_has_known_caller(call) for call in calls):
            raise AnswerUnusable("the model's answer held a call whose caller is none that is known here")
        for call in calls:
            if call.program and call.program not in self.programs:
                raise AnswerUnusable("the model's answer held a call of a program that is not of this run")
        return calls

    @classmethod
    def of(cls, history: Sequence[Wire]) -> "KnownIds":
        """Those of a saved conversation."""
        known = cls()
        for raw in history:
            if is_output(raw):
                continue
            if isinstance(raw.get("id"), str):
                known.items.add(raw["id"])
            if (call := recorded_call(raw)) is not None:
                known.calls.add(call.call_id)
            elif raw.get("type") == "program":
                known.programs.add(str(raw.get("call_id")))
        return known

    @staticmethod
    def _new(found: object, known: set[str], what: str, *, needed: bool = True) -> None:
        if found is None and not needed:
            return
        if not isinstance(found, str) or not found:
            raise AnswerUnusable(f"the model's answer left out {what}")
        if found in known:
            raise AnswerUnusable(f"the model's answer repeated {what}")
        known.add(found)


def unused_approvals(history: Sequence[Wire]) -> list[tuple[int, Wire]]:
    """Approvals that no answer of the model has followed, each with its place."""
    found: list[tuple[int, Wire]] = []
    for at in range(len(history) - 1, -1, -1):
        item = history[at]
        if "type" in item and not is_output(item):
            break
        if item.get("type") == "mcp_approval_response" and item.get("approve") is True:
            found.append((at, item))
    return found[::-1]


def is_final(items: Sequence[Wire]) -> bool:
    """Whether the answer holds a final message: words of the model that are no commentary."""
    return any(item.get("type") == "message" and item.get("phase") != "commentary" for item in items)


def refusal_of(items: Sequence[Wire]) -> str:
    """The model's words of refusal; empty where it refuses nothing."""
    for item in items:
        for part in item.get("content") or () if item.get("type") == "message" else ():
            if isinstance(part, dict) and part.get("type") == "refusal":
                return str(part.get("refusal", ""))
    return ""


def _has_known_caller(call: Call) -> bool:
    """Whether the model itself makes the call, or a program that it names: anybody else may have no tool here."""
    caller = call.raw.get("caller")
    if caller is None or call.program:
        return True
    return isinstance(caller, Mapping) and caller.get("type") == "direct"


def _can_be_kept(raw: Wire) -> bool:
    try:
        canonical_json(raw)
    except (ValueError, TypeError, RecursionError):
        return False
    return True
