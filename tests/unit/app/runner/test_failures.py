"""Whatever the service, the model or a function does wrong: nothing of it is executed, and the reason is in words."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.errors import UsageProblem
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CallAnswered,
    FailureSeen,
    OutcomeChecked,
    Recorded,
    TurnAnswered,
)
from app.core.plan import BrowserPlan, ContextBudgetPlan
from app.core.programs_plan import FunctionPlan
from app.rehearsal.items import RawItem
from app.rehearsal.scenario import Scenario
from app.runner.session import Session
from app.runner.specs import FunctionSpec
from tests.helpers.log_watch import LogWatch
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import Run, SeenDriver, run_scenario
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.scenes import answer, deny, fault, scene


def streaming(stream: bool) -> Any:
    """Plan changer: answers as a stream, or each in one piece."""
    return lambda plan: plan.model_copy(update={"streaming": plan.streaming.model_copy(update={"stream": stream})})


MODES = pytest.mark.parametrize("stream", [True, False], ids=["stream", "one piece"])


def failed(scenario: Scenario, folder: Path, *, stream: bool = True, **options: Any) -> Run:
    """A run that must fail without any effect after the failure."""
    options.setdefault("plan", streaming(stream))
    run = run_scenario(scenario, folder, **options)
    check(run)
    assert run.ended.status == "failed"
    assert run.ended.final_text == ""
    # Words for people, not names of classes.
    assert "Error" not in run.ended.reason, run.ended.reason
    return run


def without_place(run: Run) -> str:
    """Why it ended; what the service's fault is names the place, too."""
    words, _, place = run.ended.reason.partition(" (http")
    assert not place or re.fullmatch(r"://127\.0\.0\.1:\d+\)", place)
    assert bool(place) == words.startswith(("the model service answered", "the model service could not"))
    return words


@MODES
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("status = 400", "the model service answered 400: The scripted service misbehaves here."),
        ("status = 401", "the model service answered 401: The scripted service misbehaves here."),
        ("status = 429", "the model service answered 429: The scripted service misbehaves here."),
        ("status = 500", "the model service answered 500: The scripted service misbehaves here."),
        ("malformed = true", "what the model service sent could not be read"),
        ("cut_after_events = 3", "the model service could not be reached or broke off its answer"),
        ('ends = "failed"', "the model service failed while it answered: The scripted service misbehaves here."),
        ('ends = "incomplete"', "the model's answer is incomplete: max_output_tokens"),
    ],
)
def test_the_second_answer_fails(tmp_path: Path, line: str, words: str, stream: bool) -> None:
    scenario = scene(answer(scenes.READ), fault(line, scenes.TYPE_NAME), answer(scenes.DONE))
    run = failed(scenario, tmp_path, stream=stream)
    assert without_place(run) == words
    assert run.did == []
    assert len(run.model.requests) == 2, "a request was repeated"
    turns = run.of(TurnAnswered)
    assert turns[0].turn == 1
    assert [turn.turn for turn in turns[1:]] == ([2] if "ends" in line else [])
    assert len({turn.response_id for turn in turns}) == len(turns), "an earlier answer is recorded twice"
    assert [failure.where for failure in run.of(FailureSeen)] in ([], ["runner"])


def test_a_key_that_the_service_repeats_is_not_recorded(tmp_path: Path) -> None:
    said = "Incorrect API key provided: sk-proj-abcDEF123456."
    run = failed(scene(fault(f'status = 401\nmessage = "{said}"', scenes.READ)), tmp_path)
    assert without_place(run) == "the model service answered 401: Incorrect API key provided: [key left out]."


def test_a_stream_that_ends_in_an_error_says_which(tmp_path: Path) -> None:
    run = failed(scene(fault('ends = "error"', scenes.READ)), tmp_path)
    assert run.ended.reason == "the model service broke off its answer: The scripted service misbehaves here."


def raw(**fields: Any) -> str:
    """An output item sent as it stands."""
    return f"raw = {toml(fields)}"


def toml(value: Any) -> str:
    """A value as inline TOML; None is left out of tables."""
    if isinstance(value, dict):
        parts = (f"{json.dumps(key)} = {toml(entry)}" for key, entry in value.items() if entry is not None)
        return "{ " + ", ".join(parts) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml(entry) for entry in value) + "]"
    return json.dumps(value)


