"""Tools of a local MCP server as functions of a run: declared, each call asked, done or not done as the record says."""

import contextlib
import sys
from pathlib import Path
from typing import Any

import pytest

from app.core.events import ActionEnded, AskRaised, CallAnswered, RunEnded
from app.core.plan import RunPlan
from app.core.timeline import Timeline
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.server import MODEL, ScriptedModel
from app.runner.session_ports import ModelService
from app.wiring import make_session, served_functions
from tests.helpers import tool_server
from tests.unit.app.runner.scenes import DONE, answer, deny, scene

SERVER: dict[str, Any] = {"name": "local", "command": [sys.executable, str(Path(tool_server.__file__)), ""]}


def ran(home: Path, *calls: str, operator: str = '[operator]\ndefault = "allow"', **changes: Any) -> Any:
    """The timeline, the model's requests, and the answers to calls by function, of a run of these calls."""
    plan = RunPlan.model_validate({"task": "t", "model": MODEL, "function_servers": [{**SERVER, **changes}]})
    answers = [answer(f'function = "{call}"\narguments = {{ text = "hello" }}') for call in calls]
    with contextlib.ExitStack() as stack:
        model = ScriptedModel(scene(*answers, answer(DONE), operator=operator))
        base_url = model.start()
        stack.callback(model.stop)
        inbox = OperatorInbox(ScriptedOperator(model.scenario.operator))
        service = ModelService(MODEL, "no-key", base_url)
        session = make_session(plan, home=home, inbox=inbox, service=service, provenance="demo", unattended=True)
        timeline = Timeline()
        session.subscribe(timeline.apply)
        session.start()
        assert session.join(300)
        return timeline, model.requests


def of(timeline: Timeline, kind: Any) -> list[Any]:
    return [one.event for one in timeline.events if isinstance(one.event, kind)]


def test_each_call_of_a_server_s_tool_is_asked_and_goes_back_to_the_model(tmp_path: Path) -> None:
    timeline, requests = ran(tmp_path, "local_say", "local_picture", env={"GIVEN_SECRET": "sesame"})
    (ended,) = of(timeline, RunEnded)
    assert ended.status == "finished", ended.reason
    declared = requests[0].body["tools"]
    assert [tool["name"] for tool in declared] == [f"local_{name}" for name in tool_server.TOOLS]
    assert declared[0]["parameters"]["required"] == ["text"]
    asked = [event.ask for event in of(timeline, AskRaised)]
    assert [(ask.kind, ask.member, ask.arguments) for ask in asked] == [
        ("function_call", "local_say", {"text": "hello"}),
        ("function_call", "local_picture", {"text": "hello"}),
    ]
    assert [event.outcome for event in of(timeline, ActionEnded)] == ["done", "done"]
    outputs = [item["output"] for item in requests[2].body["input"] if item.get("type") == "function_call_output"]
    assert outputs[0] == "said hello"
    assert outputs[1][1]["type"] == "input_image"
    assert "sesame" not in str(of(timeline, object)[0])


def test_a_denied_call_does_not_reach_the_server(tmp_path: Path) -> None:
    timeline, requests = ran(tmp_path, "local_leave", operator=deny("function_call"))
    assert of(timeline, RunEnded)[0].status == "finished"
    assert of(timeline, ActionEnded) == []
    assert "did not approve" in str(requests[1].body["input"][-1]["output"])


def test_a_refusing_server_has_not_done_it_and_a_failing_tool_says_so(tmp_path: Path) -> None:
    timeline, _ = ran(tmp_path, "local_refuse", "local_fails")
    assert [event.outcome for event in of(timeline, ActionEnded)] == ["not_done", "done"]
    assert [event.ok for event in of(timeline, CallAnswered)] == [False, True]
    assert of(timeline, RunEnded)[0].status == "finished"


def test_a_server_that_breaks_off_leaves_an_effect_that_may_have_happened(tmp_path: Path) -> None:
    timeline, _ = ran(tmp_path, "local_leave")
    assert [event.outcome for event in of(timeline, ActionEnded)] == ["may_have_happened"]
    assert of(timeline, RunEnded)[0].status == "needs_reconciling"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"command": ["/nowhere/at/all"]}, "cannot be started"),
        ({"tools": ["say", "sing"]}, "the server has no tool 'sing'"),
        ({"command": [*SERVER["command"][:2], "leaves"]}, "broke off: no licence"),
    ],
)
def test_a_server_that_cannot_serve_ends_the_run_before_any_request(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    timeline, requests = ran(tmp_path, **changes)
    (ended,) = of(timeline, RunEnded)
    assert (ended.status, requests) == ("failed", [])
    assert words in ended.reason


def test_only_the_named_tools_are_offered() -> None:
    plan = RunPlan.model_validate({"task": "t", "function_servers": [{**SERVER, "tools": ["odd", "say"]}]})
    assert [spec.tool["name"] for spec in served_functions(plan)] == ["local_say", "local_odd"]
