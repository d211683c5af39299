"""Every driver under the SDK's real runner, against a model that is a list of answers served over real HTTP."""

import json
from typing import Any

import pytest
from openai import AsyncOpenAI
from openai.lib.responses_tool_runner import AsyncResponsesToolRunner

from tests.conformance.conftest import Bench
from tests.helpers.site.server import Answer, Request

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGE = "<h1>Counter</h1><button onclick=\"o.textContent = 'pressed'\">Press</button><p id=o></p>"


class Model:
    """Answers each request from a list; an answer may look up a ref in what the run sent."""

    def __init__(self, turns: list[tuple[str, dict[str, Any]]]) -> None:
        self.turns = turns
        self.sent: list[Any] = []

    async def __call__(self, request: Request) -> Answer:
        body = json.loads(request.body)
        self.sent.append(body)
        number = len(self.sent)
        if number > len(self.turns):
            text = [{"type": "output_text", "text": "Done.", "annotations": []}]
            item = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": text}
        else:
            name, arguments = self.turns[number - 1]
            given = {k: self._ref(body, v) if k == "target" else v for k, v in arguments.items()}
            item = {"type": "function_call", "id": f"f{number}", "call_id": f"c{number}", "name": f"browser_{name}",
                    "arguments": json.dumps(given), "status": "completed"}  # fmt: skip
        answer = {"id": f"r{number}", "object": "response", "created_at": 1, "model": "m", "status": "completed",
                  "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "output": [item]}  # fmt: skip
        return Answer(json.dumps(answer), headers={"Content-Type": "application/json"})

    def _ref(self, body: Any, label: str) -> str:
        outputs = [item for item in body["input"] if item.get("type") == "function_call_output"]
        report = json.loads(outputs[-1]["output"][0]["text"])["result"]
        return next(str(e["ref"]) for e in report["elements"] if e["label"] == label)


async def test_a_run_reads_presses_and_ends(bench: Bench) -> None:
    model = Model(
        [
            ("navigate", {"url": bench.site.page("/", PAGE), "tab_id": None}),
            ("read_page", {"tab_id": None, "filter": "all"}),
            ("click", {"target": "Press", "tab_id": None}),
            ("get_page_text", {"tab_id": None}),
            ("screenshot", {"tab_id": None}),
        ]
    )
    bench.site.routes["/v1/responses"] = model
    async with AsyncOpenAI(api_key="none", base_url=bench.site.url("/v1")) as client:
        response = await AsyncResponsesToolRunner(browser=bench.toolset).run(
            client, {"model": "m", "input": "Press the button.", "store": False}, max_steps=8
        )
    assert response.output_text == "Done."
    outputs = [item for item in model.sent[-1]["input"] if item.get("type") == "function_call_output"]
    assert [json.loads(o["output"][0]["text"])["ok"] for o in outputs] == [True] * 5
    assert "pressed" in json.loads(outputs[3]["output"][0]["text"])["result"]["text"]
    assert outputs[4]["output"][1]["type"] == "input_image"
