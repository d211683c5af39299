"""A model service that is not there, or does not speak as it was asked to: told with its address, nothing secret."""

from pathlib import Path

import pytest

from app.rehearsal.scenario import Scenario
from tests.unit.app.runner import scenes
from tests.unit.app.runner.choosing import choosing
from tests.unit.app.runner.harness import serving
from tests.unit.app.runner.scenes import answer, fault, scene
from tests.unit.app.runner.test_failures import failed, streaming


def test_a_service_that_does_not_stream_is_told_from_a_broken_one(tmp_path: Path) -> None:
    run = failed(scene(fault("in_one_piece = true", scenes.READ)), tmp_path)
    assert run.ended.reason == (
        "the model service sent no complete stream; where it cannot stream, say streaming.stream = false"
    )


def test_a_service_that_is_not_there(tmp_path: Path) -> None:
    run = failed(
        scene(answer(scenes.READ)), tmp_path, before=lambda session: None, begun=lambda session, model: None,
        plan=lambda plan: plan, service_url="http://me:hidden@127.0.0.1:9/v1?key=hidden",
    )  # fmt: skip
    assert run.ended.reason == ("the model service could not be reached or broke off its answer (http://127.0.0.1:9)")


def led_away(kind: str, line: str) -> Scenario:
    """A run of some engine, each of whose tries is sent on to elsewhere."""
    if kind == "decisions":
        return choosing(f'choose = "type-name"\n[[decisions.faults]]\n{line}')
    return scene(fault(line, scenes.READ), keys='engine = "programs"' if kind == "programs" else "")


@pytest.mark.parametrize("kind", ["stream", "one piece", "programs", "decisions"])
@pytest.mark.parametrize("status", [301, 307])
def test_no_request_is_sent_on_to_where_the_service_says(tmp_path: Path, kind: str, status: int) -> None:
    with serving(scene(answer(scenes.DONE))) as (_site, _site_url, elsewhere, elsewhere_url):
        line = f'status = {status}\nheaders = {{ location = "{elsewhere_url}/responses" }}'
        plan = streaming(kind != "one piece") if kind != "decisions" else lambda plan: plan
        run = failed(led_away(kind, line), tmp_path, plan=plan)
        assert elsewhere.requests == []
    assert len(run.model.requests) == 1
    told = f"the model service answered {status}: it sends requests on to another address, and none is sent there"
    assert run.ended.reason.startswith(told)
