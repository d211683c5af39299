"""How a run of the own loop goes on and how it ends: limits, broken answers, refusals, a stop, the record."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import UsageProblem
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CheckpointSaved,
    DiagnosticReported,
    RequestSent,
    RunStarted,
    SegmentStarted,
    TurnAnswered,
    UserTextAdded,
)
from app.core.plan import LimitsPlan, RunPlan
from app.ledger.verify import verify
from app.rehearsal.server import ScriptedModel
from app.runner.session import Session
from app.runner.specs import CustomToolSpec, FunctionSpec, ToolSpec
from app.runner.told import SAID
from tests.unit.app.runner.programs.scripts import (
    CALLER,
    call,
    message,
    outputs,
    played,
    program,
    program_output,
    raw,
    script,
    sent,
    shop,
)

ORDER = {"sku": "a", "units": 1}


def direct(**keys: Any) -> Any:
    return script([call("order_units", "c1", ORDER)], [message("Ordered.")], **keys)


@pytest.mark.parametrize("stream", [False, True])
def test_a_direct_call_is_asked_done_and_answered(tmp_path: Path, stream: bool) -> None:
    run = played(direct(), tmp_path, shop("order_units"), stream=stream)
    assert run.ended.status == "finished"
    assert run.ended.final_text == "Ordered."
    assert outputs(run) == [
        {"type": "function_call_output", "call_id": "c1", "output": '{"sku": "a", "ordered_units": 1}'}
    ]
    assert [event.outcome for event in run.of(ActionEnded)] == ["done"]


def test_what_a_person_says_goes_with_the_next_request(tmp_path: Path) -> None:
    def begun(session: Session, model: ScriptedModel) -> None:
        assert model.wait_until_held("first")
        session.by_hand.say("Take two.")
        model.release("first")

    first = {"output": [call("order_units", "c1", ORDER)], "wait_for": "first"}
    run = played(script(first, [message("Ordered.")]), tmp_path, shop("order_units"), begun=begun)
    assert run.ended.status == "finished"
    assert run.model.requests[1].body["input"][-1] == {"role": "user", "content": "Take two."}
    assert [(event.text, event.reason) for event in run.of(UserTextAdded)] == [("Take two.", SAID)]


def test_the_record_says_which_loop_ran_and_why(tmp_path: Path) -> None:
    run = played(script([message()], programs=True), tmp_path, shop("order_units"))
    (header,), (segment,) = run.of(RunStarted), run.of(SegmentStarted)
    assert header.engine == "programs"
    assert "the console's own loop: programs are offered" in segment.reason


def test_the_record_is_whole_and_its_phases_are_this_loop_s_own(tmp_path: Path) -> None:
    run = played(direct(), tmp_path, shop("order_units"))
    saved = run.of(CheckpointSaved)
    assert [event.phase.removeprefix("programs_") for event in saved] == [
        *("boundary", "pending", "pending", "boundary"),
        *("boundary", "final"),
    ]
    assert [event.revision for event in saved] == list(range(1, 7))
    assert [event.turn for event in run.of(RequestSent)] == [1, 2]
    assert verify(run.ledger_path).whole


def test_the_last_step_does_nothing_of_what_its_answer_proposes(tmp_path: Path) -> None:
    run = played(direct(max_steps=1), tmp_path, shop("order_units"))
    assert run.ended.status == "failed"
    assert "step limit" in run.ended.reason
    assert run.of(AskRaised) == []


def test_no_request_leaves_once_the_token_budget_is_used_up(tmp_path: Path) -> None:
    limits = LimitsPlan(max_total_tokens=1)
    run = played(direct(), tmp_path, shop("order_units"), plan=lambda plan: plan.model_copy(update={"limits": limits}))
    assert run.ended.status == "failed"
    assert "token budget" in run.ended.reason
    assert len(run.model.requests) == 1
    assert run.of(AskRaised) == []


def test_an_answer_without_call_and_message_is_gone_on_from(tmp_path: Path) -> None:
    reasoning = raw(type="reasoning", id="r1", summary=[], encrypted_content="sealed")
    run = played(
        script([program()], [program_output("{}", status="incomplete")], [reasoning], [message("Still there.")]),
        tmp_path,
        [],
    )
    assert run.ended.final_text == "Still there."
    assert [item.get("type", "user") for item in sent(run, 4)] == ["user", "program", "program_output", "reasoning"]


def test_commentary_is_no_final_message(tmp_path: Path) -> None:
    run = played(script([message("Wait.", phase="commentary")], [message("Now.")]), tmp_path, [])
    assert run.ended.final_text == "Now."
    assert len(run.model.requests) == 2


def test_a_refusal_ends_the_run_with_its_words(tmp_path: Path) -> None:
    refusing = raw(
        type="message",
        id="m1",
        role="assistant",
        status="completed",
        content=[{"type": "refusal", "refusal": "I will not."}],
    )
    run = played(script([refusing]), tmp_path, [])
    assert (run.ended.status, run.ended.reason) == ("finished", "the model refused")
    assert run.ended.final_text == "I will not."


@pytest.mark.parametrize(
    ("fault", "stream", "why"),
    [
        ({"ends": "incomplete"}, False, "incomplete: max_output_tokens"),
        ({"ends": "incomplete"}, True, "incomplete: max_output_tokens"),
        ({"ends": "failed"}, True, "failed while it answered"),
        ({"ends": "error"}, True, "broke off"),
        ({"status": 500}, False, "the model service answered 500"),
        ({"malformed": True}, True, "could not be read"),
        ({"cut_after_events": 3}, True, "broke off"),
    ],
)
def test_an_answer_that_is_not_whole_is_not_acted_on(
    tmp_path: Path, fault: dict[str, Any], stream: bool, why: str
) -> None:
    step = {"output": [call("order_units", "c1", ORDER)], "faults": [fault]}
    run = played(script(step, [message()]), tmp_path, shop("order_units"), stream=stream)
    assert run.ended.status == "failed"
    assert why in run.ended.reason
    assert len(run.model.requests) == 1, "a request is never sent twice"
    assert run.of(AskRaised) == []


@pytest.mark.parametrize(
    ("items", "why"),
    [
        ([raw(type="shell_call", id="s1", call_id="s1", action={"commands": ["ls"]})], "does not have"),
        ([raw(type="apply_patch_call", id="a1", call_id="a1", operation={})], "does not have"),
        ([raw(type="local_shell_call", id="l1", call_id="l1", action={})], "does not run: 'local_shell_call'"),
        ([raw(type="tool_search_call", id="t1", call_id="t1", arguments={})], "does not run: 'tool_search_call'"),
        ([call("order_units", "c1", ORDER), call("order_units", "c1", ORDER) | {}], "repeated"),
        ([call("order_units", "", ORDER)], "left out a call id"),
        ([call("order_units", "c1", ORDER, caller=CALLER)], "a program that is not of this run"),
        ([call("order_units", "c1", ORDER, caller={"type": "robot", "caller_id": "r"})], "whose caller is none"),
        ([call("order_units", "c1", ORDER, caller="direct")], "whose caller is none"),
        ([call("launch", "c1", {})], "a tool that this run does not have"),
        ([raw(type="custom_tool_call", id="x", call_id="x", name="order_units", input="")], "does not have"),
    ],
)
def test_an_answer_that_cannot_be_run_is_on_record_and_nothing_of_it_is_done(
    tmp_path: Path, items: list[Any], why: str
) -> None:
    run = played(script([call("order_units", "ok", ORDER), *items]), tmp_path, shop("order_units"))
    assert run.ended.status == "failed"
    assert why in run.ended.reason
    (turn,) = run.of(TurnAnswered)
    assert len(turn.items) == 1 + len(items)
    assert run.of(AskRaised) == []


def test_a_stop_at_the_question_ends_the_run_with_nothing_done(tmp_path: Path) -> None:
    operator = {"default": "stop"}
    calls = [call("order_units", "c1", ORDER), call("order_units", "c2", ORDER)]
    run = played(script(calls, [message()], operator=operator), tmp_path, shop("order_units"))
    assert run.ended.status == "stopped"
    assert run.of(ActionStarted) == []
    assert len(run.model.requests) == 1


def test_a_stop_while_the_model_answers_does_not_wait_for_it(tmp_path: Path) -> None:
    held = {"output": [message()], "wait_for": "later"}

    def stop(session: Session, model: ScriptedModel) -> None:
        assert model.wait_until_held("later")
        session.request_stop("person")
        assert session.join(300)
        model.release("later")

    run = played(script(held), tmp_path, [], begun=stop)
    assert (run.ended.status, run.ended.reason) == ("stopped", "stopped by you")


def test_a_direct_call_that_fails_ends_the_run_and_may_have_happened(tmp_path: Path) -> None:
    async def broken(arguments: Any) -> str:
        raise OSError("no such supplier")

    (spec,) = shop("order_units")
    run = played(direct(), tmp_path, [FunctionSpec(spec.tool, broken)])
    assert run.ended.status == "needs_reconciling"
    assert [event.outcome for event in run.of(ActionEnded)] == ["may_have_happened"]
    assert len(run.model.requests) == 1


def test_a_lookup_that_fails_is_told_without_the_error_s_own_words(tmp_path: Path) -> None:
    async def broken(arguments: Any) -> str:
        raise OSError("password=hunter2")

    (spec,) = shop("order_units")
    run = played(direct(), tmp_path, [FunctionSpec(spec.tool, broken, reads_only=True)])
    assert run.ended.status == "finished"
    (output,) = outputs(run)
    assert "OSError" in output["output"]
    assert "hunter2" not in output["output"]


def test_an_action_that_never_ends_is_cut_off_after_a_stop(tmp_path: Path) -> None:
    begun: list[Session] = []

    async def endless(arguments: Any) -> str:
        begun[0].request_stop("person")
        await asyncio.Event().wait()
        return ""

    (spec,) = shop("order_units")
    limits = LimitsPlan(drain_secs=0.2)
    run = played(
        direct(),
        tmp_path,
        [FunctionSpec(spec.tool, endless)],
        plan=lambda plan: plan.model_copy(update={"limits": limits}),
        before=begun.append,
    )
    assert run.ended.status == "needs_reconciling"
    assert [event.outcome for event in run.of(ActionEnded)] == ["may_have_happened"]


NOTE = raw(type="custom_tool_call", id="x1", call_id="n1", name="post_note", input="Line 1\nLine 2 ✓")


@pytest.mark.parametrize("stream", [False, True])
def test_a_custom_tool_gets_its_text_letter_for_letter(tmp_path: Path, stream: bool) -> None:
    got: list[str] = []

    async def post(text: str) -> str:
        got.append(text)
        return "Posted."

    (spec,) = shop("post_note")
    run = played(script([NOTE], [message()]), tmp_path, [CustomToolSpec(spec.tool, post)], stream=stream)
    assert got == ["Line 1\nLine 2 ✓"]
    (ask,) = (event.ask for event in run.of(AskRaised))
    assert (ask.kind, ask.member, ask.arguments) == ("custom_call", "post_note", "Line 1\nLine 2 ✓")
    assert outputs(run) == [{"type": "custom_tool_call_output", "call_id": "n1", "output": "Posted."}]


def test_a_denied_custom_call_is_told_with_the_note(tmp_path: Path) -> None:
    answers = [{"kind": "custom_call", "answer": "deny", "note": "Not today."}]
    operator = {"default": "allow", "answers": answers}
    run = played(script([NOTE], [message()], operator=operator), tmp_path, shop("post_note"))
    (output,) = outputs(run)
    assert output["output"].endswith("The operator's note: Not today.")
    assert run.of(ActionStarted) == []


def test_an_mcp_approval_is_answered_by_its_request(tmp_path: Path) -> None:
    request = {"mcp_approval": "find_guest", "server": "guest_list", "arguments": {"name": "Park"}}
    server = {"label": "guest_list", "url": "https://guest-list.invalid/mcp", "allowed_tools": ["find_guest"]}
    found = {"mcp_call": "find_guest", "server": "guest_list", "output": "1 guest"}
    run = played(script([request], [found, message()], mcp=[server]), tmp_path, [])
    answer = sent(run, 2)[-1]
    assert (answer["type"], answer["approve"]) == ("mcp_approval_response", True)
    assert answer["approval_request_id"] == sent(run, 2)[-2]["id"]
    assert run.ended.status == "finished"


def test_what_a_refused_screen_action_was_is_told_with_the_next_request(tmp_path: Path) -> None:
    batch = {"computer": [{"type": "click", "x": 1, "y": 1, "button": "left"}]}
    answers = [{"member": "click", "answer": "deny", "note": "Leave it."}]
    scenario = script(
        [batch], [message()], members=["read_page"], computer=True, operator={"default": "allow", "answers": answers}
    )
    run = played(scenario, tmp_path, [])
    assert run.ended.status == "finished"
    (told,) = run.of(UserTextAdded)
    assert "Leave it." in told.text
    assert sent(run, 2)[-1] == {"role": "user", "content": told.text}
    assert sent(run, 2)[-2]["type"] == "computer_call_output"


@pytest.mark.parametrize(
    ("tools", "complaint"),
    [
        (lambda: [*shop("order_units"), *shop("order_units")], "'order_units' is declared twice"),
        (lambda: [_with_schema({"type": 3})], "the output_schema of 'order_units' is no JSON Schema"),
    ],
)
def test_tools_that_do_not_fit_are_named(tmp_path: Path, tools: Any, complaint: str) -> None:
    given: list[ToolSpec] = tools()
    run = played(direct(), tmp_path, given)
    assert run.ended.status == "failed"
    assert complaint in run.ended.reason


def _with_schema(schema: Any) -> FunctionSpec:
    (spec,) = shop("order_units")
    assert isinstance(spec, FunctionSpec)
    return FunctionSpec({**spec.tool, "output_schema": schema}, spec.execute)


def test_a_run_file_s_tools_decide_the_loop() -> None:
    function = {"name": "a", "import": "m:a"}
    assert RunPlan.model_validate({"task": "t", "functions": [function]}).engine == "responses"
    for tools in (
        {"functions": [function | {"async": True}]},
        {"custom_tools": [function]},
        {"server_tools": [{"type": "programmatic_tool_calling"}]},
    ):
        assert RunPlan.model_validate({"task": "t", **tools}).engine == "programs"


def test_what_the_sdk_s_loop_would_run_wrongly_is_refused(tmp_path: Path) -> None:
    sdk = script([message()]).model_copy(update={"engine": "responses"})
    run = played(sdk, tmp_path, shop("get_weather"))
    assert isinstance(run.session.problem, UsageProblem)
    assert 'set engine = "programs"' in run.ended.reason


def test_each_stage_is_reported_as_the_sdk_would(tmp_path: Path) -> None:
    operator = {"default": "allow", "answers": [{"arguments": '"units":2', "answer": "deny"}]}
    scenario = script(
        [call("order_units", "c1", ORDER), call("order_units", "c2", {**ORDER, "units": 2})],
        [call("order_units", "c3", "[]")],
        [message()],
        operator=operator,
    )
    run = played(scenario, tmp_path, shop("order_units"))
    assert run.ended.status == "finished"
    told = [(event.stage, event.reason, event.call_id) for event in run.of(DiagnosticReported)]
    assert told == [
        ("request", "completed", None),
        ("approval", "completed", "c1"),
        ("action", "completed", "c1"),
        ("approval", "refused", "c2"),
        ("request", "completed", None),
        ("arguments", "invalid_input", "c3"),
        ("request", "completed", None),
    ]
    assert {event.api for event in run.of(DiagnosticReported)} == {"programs"}
    requests = [event for event in run.of(DiagnosticReported) if event.stage == "request"]
    assert all(event.total_tokens and event.duration_ms is not None for event in requests)