def call(call_id: str, name: str, item_id: str = "fc_x", arguments: str = "{}") -> str:
    """A function call sent as it stands."""
    return raw(type="function_call", id=item_id, call_id=call_id, name=name, arguments=arguments, status="completed")


CLICK = '{"target":"e1","tab_id":null}'


@MODES
@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ((scenes.TYPE_NAME, call("call_1", "browser_transfer")), "named a tool that this run does not have"),
        ((scenes.TYPE_NAME, call("call_001_01", "browser_read_page")), "the model's answer repeated a call id"),
        (
            (scenes.TYPE_NAME, call("call_1", "browser_click", "fc_001_01", CLICK)),
            "the model's answer repeated an item id",
        ),
        (
            (scenes.TYPE_NAME, raw(type="custom_tool_call", id="ct_1", call_id="call_1", name="x", input="y")),
            "the model's answer held a call that this engine cannot run",
        ),
        (('message = "Hm."\nphase = "commentary"',), "the model's answer held no call and no final message"),
        ((scenes.TYPE_NAME, call("call_1", "opening_hours", arguments="{")), "whose arguments are no JSON object"),
        (
            (
                scenes.TYPE_NAME,
                raw(
                    type="mcp_call", id="mcp_1", server_label="guest_list", name="find_guest", arguments="{}",
                    approval_request_id="nobody", output="done", status="completed",
                ),
            ),
            "a server's tool ran without the approval it needed",
        ),
    ],
    ids=["unknown tool", "call id", "item id", "custom", "commentary", "arguments", "unapproved"],
)  # fmt: skip
def test_nothing_of_an_answer_that_is_not_right_is_executed_and_the_answer_is_on_record(
    tmp_path: Path, outputs: tuple[str, ...], words: str, stream: bool
) -> None:
    scenario = scene(answer(scenes.READ), answer(*outputs), keys='functions = ["opening_hours"]', mcp=scenes.GUEST_LIST)
    run = failed(scenario, tmp_path, stream=stream)
    assert words in run.ended.reason
    assert run.did == []
    assert run.of(AskRaised) == []
    rejected = run.of(TurnAnswered)[-1]
    assert (rejected.turn, rejected.final) == (2, False)
    assert len(rejected.items) == len(outputs)
    assert [event.call_id for event in run.of(CallAnswered)] == ["call_001_01"]
    first = run.timeline.call("call_001_01")
    assert first is not None
    assert (first.proposed.member, first.state_at(run.timeline.last_seq)) == ("read_page", "done")


@MODES
def test_an_action_proposed_at_the_step_limit_is_not_done_and_the_words_say_so(tmp_path: Path, stream: bool) -> None:
    scenario = scene(answer(scenes.READ), answer(scenes.TYPE_NAME), answer(scenes.DONE), keys="max_steps = 2")
    run = failed(scenario, tmp_path, stream=stream)
    assert run.ended.reason == (
        "the step limit was reached before the final message; what the last answer proposed was not done"
    )
    assert run.did == []
    assert run.of(TurnAnswered)[-1].calls[0].member == "type"
    proposed = run.timeline.call("call_002_01")
    assert proposed is not None
    assert proposed.state_at(run.timeline.last_seq) == "next"


def test_a_server_tool_that_ran_although_it_was_denied_never_reads_done(tmp_path: Path) -> None:
    forged = raw(
        type="mcp_call", id="mcp_1", server_label="guest_list", name="find_guest", arguments='{"name": "Park"}',
        approval_request_id="mcpr_001_01", output="done all the same", status="completed",
    )  # fmt: skip
    scenario = scene(answer(scenes.ASK_GUEST), answer(forged), mcp=scenes.GUEST_LIST, operator=deny("mcp_approval"))
    run = failed(scenario, tmp_path)
    request = run.timeline.call("mcpr_001_01")
    assert request is not None
    assert request.state_at(run.timeline.last_seq) == "not_done"
    assert "approv" in run.ended.reason


LOOKUP = {
    "type": "function",
    "name": "lookup",
    "parameters": {"type": "object", "properties": {}},
    "strict": False,
}


def lookup(execute: Any) -> dict[str, Any]:
    """Options of a run whose model calls one function."""
    return {"functions": [FunctionSpec(LOOKUP, execute)]}


