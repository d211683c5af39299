"""Answers of the decisions endpoint: one choice among the candidates that the request offers, or a refusal."""

from collections.abc import Mapping
from typing import Any

from app.rehearsal.references import NotThere
from app.rehearsal.responses import Wire, counters, input_tokens_of
from app.rehearsal.scenario import ChoiceStep

ANSWER_TOKENS = 2


def decision(step: ChoiceStep, body: Mapping[str, Any], *, model: str) -> Wire:
    """The whole answer object. Raises `NotThere` when the scripted choice is not among the candidates."""
    if step.body is not None:
        return step.body
    question = body["questions"][0]
    name = question["name"]
    usage = counters(
        input_tokens=input_tokens_of(body), cached_tokens=0, output_tokens=ANSWER_TOKENS, reasoning_tokens=0
    )
    if step.choose is None:
        return {"model": model, "answers": [{"type": "refusal", "name": name}], "usage": usage}
    values = [choice["value"] for choice in question["choices"]]
    if step.choose not in values:
        raise NotThere(f"candidate {step.choose!r} is not offered; offered are: {', '.join(values)}")
    return {
        "model": model,
        "answers": [
            {
                "type": "choice",
                "name": name,
                "choice": step.choose,
                "confidence": step.confidence,
                "probabilities": _probabilities(step, values),
            }
        ],
        "usage": usage,
    }


def _probabilities(step: ChoiceStep, values: list[str]) -> list[Wire]:
    others = len(values) - 1
    rest = (1 - step.confidence) / others if others else 0.0
    return [{"value": value, "probability": step.confidence if value == step.choose else rest} for value in values]
