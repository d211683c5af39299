"""What the console's client sends is what the SDK's own would send; only the time that it takes is another."""

import re
from pathlib import Path
from typing import Any

import openai.types
import pytest
from openai import AsyncOpenAI

from app.rehearsal.server import MODEL, ScriptedModel
from app.runner.plain_client import PlainClient
from tests.unit.app.runner import scenes
from tests.unit.app.runner.scenes import answer, scene

PICTURE = {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,aGVsbG8="}
CALL = {"type": "function_call", "call_id": "c1", "name": "browser_click", "arguments": '{"target": "e1"}', "id": "f1"}
CONVERSATION: list[dict[str, Any]] = [
    {"role": "user", "content": "Reserve a table \U0001f600 \u202e"},
    {"type": "reasoning", "id": "r1", "summary": [], "encrypted_content": "x"},
    CALL,
    {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "{}"}, PICTURE]},
    {"type": "computer_call", "call_id": "c2", "id": "cc", "pending_safety_checks": [], "actions": [{"type": "wait"}]},
    {"type": "computer_call_output", "call_id": "c2", "output": {"type": "computer_screenshot", "image_url": "u"}},
    {"type": "mcp_approval_response", "approval_request_id": "m1", "approve": False},
    {"type": "of a later version", "from": None, "deep": [{"nothing": None, "number": 1e300}]},
]
TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "name": "lookup",
        "strict": True,
        "parameters": {"type": "object", "properties": {"from": {}}},
    },
    {"type": "mcp", "server_label": "tracker", "server_url": "https://tracker.invalid", "require_approval": "always"},
    {"type": "computer"},
]


async def _sent(kind: type[AsyncOpenAI], **given: Any) -> tuple[dict[str, Any], dict[str, str]]:
    model = ScriptedModel(scene(answer(scenes.DONE)))
    base_url = model.start()
    try:
        async with kind(api_key="no-key", base_url=base_url) as client:
            asked = await client.with_options(max_retries=0).responses.create(model=MODEL, **given)
            if given.get("stream"):
                async with asked:
                    assert [event.type async for event in asked][-1] == "response.completed"
            else:
                assert asked.output_text == "Done."
    finally:
        model.stop()
    (request,) = model.requests
    return request.body, request.headers


@pytest.mark.parametrize(
    "given",
    [
        {"input": CONVERSATION, "tools": TOOLS, "store": False},
        {"input": CONVERSATION, "stream": True, "extra_headers": {"x-own": "1"}},
        {"input": "in plain words", "instructions": "Be brief.", "extra_body": {"metadata": {"a": "b"}}},
        {"input": CONVERSATION, "extra_body": {"input": "what stands beside it counts"}},
        {"input": CONVERSATION, "tools": tuple(TOOLS)},
    ],
    ids=["whole", "streamed", "words", "beside", "no_list"],
)
async def test_the_body_is_equal_to_what_the_sdk_itself_sends(given: dict[str, Any]) -> None:
    own, own_headers = await _sent(PlainClient, **given)
    plain, plain_headers = await _sent(AsyncOpenAI, **given)
    assert own == plain
    assert own["input"] == given.get("extra_body", {}).get("input", given["input"])
    assert own_headers.get("x-own") == plain_headers.get("x-own")


def test_the_sdk_knows_of_no_other_name_or_form_in_conversations_and_tools() -> None:
    """What it looks for is said in its types by `PropertyInfo`; once there is one, it must be looked for again."""
    types = Path(openai.types.__path__[0])
    sources = [*types.glob("responses/**/*.py"), *types.glob("shared_params/**/*.py")]
    assert len(sources) > 100
    said = [use for source in sources for use in re.findall(r"PropertyInfo\(([^)]*)\)", source.read_text("utf-8"))]
    assert said
    assert [use for use in said if not use.startswith("discriminator=")] == []
