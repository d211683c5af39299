"""The decisions endpoint with the SDK's own runner."""

from typing import Any

import pytest
from openai import AsyncOpenAI
from openai.lib.decisions_tool_runner import AsyncDecisionsToolRunner, DecisionsToolRunnerError

from app.rehearsal.scenario import parse_scenario
from app.rehearsal.server import ScriptedModel

HEAD = """\
name = "choose"
title = "Choose"
summary = "Chooses among candidates."
task = "Press twice."
engine = "decisions"
members = []
[check]
claim = "Pressed."
bookings = []
"""


def scripted(steps: str) -> ScriptedModel:
    return ScriptedModel(parse_scenario(HEAD + steps, source="choose.toml"))


async def run(model: ScriptedModel) -> tuple[Any, list[str]]:
    pressed: list[str] = []

    async def observe() -> str:
        return f"pressed {len(pressed)} times"

    async def press() -> None:
        pressed.append("button")

    def candidates(_: object) -> list[Any]:
        return [
            {"id": "press", "description": "Press the button", "execute": press},
            {"id": "done", "description": "Finished", "done": True},
        ]

    async def verify(_: object) -> bool:
        return len(pressed) == 2

    async def offered(observation: object) -> list[Any]:
        return candidates(observation)

    runner = AsyncDecisionsToolRunner(observe=observe, candidates=offered, verify=verify)
    url = model.start()
    try:
        async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:
            return await runner.run(client, {"model": "m", "input": "Press twice."}), pressed
    finally:
        model.stop()


async def test_the_scripted_choices_are_made_in_order() -> None:
    steps = '[[decisions]]\nchoose = "press"\n[[decisions]]\nchoose = "press"\n[[decisions]]\nchoose = "done"\n'
    model = scripted(steps)
    result, pressed = await run(model)
    assert result["status"] == "verified"
    assert pressed == ["button", "button"]
    assert [request.path for request in model.requests] == ["/v1/decisions"] * 3


async def test_a_refusal_is_a_result() -> None:
    result, pressed = await run(scripted("[[decisions]]\nrefuse = true\n"))
    assert (result["status"], pressed) == ("refused", [])


async def test_a_choice_that_is_not_offered_is_an_error_that_names_the_offers() -> None:
    model = scripted('[[decisions]]\nchoose = "jump"\n')
    with pytest.raises(DecisionsToolRunnerError):
        await run(model)
    assert model.problems == [
        "choose.toml: request 1, decision 1: candidate 'jump' is not offered; offered are: press, done"
    ]
