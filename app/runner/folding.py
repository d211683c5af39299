"""Folds the answer that a run was cut off in into a boundary that the SDK can go on from, with outputs that are true.

The SDK resumes from a boundary only. Each call that has no output on record gets one that says what is known: nothing
begun, a read cut off, done but its result lost, or what a person found out about an effect that may have happened.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from app.core.errors import LedgerProblem
from app.core.events import CallAnswered, Found, Phase
from app.core.resuming import CallPart
from app.core.settle import DENIED, SettledCall
from app.core.value import Json

Item = dict[str, Any]

NOT_BEGUN = "Not executed: the run was interrupted before this call began. Nothing was done."
NOT_ALLOWED = "Not executed: the operator did not approve this call. Do not retry it unless the user asks."
ONLY_READ = "Not completed: the run was interrupted while this was being read. Nothing was changed."
NOT_DONE = "Not executed: the call was refused before it had any effect. Nothing was done."
RESULT_LOST = "Done, but the run was interrupted and the result was lost. Look at the current state."
FOUND: dict[Found, str] = {
    "done": "The run was interrupted during this call. The operator has checked: it was done. Its result was lost.",
    "not_done": "Not executed: the run was interrupted during this call. The operator has checked: it was not done.",
    "unknown": "The run was interrupted during this call. It may have happened or not, and the operator could not "
    "find out. Look at the current state first, and do not repeat it unless that shows that it was not done.",
}


@dataclass(frozen=True)
class Folded:
    """The boundary, and what it says that no checkpoint said before."""

    boundary: Item
    """One revision after the checkpoint that was folded."""
    answered: tuple[CallAnswered, ...]
    """The outputs that were made here, for the journal, in order."""
    told: tuple[str, ...]
    """What no output can say: of computer calls, whose outputs are pictures."""


def unfinished(checkpoint: Item | None, calls: Iterable[SettledCall]) -> tuple[SettledCall, ...]:
    """The actions of `checkpoint`'s answer whose outputs it lacks, in order. None for a boundary."""
    if checkpoint is None or checkpoint["phase"] != "pending":
        return ()
    returned = {answers(output) for output in checkpoint["returned_outputs"]}
    ids = {id_of(item) for item in checkpoint["pending_items"]}
    return tuple(call for call in calls if call.call_id in ids and (call.in_doubt or call.call_id not in returned))


def fold(
    checkpoint: Item,
    calls: Iterable[SettledCall],
    found: Mapping[CallPart, Found],
    on_record: Mapping[str, CallAnswered],
    no_picture: Item,
    browser_names: frozenset[str],
) -> Folded:
    """The boundary that follows the pending `checkpoint`.

    `on_record` are outputs that the journal has, by call id; `no_picture` answers a computer call.

    Raises:
        LedgerProblem: something of it can be answered by nobody.
    """
    by_call: dict[str, list[SettledCall]] = {}
    for call in calls:
        by_call.setdefault(call.call_id, []).append(call)
    returned = {answers(output): output for output in checkpoint["returned_outputs"]}
    outputs: list[Item] = []
    answered: list[CallAnswered] = []
    told: list[str] = []
    for item in checkpoint["pending_items"]:
        if (call_id := id_of(item)) is None:
            continue
        parts = by_call.get(call_id, [])
        require_an_answer(parts, found)
        settled = not any(call.outcome == "may_have_happened" for call in parts)
        if call_id in returned and (settled or item["type"] != "function_call"):
            outputs.append(returned[call_id])
        elif item["type"] == "mcp_approval_request":
            # An approval of the old process does not count: what was not sent on is not approved.
            outputs.append({"type": "mcp_approval_response", "approval_request_id": call_id, "approve": False})
            answered.append(CallAnswered(call_id=call_id, ok=False, output=["not approved"]))
        elif item["type"] == "computer_call":
            outputs.append(computer_output(item, no_picture))
            answered.append(CallAnswered(call_id=call_id, ok=False, output=[{"picture": None}]))
        else:
            # What the driver said of an effect in doubt, the model has not read: it reads what a person found.
            kept = kept_output(on_record.get(call_id), item["name"] in browser_names) if settled else None
            ok, words = words_of(parts, found)
            output = kept if kept is not None else text_output(words, ok=ok, browser=item["name"] in browser_names)
            outputs.append({"type": "function_call_output", "call_id": call_id, "output": output})
            if kept is None:
                answered.append(CallAnswered(call_id=call_id, ok=ok, output=[words]))
        if item["type"] == "computer_call" and (call_id not in returned or not settled):
            told.append(batch_words(call_id, parts, found))
    return Folded(closed(checkpoint, outputs, "boundary"), tuple(answered), tuple(told))


