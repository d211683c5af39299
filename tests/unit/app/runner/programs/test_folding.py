"""What each kind of call is answered with that a process left open, in the very form that its kind has."""

from typing import Any

import pytest

from app.core.errors import LedgerProblem
from app.core.events import CallAnswered, Event, Recorded
from app.core.jobs import JobDelivered, JobEnded, JobRegistered
from app.core.settle import SettledCall
from app.runner.folding import FOUND, NOT_BEGUN
from app.runner.programs.folding import FoldedLoop, fold_loop
from tests.unit.app.runner.programs.scripts import CALLER, Item, call

PICTURE: Item = {"type": "computer_screenshot", "image_url": "data:,"}
SHELL = {"type": "shell_call", "call_id": "s", "action": {"commands": ["ls"], "max_output_length": 9}, "caller": CALLER}
PATCH = {"type": "apply_patch_call", "call_id": "p", "operation": {"type": "delete_file", "path": "a"}}
SEARCH = {"type": "tool_search_call", "call_id": "t", "execution": "client", "arguments": {"query": "x"}}
AT_SERVICE: Item = {"type": "tool_search_call", "call_id": None, "execution": "server", "arguments": {}}
JOB = call("price", "j", {"task_handle": "h"}, **{"async": True})["raw"]
WAIT = call("wait_for_tasks", "w", {"task_handles": ["h"]})["raw"]


def folded(
    *pending: Item, calls: tuple[SettledCall, ...] = (), found: Any = None, events: tuple[Event, ...] = ()
) -> FoldedLoop:
    checkpoint: Item = {
        "revision": 3,
        "phase": "programs_pending",
        "consumed_requests": 1,
        "history": [],
        "attempted_call_ids": [],
        "returned_call_ids": [],
        "pending_items": list(pending),
        "returned_outputs": [],
    }
    past = [Recorded(seq, seq, seq, event) for seq, event in enumerate(events, start=1)]
    made = fold_loop(checkpoint, calls, found or {}, past, PICTURE, frozenset({"browser_click"}), lambda digest: b"")
    assert made is not None
    assert made.boundary["phase"] == "programs_boundary"
    assert made.boundary["history"][: len(pending)] == list(pending)
    return made


def outputs(made: FoldedLoop, count: int) -> list[Item]:
    items: list[Item] = made.boundary["history"][-count:]
    return items


def settled(call_id: str, outcome: Any, member: str = "x") -> SettledCall:
    return SettledCall(call_id, 1, "functions", member, outcome, str(outcome).replace("_", " "), on_record=True)


def test_what_never_began_is_said_in_the_form_of_its_kind() -> None:
    made = folded(AT_SERVICE, SHELL, PATCH, SEARCH)
    shell, patch, search = outputs(made, 3)
    entry = {"stdout": "", "stderr": NOT_BEGUN, "outcome": {"type": "exit", "exit_code": 1}}
    assert shell == {
        "type": "shell_call_output",
        "call_id": "s",
        "output": [entry],
        "max_output_length": 9,
        "caller": CALLER,
    }
    assert patch == {"type": "apply_patch_call_output", "call_id": "p", "status": "failed", "output": NOT_BEGUN}
    assert (search["execution"], search["tools"]) == ("client", [])
    assert [type(event) for event in made.answered] == [CallAnswered] * 3


def test_what_is_on_record_is_given_as_it_was() -> None:
    entry = {"stdout": "a", "stderr": "", "outcome": {"type": "timeout"}}
    made = folded(
        SHELL,
        PATCH,
        calls=(settled("s", "done"), settled("p", "done")),
        events=(
            CallAnswered(call_id="s", ok=True, output=[entry]),
            CallAnswered(call_id="p", ok=True, output=["Deleted a."]),
        ),
    )
    shell, patch = outputs(made, 2)
    assert shell["output"] == [entry]
    assert (patch["status"], patch["output"]) == ("completed", "Deleted a.")
    assert made.answered == ()


def test_a_patch_that_may_have_happened_needs_a_person_and_reads_what_was_found() -> None:
    doubt = settled("p", "may_have_happened", "apply_patch")
    with pytest.raises(LedgerProblem, match="nobody has said"):
        folded(PATCH, calls=(doubt,))
    (patch,) = outputs(folded(PATCH, calls=(doubt,), found={("p", 1): "done"}), 1)
    assert (patch["status"], patch["output"]) == ("completed", FOUND["done"])


def test_a_browser_call_of_a_program_reads_text_and_the_model_s_own_blocks() -> None:
    nested = call("browser_click", "b1", {}, caller=CALLER)["raw"]
    direct = call("browser_click", "b2", {})["raw"]
    text, blocks = outputs(folded(nested, direct), 2)
    assert text["output"] == blocks["output"][0]["text"]
    assert text["caller"] == CALLER


@pytest.mark.parametrize("ended", [False, True])
def test_a_job_has_its_output_before_the_wait_for_it_its_status(ended: bool) -> None:
    done = JobEnded(call_id="j", state="completed", output='{"price": 7}', ok=True)
    events: tuple[Event, ...] = (JobRegistered(call_id="j", name="price", handle="h"), *((done,) if ended else ()))
    made = folded(JOB, WAIT, events=events)
    job, wait = outputs(made, 2)
    assert (job["call_id"], wait["call_id"]) == ("j", "w")
    assert (job["output"] == '{"price": 7}') is ended
    key = "completed_task_handles" if ended else "failed_task_handles"
    assert f'"{key}": ["h"]' in wait["output"]
    kinds = [type(event) for event in made.answered]
    assert kinds == [*([] if ended else [JobEnded]), CallAnswered, JobDelivered, CallAnswered]


def test_computer_calls_are_told_action_by_action_and_approvals_are_not_given() -> None:
    computer = {"type": "computer_call", "call_id": "c", "actions": []}
    request = {"type": "mcp_approval_request", "id": "m", "name": "find", "arguments": "{}", "server_label": "s"}
    made = folded(computer, request, calls=(settled("c", "done", "click"),))
    shot, approval = outputs(made, 2)
    assert shot == {"type": "computer_call_output", "call_id": "c", "output": PICTURE}
    assert approval == {"type": "mcp_approval_response", "approval_request_id": "m", "approve": False}
    assert "Action 1 (click)" in made.told[0]
