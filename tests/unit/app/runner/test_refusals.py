"""Whatever is refused is not done, the model is told, and the run goes on wherever it can."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.events import ActionStarted, AskRaised, CallAnswered, DecisionMade, SegmentStarted
from app.core.plan import RulePlan, RunPlan
from app.core.settle import settle
from app.rehearsal.scenario import load_scenario
from app.runner.specs import FunctionSpec
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import run_scenario
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.scenes import answer, batch, deny, scene
from tests.unit.app.runner.told import state_of, told, user_texts

NOTE = "Not at this hour."


FORM_THEN_CLICK = (answer(scenes.READ), answer(scenes.RESERVE), answer(scenes.DONE))


@pytest.mark.parametrize("note", ["", NOTE])
def test_a_denied_browser_action_is_not_done_and_the_model_reads_it_in_the_call_s_output(
    tmp_path: Path, note: str
) -> None:
    run = run_scenario(scene(*FORM_THEN_CLICK, operator=deny("browser_action", note=note)), tmp_path)
    check(run)
    assert run.ended.status == "finished"
    assert run.did == []
    assert run.site.bookings == []
    output = run.outputs_sent()["call_002_01"][0]["text"]
    assert json.loads(output)["ok"] is False
    assert "not approved" in output
    assert (note in output) is True
    assert user_texts(run, 3) == ["Do as you are told."]
    assert state_of(run, "call_002_01") == "not_done"
    assert len(run.of(SegmentStarted)) == 1


def test_later_browser_calls_of_an_answer_are_skipped_after_a_denial_and_those_of_the_next_are_not(
    tmp_path: Path,
) -> None:
    scenario = scene(
        answer(scenes.READ),
        answer(scenes.RESERVE, scenes.TYPE_NAME),
        answer(scenes.TYPE_NAME),
        answer(scenes.DONE),
        operator=deny("browser_action", member="click"),
    )
    run = run_scenario(scenario, tmp_path)
    check(run)
    assert [member for member, _ in run.did] == ["type"]
    assert "earlier browser action in this turn failed" in run.outputs_sent()["call_002_02"][0]["text"]
    assert [ask.ask.member for ask in run.of(AskRaised)] == ["click", "type"]


@pytest.mark.parametrize("note", ["", NOTE])
def test_a_denied_protected_read_sends_nothing_of_the_page(tmp_path: Path, note: str) -> None:
    scenario = scene(
        answer('browser = "get_page_text"'),
        answer(scenes.DONE),
        operator=deny("protected_read", note=note),
        keys='confirm_reads = ["get_page_text"]',
    )
    run = run_scenario(scenario, tmp_path)
    check(run)
    assert run.ended.status == "finished"
    assert run.of(ActionStarted) == []
    assert "Harbour Table" not in told(run, 2)
    assert "Browser read was not approved." in run.outputs_sent()["call_001_01"][0]["text"]
    assert any(NOTE in text for text in user_texts(run, 2)) == bool(note)
    assert [said.text for said in run.timeline.conversation].count(note) == bool(note)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_list_of_tabs_is_done_without_a_driver_unless_it_was_denied(tmp_path: Path, allowed: bool) -> None:
    scenario = scene(
        answer('browser = "list_tabs"'),
        answer(scenes.DONE),
        members=("read_page", "list_tabs"),
        operator=scenes.ALLOW if allowed else deny("protected_read"),
        keys='confirm_reads = ["list_tabs"]',
    )
    run = run_scenario(scenario, tmp_path)
    check(run)
    assert run.ended.status == "finished"
    assert state_of(run, "call_001_01") == ("done" if allowed else "not_done")
    assert [settled.outcome for settled in settle(run.timeline.events)] == ["done" if allowed else "not_done"]
    assert ("Harbour Table" in told(run, 2)) == allowed


@pytest.mark.parametrize("note", ["", NOTE])
def test_a_denied_function_is_not_called(tmp_path: Path, note: str) -> None:
    called: list[Any] = []

    async def lookup(arguments: dict[str, Any]) -> str:
        called.append(arguments)
        return "called"

    tool = {"type": "function", "name": "lookup", "parameters": {"type": "object", "properties": {}}, "strict": False}
    scenario = scene(
        answer('function = "lookup"\narguments = { day = "Monday" }'),
        answer(scenes.DONE),
        operator=deny("function_call", note=note),
    )
    run = run_scenario(scenario, tmp_path, functions=[FunctionSpec(tool, lookup)])
    check(run)
    assert run.ended.status == "finished"
    assert called == []
    assert "did not approve" in run.outputs_sent()["call_001_01"]
    assert note in run.outputs_sent()["call_001_01"]
    assert state_of(run, "call_001_01") == "not_done"
    (answered,) = run.of(CallAnswered)
    assert answered.ok is False


def test_a_rule_that_denies_names_itself_to_the_model_and_asks_nobody(tmp_path: Path) -> None:
    rules = (
        RulePlan(verdict="deny", text="nothing is reserved today", kinds=("browser_action",), members=("click",)),
        RulePlan(verdict="deny", text="no functions today", kinds=("function_call",)),
    )
    scenario = scene(
        answer(scenes.READ),
        answer(scenes.RESERVE, scenes.OPENING_HOURS),
        answer(scenes.DONE),
        keys='functions = ["opening_hours"]',
    )
    run = run_scenario(scenario, tmp_path, plan=lambda plan: plan.model_copy(update={"rules": rules}))
    check(run)
    assert run.did == []
    assert {event.decision.by for event in run.of(DecisionMade)} == {"rule"}
    outputs = run.outputs_sent()
    assert "nothing is reserved today" in outputs["call_002_01"][0]["text"]
    assert "no functions today" in outputs["call_002_02"]
    assert "operator" not in outputs["call_002_02"]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "https://user@evil.test/", "https://evil.test\\\\@shop.test/"])
def test_an_address_that_is_never_opened_is_denied_without_asking(tmp_path: Path, url: str) -> None:
    scenario = scene(
        answer(f"browser = \"navigate\"\narguments = {{ url = '{url}' }}"),
        answer(scenes.DONE),
    )
    everything = (RulePlan(verdict="allow"),)
    run = run_scenario(scenario, tmp_path, plan=lambda plan: plan.model_copy(update={"rules": everything}))
    check(run)
    assert run.did == []
    (decision,) = (event.decision for event in run.of(DecisionMade))
    assert (decision.by, decision.verdict) == ("rule", "deny")
    assert "the address is not opened" in run.outputs_sent()["call_001_01"][0]["text"]


THREE_ACTIONS = (
    answer(batch(scenes.CLICK_NAME, scenes.TYPE_TEXT, scenes.CLICK_RESERVE)),
    answer(scenes.DONE),
)


@pytest.mark.parametrize("note", ["", NOTE])
def test_a_computer_action_denied_in_the_middle_leaves_the_earlier_ones_and_skips_the_later(
    tmp_path: Path, note: str
) -> None:
    scenario = scene(
        *THREE_ACTIONS,
        operator=deny("computer_action", member="type", note=note),
        keys="computer = true\nmax_steps = 2",
    )
    run = run_scenario(scenario, tmp_path)
    check(run)
    assert run.ended.status == "finished", run.ended.reason
    assert [member for member, _ in run.did] == ["click"]
    assert run.site.bookings == []
    # One request for each answer, within a limit of two: the new segment costs neither a step nor a request.
    assert len(run.model.requests) == 2
    assert [segment.number for segment in run.of(SegmentStarted)] == [1, 2]
    said = user_texts(run, 2)[-1]
    assert "Action 2 of 3 (type)" in said
    assert note in said
    assert state_of(run, "call_001_01") == "partly_done"
    asked = [(event.ask.member, event.ask.part, event.ask.parts) for event in run.of(AskRaised)]
    assert asked[:2] == [("click", 1, 3), ("type", 2, 3)]
    assert run.outputs_sent()["call_001_01"]["type"] == "computer_screenshot"


def test_a_batch_denied_at_its_first_action_is_not_done(tmp_path: Path) -> None:
    scenario = scene(*THREE_ACTIONS, operator=deny("computer_action", member="click"), keys="computer = true")
    run = run_scenario(scenario, tmp_path)
    check(run)
    assert run.did == []
    assert state_of(run, "call_001_01") == "not_done"
    assert "Action 1 of 3 (click)" in user_texts(run, 2)[-1]


def test_a_rule_that_denies_a_computer_action_names_itself(tmp_path: Path) -> None:
    rules = (RulePlan(verdict="deny", text="no typing", kinds=("computer_action",), members=("type",)),)
    run = run_scenario(
        scene(*THREE_ACTIONS, keys="computer = true"),
        tmp_path,
        plan=lambda plan: plan.model_copy(update={"rules": rules}),
    )
    check(run)
    assert "no typing" in user_texts(run, 2)[-1]


def no_pictures(plan: RunPlan) -> RunPlan:
    """The plan in which the picture after each computer call is asked about."""
    assert plan.computer is not None
    return plan.model_copy(update={"computer": plan.computer.model_copy(update={"ask_screenshots": True})})


@pytest.mark.parametrize("actions", [(scenes.CLICK_NAME,), ('{ type = "screenshot" }',)])
def test_a_denied_picture_of_the_screen_is_neither_taken_nor_sent(tmp_path: Path, actions: tuple[str, ...]) -> None:
    scenario = scene(
        answer(batch(*actions)),
        answer(scenes.DONE),
        operator=deny("computer_action", member="screenshot"),
        keys="computer = true",
    )
    run = run_scenario(scenario, tmp_path, plan=no_pictures)
    check(run)
    assert run.ended.status == "finished"
    assert run.computers[0].pictures == 0
    assert "not approved" in user_texts(run, 2)[-1]


def test_the_picture_after_a_refusal_is_asked_about_like_any_other(tmp_path: Path) -> None:
    scenario = scene(*THREE_ACTIONS, operator='[operator]\ndefault = "deny"', keys="computer = true")
    run = run_scenario(scenario, tmp_path, plan=no_pictures)
    check(run)
    assert run.computers[0].pictures == 0
    assert [event.ask.member for event in run.of(AskRaised)] == ["click", "screenshot"]


def test_every_picture_of_the_screen_is_on_record_before_it_is_taken(tmp_path: Path) -> None:
    scenario = scene(*THREE_ACTIONS, operator=deny("computer_action", member="type"), keys="computer = true")
    run = run_scenario(scenario, tmp_path)
    started = [event for event in run.of(ActionStarted) if event.member == "screenshot"]
    assert len(started) == run.computers[0].pictures == 1


def test_a_rule_of_the_run_file_may_deny_the_picture_that_ends_a_call(tmp_path: Path) -> None:
    rules = (RulePlan(verdict="deny", text="no pictures", kinds=("computer_action",), members=("screenshot",)),)
    run = run_scenario(
        scene(answer(batch(scenes.CLICK_NAME)), answer(scenes.DONE), keys="computer = true"),
        tmp_path,
        plan=lambda plan: plan.model_copy(update={"rules": rules}),
    )
    check(run)
    assert run.computers[0].pictures == 0


def test_unacknowledged_safety_checks_end_the_run_before_any_action(tmp_path: Path) -> None:
    scenario = scene(
        answer(batch(scenes.CLICK_RESERVE, safety="This cannot be undone.")),
        operator=deny("safety_checks"),
        keys="computer = true",
    )
    run = run_scenario(scenario, tmp_path)
    check(run)
    assert run.ended.status == "failed"
    assert run.ended.reason == "the safety checks were not acknowledged; nothing of that call was done"
    assert run.did == []
    assert len(run.model.requests) == 1
    assert run.of(ActionStarted) == []


def test_acknowledged_safety_checks_reach_the_service_even_when_an_action_is_then_denied(tmp_path: Path) -> None:
    scenario = scene(
        answer(batch(scenes.CLICK_RESERVE, safety="This cannot be undone.")),
        answer(scenes.DONE),
        operator=deny("computer_action", member="click"),
        keys="computer = true",
    )
    run = run_scenario(scenario, tmp_path)
    check(run)
    (output,) = (i for i in run.model.requests[-1].body["input"] if i.get("type") == "computer_call_output")
    assert [entry["message"] for entry in output["acknowledged_safety_checks"]] == ["This cannot be undone."]


@pytest.mark.parametrize("stream", [True, False])
def test_the_note_of_a_denied_server_tool_arrives_in_the_next_request(tmp_path: Path, stream: bool) -> None:
    scenario = scene(
        answer(scenes.ASK_GUEST),
        answer(scenes.DONE),
        mcp=scenes.GUEST_LIST,
        operator=deny("mcp_approval", note=NOTE),
    )
    run = run_scenario(scenario, tmp_path, plan=streaming(stream=stream))
    check(run)
    assert run.ended.status == "finished", run.ended.reason
    assert len(run.model.requests) == 2
    (response,) = (i for i in run.model.requests[1].body["input"] if i.get("type") == "mcp_approval_response")
    assert response["approve"] is False
    assert NOTE in user_texts(run, 2)[-1]
    assert [segment.number for segment in run.of(SegmentStarted)] == [1, 2]
    assert state_of(run, "mcpr_001_01") == "not_done"


def streaming(**options: Any) -> Any:
    """Plan changer: the streaming options."""
    return lambda plan: plan.model_copy(update={"streaming": plan.streaming.model_copy(update=options)})


def test_an_approval_on_record_is_not_asked_again_when_a_new_segment_begins(tmp_path: Path) -> None:
    """The SDK asks again on resume; a person who denied with a note would otherwise be asked for ever."""
    scenario = scene(
        answer(scenes.ASK_GUEST, batch(scenes.CLICK_RESERVE)),
        answer(scenes.GUEST_FOUND, scenes.OPENING_HOURS),
        answer(scenes.DONE),
        mcp=scenes.GUEST_LIST,
        operator=deny("computer_action", member="click", note=NOTE),
        keys='computer = true\nfunctions = ["opening_hours"]',
    )
    run = run_scenario(scenario, tmp_path)
    check(run)
    assert run.ended.status == "finished", run.ended.reason
    assert [event.ask.member for event in run.of(AskRaised)].count("find_guest") == 1
    assert len(run.of(SegmentStarted)) == 2
    assert state_of(run, "mcpr_001_01") == "done"
    assert run.did == []


def test_the_shipped_refusal_books_only_what_was_allowed(tmp_path: Path) -> None:
    run = run_scenario(load_scenario("refusal"), tmp_path)
    check(run)
    assert run.ended.status == "finished"
    assert [(booking.guests, booking.time) for booking in run.site.bookings] == [(4, "20:00")]