def closed(checkpoint: Item, outputs: Sequence[Item], phase: Phase) -> Item:
    """The boundary of that phase after `checkpoint`, whose answer `outputs` close."""
    boundary = deepcopy(checkpoint)
    answered = {answers(output) for output in outputs}
    attempted = [call_id for call_id in checkpoint["attempted_call_ids"]]
    returned = set(checkpoint["returned_call_ids"])
    boundary |= {
        "revision": checkpoint["revision"] + 1,
        "phase": phase,
        "history": [*boundary["history"], *boundary["pending_items"], *deepcopy(list(outputs))],
        # What was never attempted is answered too, but no receipt says that it was.
        "attempted_call_ids": [call_id for call_id in attempted if call_id in returned | answered],
        "pending_items": [],
        "returned_outputs": [],
    }
    if phase == "boundary":
        # The SDK wants all of its fields.
        boundary["final_response"] = None
    boundary["returned_call_ids"] = list(boundary["attempted_call_ids"])
    return boundary


def id_of(item: Item) -> str | None:
    """What an item's output refers to it by; None for what needs none."""
    kind = item.get("type")
    if kind in ("function_call", "computer_call"):
        return str(item["call_id"])
    return str(item["id"]) if kind == "mcp_approval_request" else None


def answers(output: Item) -> str:
    """The id of what `output` is the output of."""
    return str(output.get("call_id") or output.get("approval_request_id"))


def require_an_answer(parts: Iterable[SettledCall], found: Mapping[CallPart, Found]) -> None:
    """Raise `LedgerProblem` where an effect in doubt has no answer."""
    for call in parts:
        if call.in_doubt and (call.call_id, call.part) not in found:
            raise LedgerProblem(f"nobody has said what became of action {call.part} of the call {call.call_id}")


def words_of(parts: Sequence[SettledCall], found: Mapping[CallPart, Found]) -> tuple[bool, str]:
    """Whether it was done for certain, and the words that the model reads for it."""
    if not parts:
        return False, NOT_BEGUN
    call = parts[0]
    if call.outcome == "may_have_happened":
        said = call.found or found[call.call_id, call.part]
        return said == "done", FOUND[said]
    if call.outcome == "done":
        return True, RESULT_LOST
    if call.words == DENIED:
        return False, NOT_ALLOWED
    if call.on_record and call.words == "not done":
        return False, NOT_DONE
    return False, ONLY_READ if "reading" in call.words else NOT_BEGUN


def text_output(words: str, *, ok: bool, browser: bool) -> Json:
    """`words` as a function's output."""
    if not browser:
        return words
    # The SDK's own form, without a state: which pages were open is not known any more.
    said: dict[str, Json] = {"ok": ok, **({"result": words} if ok else {"error": words})}
    return [{"type": "input_text", "text": json.dumps(said)}]


def kept_output(answered: CallAnswered | None, browser: bool) -> Json:
    """The very output, where the journal has it letter for letter; None where it was shortened there."""
    if answered is None or not isinstance(answered.output, list) or len(answered.output) != 1:
        return None
    (only,) = answered.output
    if not browser:
        return only if isinstance(only, str) else None
    if isinstance(only, dict) and isinstance(only.get("ok"), bool) and only.get("result") != "(the page read)":
        return [{"type": "input_text", "text": json.dumps(only)}]
    return None


def computer_output(item: Item, no_picture: Item) -> Item:
    """The output of a computer call that has no picture. Raises `LedgerProblem` where nobody can acknowledge it."""
    checks = item.get("pending_safety_checks") or []
    if checks:
        # An answer without acknowledgements is one that the service may reject, and nobody can acknowledge them now.
        raise LedgerProblem(
            "the run was interrupted in a computer call with safety checks; it can be forked from an earlier boundary"
        )
    return {"type": "computer_call_output", "call_id": item["call_id"], "output": dict(no_picture)}


def batch_words(call_id: str, parts: Sequence[SettledCall], found: Mapping[CallPart, Found]) -> str:
    """What became of each action of a computer call."""
    said = [f"Action {call.part} ({call.member}): {words_of([call], found)[1]}" for call in parts]
    rest = "What is not named here was not begun."
    return " ".join([f"Of the computer call {call_id}, during which the run was interrupted:", *said, rest])
