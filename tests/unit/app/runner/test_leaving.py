"""A held request shows the very body that leaves, and which outputs the context budget keeps out of it."""

import json
from pathlib import Path

from app.core.breakpoint import BreakpointPlan
from app.core.events import AskRaised, RequestSent
from app.core.plan import ContextBudgetPlan, RunPlan
from app.runner.leaving import said_body
from tests.unit.app.rehearsal.form_driver import PIXEL
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import run_scenario
from tests.unit.app.runner.scenes import answer, scene

LOOK = 'browser = "screenshot"'


def held_and_bounded(plan: RunPlan) -> RunPlan:
    budget = ContextBudgetPlan(max_input_images=1, keep_recent_screenshots=1)
    return plan.model_copy(update={"breakpoints": (BreakpointPlan(stages=("request",)),), "context_budget": budget})


def test_each_held_request_is_the_one_that_is_sent(quick_path: Path) -> None:
    run = run_scenario(scene(answer(LOOK), answer(LOOK), answer(scenes.DONE)), quick_path, plan=held_and_bounded)
    assert run.ended.status == "finished", run.ended.reason
    holds = [record.ask for record in run.timeline.steps]
    sent = [request.body for request in run.model.requests]
    assert [hold.arguments for hold in holds] == [said_body(json.dumps(body).encode())[0] for body in sent]
    first_call = next(iter(run.timeline.calls)).proposed.call_id
    assert [hold.step.left_out for hold in holds if hold.step] == [(), (), (first_call,)]
    assert [hold.step.resumable for hold in holds if hold.step] == [True, True, True]
    order = [type(event) for event in run.events if isinstance(event, AskRaised | RequestSent)]
    assert order == [AskRaised, RequestSent] * 3, "it goes on record that a request leaves when it does"
    assert {record.decision.by for record in run.timeline.steps if record.decision} == {"scripted"}


def test_pictures_stand_by_their_digest_and_secrets_do_not_stand_at_all() -> None:
    body = {
        "input": [{"content": [{"type": "input_image", "image_url": PIXEL}]}],
        "tools": [{"type": "mcp", "server_label": "s", "authorization": "key-1", "headers": {"X-Key": "key-2"}}],
    }
    said, blobs = said_body(json.dumps(body).encode())
    (blob,) = blobs
    assert said["input"][0]["content"][0]["image_url"] == {"picture": blob.digest}
    assert "key-" not in json.dumps(said)
    assert said_body(b"{")[0] == "(no JSON)"
