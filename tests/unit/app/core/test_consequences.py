"""What a run file's switches bring is said in words before the run starts."""

from typing import Any

import pytest

from app.core.consequences import consequences
from app.core.plan import RunPlan

LOOKUP = {"name": "lookup", "import": "a:b"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, []),
        ({"streaming": {"stream": False}}, ["Not streamed"]),
        ({"streaming": {"eager": True}}, ["Eager: an allowed call runs while"]),
        (
            {"streaming": {"eager": True, "early_execution": {}, "before_early_call": "ask"}},
            ["Eager: an allowed call", "None runs early", "For each call that may run early"],
        ),
        (
            {"functions": [LOOKUP], "streaming": {"eager": True, "early_execution": {"functions": ["lookup"]}}},
            ["Eager: an allowed call", "Only the calls of early_execution"],
        ),
        ({"streaming": {"eager": True}, "server_tools": [{"type": "web_search"}]}, ["Eager changes nothing here"]),
        ({"streaming": {"max_concurrent_calls": 4}}, ["max_concurrent_calls and independent change nothing"]),
        ({"functions": [{**LOOKUP, "independent": True}]}, ["max_concurrent_calls and independent change nothing"]),
        (
            {"context_budget": {"max_input_bytes": 240000, "max_input_images": 1}},
            [
                "From a request with more than 240,000 bytes or more than 1 picture the oldest",
                "A request that is still",
            ],
        ),
        ({"context_budget": {}}, ["The context budget sets no limit"]),
        ({"request": {"context_management": [{"type": "compaction"}]}}, ["The service shortens the conversation"]),
        ({"request": {"truncation": "auto"}, "store": True}, ["The service drops what is oldest", "The service keeps"]),
        ({"engine": "decisions", "browser": {}}, []),
    ],
)
def test_what_follows_is_said(given: dict[str, Any], said: list[str]) -> None:
    found = consequences(RunPlan.model_validate({"task": "t", **given}))
    assert len(found) == len(said), found
    assert all(one.startswith(words) for one, words in zip(found, said, strict=True)), found


def test_the_pictures_that_are_kept_are_counted_as_they_will_be() -> None:
    plan = RunPlan.model_validate(
        {"task": "t", "context_budget": {"max_input_images": 2, "keep_recent_screenshots": 5}}
    )
    assert "and the newest 2 pictures are kept" in consequences(plan)[0]