def calls_lookup(arguments: str = "{}") -> Scenario:
    """The model calls `lookup` once and then is done."""
    return scene(answer(call("call_1", "lookup", arguments=arguments)), answer(scenes.DONE))


def test_a_function_that_raises_may_have_happened(tmp_path: Path) -> None:
    async def execute(arguments: Any) -> str:
        raise RuntimeError("halfway with sk-proj-abcDEF123456")

    run = run_scenario(calls_lookup(), tmp_path, **lookup(execute))
    check(run)
    assert run.ended.status == "needs_reconciling"
    said = "halfway with [key left out]"
    assert next((seen.where, seen.detail) for seen in run.of(FailureSeen)) == ("functions.lookup", said)
    assert [seen.detail for seen in run.of(ActionEnded)] == [said]
    assert len(run.model.requests) == 1


@pytest.mark.parametrize("result", [None, 7, {"a": 1}, [{"type": "input_text", "text": {1, 2}}], ["x"]])
def test_a_function_that_returns_no_output_has_run_and_says_so(tmp_path: Path, result: Any) -> None:
    async def execute(arguments: Any) -> Any:
        return result

    run = failed(calls_lookup(), tmp_path, **lookup(execute))
    assert run.ended.reason == f"the function lookup ran and returned {type(result).__name__}, no text or blocks"
    ran = run.timeline.call("call_1")
    assert ran is not None
    assert ran.state_at(run.timeline.last_seq) == "done"


@pytest.mark.parametrize("arguments", ['{"n": 1e999}', '{"n": ' + "[" * 3000 + "]" * 3000 + "}"])
def test_arguments_that_cannot_be_put_to_anybody_are_not_executed(tmp_path: Path, arguments: str) -> None:
    called: list[Any] = []

    async def execute(given: Any) -> str:
        called.append(given)
        return "called"

    run = run_scenario(calls_lookup(arguments), tmp_path, **lookup(execute))
    assert called == []
    assert run.of(ActionStarted) == []
    assert run.ended.status in ("finished", "failed")
    assert "record" not in run.ended.reason
    if run.ended.status == "finished":
        assert "cannot be put to the operator" in run.outputs_sent()["call_1"]


def test_a_lone_surrogate_goes_through_a_whole_run_and_is_on_record(tmp_path: Path) -> None:
    given: list[Any] = []

    async def execute(arguments: dict[str, Any]) -> str:
        given.append(arguments)
        return "a\ud800b"

    scenario = calls_lookup('{"day": "x\\ud800y"}')
    run = run_scenario(scenario, tmp_path, **lookup(execute))
    check(run)
    assert given == [{"day": "x\ud800y"}]
    assert run.of(AskRaised)[0].ask.arguments == {"day": "x\ud800y"}


def with_plan(**changes: Any) -> Any:
    """Plan changer."""
    return lambda plan: plan.model_copy(update=changes)


