"""Shell commands: asked together, run in the sandbox or nowhere, answered one by one."""

from pathlib import Path
from typing import Any

import pytest

from app.core.events import ActionStarted, AskRaised
from app.core.own_tools_plan import ShellPlan
from app.core.plan import RunPlan
from app.runner.session_ports import Environment
from tests.unit.app.runner.harness import Run
from tests.unit.app.runner.programs.own_runs import POEM, run_with, sandboxed
from tests.unit.app.runner.programs.scripts import (
    CALLER,
    Item,
    message,
    outputs,
    played,
    program,
    raw,
    script,
)


def shell(*commands: str, call_id: str = "s1", caller: Item | None = None, **action: Any) -> Item:
    more = {"caller": caller} if caller is not None else {}
    given = {"commands": list(commands), **action}
    return raw(type="shell_call", id=f"i_{call_id}", call_id=call_id, status="completed", action=given, **more)


def commanded(folder: Path, *items: Item, **more: Any) -> Run:
    shell = sandboxed(folder)

    def sandbox(environment: Environment) -> None:
        environment.shell = shell

    plan = {"shell": ShellPlan(folder=str(folder), allowed_callers=more.pop("callers", None))}
    return run_with(plan, [list(items), [message()]], folder, opened=sandbox, **more)


@pytest.mark.parametrize("stream", [False, True])
def test_commands_are_asked_together_and_run_in_the_sandbox(folder: Path, stream: bool) -> None:
    item = shell("cat /folder/poem.txt; exit 3", "echo two", max_output_length=100)
    run = commanded(folder, item, shell("sleep 60", call_id="s2", timeout_ms=500), stream=stream)
    assert run.ended.status == "finished"
    ask, _ = (event.ask for event in run.of(AskRaised))
    assert (ask.kind, ask.source, ask.member) == ("shell", "code", "shell")
    assert ask.arguments == item["raw"]["action"]
    together, alone = outputs(run)
    assert alone["output"] == [{"stdout": "", "stderr": "", "outcome": {"type": "timeout"}}]
    assert together == (
        {
            "type": "shell_call_output",
            "call_id": "s1",
            "output": [
                {"stdout": POEM, "stderr": "", "outcome": {"type": "exit", "exit_code": 3}},
                {"stdout": "two\n", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}},
            ],
            "max_output_length": 100,
        }
    )
    declared = run.model.requests[0].body["tools"]
    assert {"type": "shell", "environment": {"type": "local"}, "allowed_callers": ["direct"]} in declared


def test_denied_commands_run_nowhere_and_what_is_none_asks_nobody(folder: Path) -> None:
    run = commanded(
        folder,
        program(),
        shell("ls", call_id="s1", caller=CALLER),
        shell(call_id="s2", caller=CALLER),
        shell("ls", call_id="s3", caller=CALLER, timeout_ms=-1),
        shell("ls", call_id="s4"),
        callers=("programmatic",),
        keys={"operator": {"default": "deny"}},
    )
    told = {item["call_id"]: item["output"][0] for item in outputs(run)}
    assert all(entry["outcome"] == {"type": "exit", "exit_code": 1} for entry in told.values())
    assert "did not approve" in told["s1"]["stderr"]
    assert "1 to 50 commands" in told["s2"]["stderr"]
    assert "timeout_ms" in told["s3"]["stderr"]
    assert "may not be called by the model itself" in told["s4"]["stderr"]
    assert len(run.of(AskRaised)) == 1
    assert run.of(ActionStarted) == []
    assert [item.get("caller") for item in outputs(run)] == [CALLER, CALLER, CALLER, None]


def test_a_shell_in_a_container_of_the_service_is_its_own_affair(tmp_path: Path) -> None:
    container = {"type": "container_reference", "container_id": "cntr_1"}
    hosted = raw(
        type="shell_call",
        id="s1",
        call_id="s1",
        status="completed",
        action={"commands": ["ls"]},
        environment=container,
    )
    entry = {"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
    ended = raw(type="shell_call_output", id="o1", call_id="s1", status="completed", output=[entry])
    tool = {"type": "shell", "environment": {"type": "container_auto"}}
    plan = RunPlan.model_validate({"task": "t", "server_tools": [tool]})
    assert plan.engine == "programs"
    run = played(
        script([hosted, ended], [message()]),
        tmp_path,
        [],
        plan=lambda given: given.model_copy(update={"server_tools": (tool,)}),
    )
    assert run.ended.status == "finished"
    assert run.of(AskRaised) == []
    assert run.model.requests[1].input[1:] == [hosted["raw"], ended["raw"]]
