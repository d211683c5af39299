"""A scripted model that decides by what it has been sent, as a real one would: for runs that go on after a kill."""

import json
from typing import Any

from app.rehearsal.record import RecordedRequest
from app.rehearsal.references import Seen
from app.rehearsal.responses import response, usage_counters, wire_items
from app.rehearsal.scenario import AnswerStep, Scenario
from app.rehearsal.script import Turn
from app.rehearsal.server import MODEL, ScriptedModel
from app.runner.told import FORKED, RESUMED
from tests.unit.app.runner import scenes
from tests.unit.app.runner.scenes import answer, scene

DONE, UNSURE = "The table is reserved.", "I do not know whether it is reserved, so I stop."
MOST_ANSWERS = 200


def booking_scene(*, keys: str = "max_steps = 40") -> Scenario:
    """The form is read, a name is typed, the table is reserved; how often is the model's own affair."""
    return scene(answer(scenes.READ, before=f"repeat = {MOST_ANSWERS}"), keys=keys)


class ThinkingModel(ScriptedModel):
    """Reserves one table. What it was told about its click decides whether it tries again."""

    def _response(self, turn: Turn[AnswerStep], recorded: RecordedRequest) -> dict[str, Any]:
        items = wire_items(
            _parsed(next_output(recorded.body["input"])), Seen(recorded.body, site=self._site), number=recorded.number
        )
        usage = usage_counters(recorded.body, items, reasoning=False, cached=0)
        return response(items, usage, number=recorded.number, model=MODEL, body=recorded.body)


def _parsed(output: str) -> Any:
    return scene(answer(output)).answers[0].output


def next_output(history: list[dict[str, Any]]) -> str:
    """What the model says next, as a scenario writes it."""
    seams = [at for at, item in enumerate(history) if _is_seam(item)]
    since = history[seams[-1] :] if seams else history
    told = [words_for(history, item["call_id"]) for item in history if item.get("name") == "browser_click"]
    if any("may have happened" in words for words in told):
        return f'message = "{UNSURE}"'
    if any('"ok": true' in words or '"ok":true' in words for words in told):
        return f'message = "{DONE}"'
    did = [item["name"] for item in since if item.get("type") == "function_call"]
    if "browser_read_page" not in did:
        return scenes.READ
    return scenes.TYPE_NAME if "browser_type" not in did else scenes.RESERVE


def words_for(history: list[dict[str, Any]], call_id: str) -> str:
    """The output of a call, as text."""
    outputs = [item["output"] for item in history if item.get("call_id") == call_id and "output" in item]
    return "".join(output if isinstance(output, str) else output[0]["text"] for output in outputs)


def _is_seam(item: dict[str, Any]) -> bool:
    said = json.dumps(item["content"]) if item.get("role") == "user" else ""
    return RESUMED in said or FORKED in said
