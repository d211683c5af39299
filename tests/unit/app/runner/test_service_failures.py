"""A model service that is not there, or does not speak as it was asked to: told with its address, nothing secret."""

from pathlib import Path

from tests.unit.app.runner import scenes
from tests.unit.app.runner.scenes import answer, fault, scene
from tests.unit.app.runner.test_failures import failed


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