@pytest.mark.parametrize(
    "budget",
    [ContextBudgetPlan(max_input_images=1), ContextBudgetPlan(max_input_bytes=10_000_000), ContextBudgetPlan()],
)
def test_either_limit_of_a_context_budget_may_be_left_out(tmp_path: Path, budget: ContextBudgetPlan) -> None:
    pictures = [answer('browser = "screenshot"') for _ in range(4)]
    run = run_scenario(scene(*pictures, answer(scenes.DONE)), tmp_path, plan=with_plan(context_budget=budget))
    check(run)
    assert run.ended.status == "finished", run.ended.reason
    images = json.dumps(run.model.requests[-1].body["input"]).count('"input_image"')
    assert images <= (budget.max_input_images or 4)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"functions": (FunctionPlan.model_validate({"name": "f", "import": "no.such:thing"}),)}, "cannot be imported"),
        ({"functions": (FunctionPlan.model_validate({"name": "f", "import": "json:no_such"}),)}, "cannot be imported"),
        ({"functions": (FunctionPlan.model_validate({"name": "f", "import": "json:dumps"}),)}, "no async function"),
        ({"browser": BrowserPlan(members=("hover_at",))}, "do not fit together"),
        ({"browser": BrowserPlan(members=("read_page",), confirm_reads=("find",))}, "do not fit together"),
    ],
)
def test_tools_that_cannot_be_had_are_a_fault_of_the_run_file(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    run = run_scenario(scene(answer(scenes.DONE)), tmp_path, plan=with_plan(**changes))
    assert run.ended.status == "failed"
    assert words in run.ended.reason
    assert isinstance(run.session.problem, UsageProblem)
    assert run.session.problem.exit_code == 2
    assert run.model.requests == []


def test_a_module_that_fails_while_it_is_imported_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_tools.py").write_text("this is no Python\n")
    monkeypatch.syspath_prepend(tmp_path)
    plan = FunctionPlan.model_validate({"name": "f", "import": "broken_tools:f"})
    run = run_scenario(scene(answer(scenes.DONE)), tmp_path, plan=with_plan(functions=(plan,)))
    assert "broken_tools:f" in run.ended.reason
    assert isinstance(run.session.problem, UsageProblem)


class ClosesBadly(SeenDriver):
    """The browser cannot be closed."""

    async def aclose(self) -> None:
        await super().aclose()
        raise RuntimeError("no answer from the browser")


def test_what_a_run_came_to_stands_although_its_browser_closes_badly(tmp_path: Path, expected_log: LogWatch) -> None:
    expected_log("closing after the run failed")
    run = run_scenario(scene(answer(scenes.DONE)), tmp_path, make_driver=ClosesBadly)
    assert run.ended.status == "finished"
    assert [failure.where for failure in run.of(FailureSeen)] == ["closing"]


def test_an_outcome_that_cannot_be_checked_does_not_keep_the_end_off_the_record(
    tmp_path: Path, expected_log: LogWatch
) -> None:
    expected_log("outcome could not be checked")

    def check_outcome() -> OutcomeChecked:
        raise OSError("the site is gone")

    run = run_scenario(scene(answer(scenes.DONE)), tmp_path, check_outcome=check_outcome)
    assert run.ended.status == "finished"
    assert [failure.where for failure in run.of(FailureSeen)] == ["outcome"]


def test_a_listener_that_raises_takes_nothing_from_the_others(tmp_path: Path, expected_log: LogWatch) -> None:
    expected_log("a listener of the run failed")

    def deaf(recorded: Recorded) -> None:
        raise RuntimeError("deaf")

    seen: list[int] = []

    def both(session: Session) -> None:
        session.subscribe(deaf)
        session.subscribe(lambda recorded: seen.append(recorded.seq))

    run = run_scenario(scene(answer(scenes.DONE)), tmp_path, before=both)
    assert seen == list(range(1, len(run.events) + 1))


NAMES = ("id", "call_id", "name", "arguments", "status", "content", "actions", "role")
FIELDS = st.sampled_from([*NAMES, "type", "text"])
KINDS = ["function_call", "computer_call", "message", "mcp_approval_request", "mcp_call", "reasoning", "shell_call"]
LEAVES = st.booleans() | st.integers(-2, 2**60) | st.text(max_size=6) | st.sampled_from(["completed", "call_001_01"])
ODD: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(FIELDS, inner, max_size=3),
    max_leaves=5,
)
ITEM = st.fixed_dictionaries({"type": st.sampled_from(KINDS)}, optional={name: ODD for name in NAMES})


@given(items=st.lists(ITEM, min_size=1, max_size=3))
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_no_odd_answer_breaks_the_record_or_does_anything(
    tmp_path_factory: pytest.TempPathFactory, items: list[dict[str, Any]]
) -> None:
    keys = 'computer = true\nfunctions = ["opening_hours"]'
    scenario = scene(answer(scenes.READ), answer(scenes.DONE), keys=keys, operator='[operator]\ndefault = "deny"')
    output = tuple(RawItem(raw=item) for item in items)
    steps = (scenario.answers[0], scenario.answers[1].model_copy(update={"output": output}))
    odd = scenario.model_copy(update={"answers": steps})
    # In one piece: the scripted service cannot tell such items as a stream.
    run = run_scenario(odd, tmp_path_factory.mktemp("odd"), plan=streaming(False))
    check(run)
    assert run.did == []
    assert run.ended.status in ("failed", "finished")
    assert not run.ended.reason.startswith("an error in the console"), run.ended.reason


def test_safety_checks_without_a_computer_are_an_answer_that_is_not_right(tmp_path: Path) -> None:
    item = raw(
        type="computer_call", id="cu_1", call_id="call_1", status="completed", actions=[{"type": "wait"}],
        pending_safety_checks=[],
    )  # fmt: skip
    run = failed(scene(answer(item)), tmp_path)
    assert run.did == []
