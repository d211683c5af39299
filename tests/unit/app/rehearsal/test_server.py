"""The scripted model over real HTTP with the SDK's own client: answers, records, errors and scripted misbehaviour."""

import asyncio
import contextlib
import json
import socket
from typing import Any

import httpx2
import openai
import pytest
from openai import AsyncOpenAI
from openai.lib.responses_tool_runner import ToolRunnerError

from app.core.errors import RehearsalProblem
from app.rehearsal.scenario import Scenario, load_scenario, parse_scenario
from app.rehearsal.server import ScriptedModel
from tests.unit.app.rehearsal.bare_run import run_bare, served

HEAD = """\
name = "small"
title = "Small"
summary = "One answer."
task = "Say something."
members = ["read_page", "click"]
[check]
claim = "Done."
bookings = []
"""
ANSWER = """\
[[answers]]
[[answers.output]]
message = "Done."
"""


def small(extra: str = "", *, answers: str = ANSWER) -> Scenario:
    return parse_scenario(HEAD + answers + extra, source="small.toml")


async def ask(url: str, *, stream: bool = False, retries: int = 0) -> str:
    async with AsyncOpenAI(api_key="secret-key", base_url=url, max_retries=retries) as client:
        if not stream:
            return (await client.responses.create(model="m", input="Hello")).output_text
        text = ""
        async for event in await client.responses.create(model="m", input="Hello", stream=True):
            text += event.delta if event.type == "response.output_text.delta" else ""
        return text


def raw(url: str, path: str, **options: Any) -> httpx2.Response:
    with httpx2.Client(trust_env=False) as client:
        return client.post(url + path, **options)


@pytest.mark.parametrize("stream", [False, True])
async def test_the_sdk_s_client_reads_the_answer(stream: bool) -> None:
    model = ScriptedModel(small())
    url = model.start()
    try:
        assert await ask(url, stream=stream) == "Done."
    finally:
        model.stop()


def test_a_request_is_recorded_without_its_key() -> None:
    model = ScriptedModel(small())
    url = model.start()
    try:
        headers = {"Authorization": "Bearer secret-key", "X-Stainless-Retry-Count": "0"}
        answer = raw(url, "/responses", json={"model": "m", "input": "Hello"}, headers=headers).json()
    finally:
        model.stop()
    (request,) = model.requests
    assert request.body == {"model": "m", "input": "Hello"}
    assert (request.number, request.path, request.retry) == (1, "/v1/responses", 0)
    assert "secret-key" not in json.dumps(request.headers)
    assert answer["model"] == "m"
    usage = answer["usage"]
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"] > 0
    assert usage["input_tokens_details"] == {"cached_tokens": 0, "cache_write_tokens": 0}
    assert usage["output_tokens_details"] == {"reasoning_tokens": 0}


def test_the_same_requests_get_the_same_answers_in_every_run() -> None:
    texts = []
    for _ in range(2):
        model = ScriptedModel(small())
        url = model.start()
        try:
            texts.append(raw(url, "/responses", json={"model": "m", "input": "Hello", "stream": True}).text)
        finally:
            model.stop()
    assert texts[0] == texts[1]


async def test_ids_are_unique_over_a_run_and_the_cache_counts_what_came_before() -> None:
    scenario = load_scenario("mixed")
    with served(scenario) as (model, _, model_url, site_url):
        run = await run_bare(scenario, model_url, site_url, ledger=True)
    final = run.checkpoints[-1]
    ids = [item["id"] for item in [*final["history"], *final["final_response"]["output"]] if item.get("id")]
    assert len(ids) == len(set(ids)) > len(model.requests)
    assert final["final_response"]["usage"]["input_tokens_details"]["cached_tokens"] > 0


def test_a_taken_port_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(RehearsalProblem, match=f"The scripted model: port {port} on 127.0.0.1 cannot be used"):
            ScriptedModel(small(), port=port).start()


async def test_a_ref_that_is_not_there_ends_the_run_and_says_why() -> None:
    answers = """\
[[answers]]
[[answers.output]]
browser = "read_page"
arguments = { filter = "all" }
[[answers]]
[[answers.output]]
message = "Now I reserve."
phase = "commentary"
[[answers.output]]
browser = "click"
arguments = { target = { role = "button", label = "Pay now" } }
"""
    scenario = small(answers=answers)
    with served(scenario) as (model, _, model_url, site_url), pytest.raises(ToolRunnerError) as stopped:
        await run_bare(scenario, model_url, site_url)
    (problem,) = model.problems
    assert problem.startswith(
        "small.toml: request 2, answer 2, output 2: button 'Pay now' is not in the newest page read"
    )
    assert "button 'Book Monday 3 May 2027 at 19:00'" in problem
    cause = stopped.value.__context__
    assert isinstance(cause, openai.BadRequestError)
    assert problem in str(cause)


def test_one_request_too_many_is_an_error_that_says_so() -> None:
    model = ScriptedModel(small())
    url = model.start()
    try:
        raw(url, "/responses", json={"model": "m", "input": "1"})
        answer = raw(url, "/responses", json={"model": "m", "input": "2"})
    finally:
        model.stop()
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == "small.toml: request 2, the scenario has no answer left after 1"
    assert model.problems == [answer.json()["error"]["message"]]


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff"])
def test_a_body_that_is_no_object_is_refused(content: bytes) -> None:
    model = ScriptedModel(small())
    url = model.start()
    try:
        answers = [raw(url, path, content=content) for path in ("/responses", "/decisions")]
    finally:
        model.stop()
    assert [answer.status_code for answer in answers] == [400, 400]
    assert model.requests == []


def test_other_paths_and_hosts_are_not_served() -> None:
    model = ScriptedModel(small())
    url = model.start()
    try:
        path = raw(url, "/files", json={})
        host = raw(url, "/responses", json={}, headers={"Host": "evil.example"})
    finally:
        model.stop()
    assert (path.status_code, path.json()["error"]["type"]) == (404, "not_found_error")
    assert host.status_code == 400
    assert model.requests == []


LIMITED = '[[answers.faults]]\nstatus = 429\nmessage = "Too many."\nheaders = { retry-after-ms = "1" }\n'


async def test_a_rate_limit_is_retried_by_the_client_and_both_requests_are_recorded() -> None:
    model = ScriptedModel(small(LIMITED))
    url = model.start()
    try:
        assert await ask(url, retries=1) == "Done."
    finally:
        model.stop()
    assert [request.retry for request in model.requests] == [0, 1]
    assert model.problems == []


@pytest.mark.parametrize(
    ("fault", "failure"),
    [
        ("status = 429", openai.RateLimitError),
        ("status = 500", openai.InternalServerError),
        ("cut_after_events = 0", openai.APIConnectionError),
        ("malformed = true", json.JSONDecodeError),
    ],
)
async def test_a_scripted_failure_is_one_for_the_client_and_the_next_attempt_succeeds(
    fault: str, failure: type[Exception]
) -> None:
    model = ScriptedModel(small(f"[[answers.faults]]\n{fault}\n"))
    url = model.start()
    try:
        with pytest.raises(failure):
            await ask(url)
        assert await ask(url) == "Done."
    finally:
        model.stop()


@pytest.mark.parametrize(
    ("fault", "last"),
    [
        ("cut_after_events = 5", "response.output_text.delta"),
        ('ends = "failed"', "response.failed"),
        ('ends = "incomplete"', "response.incomplete"),
        ('ends = "error"', "error"),
    ],
)
async def test_a_stream_can_end_wrongly(fault: str, last: str) -> None:
    model = ScriptedModel(small(f"[[answers.faults]]\n{fault}\n"))
    url = model.start()
    kinds: list[str] = []
    body = {"model": "m", "input": "1", "stream": True}
    try:
        with (
            contextlib.suppress(httpx2.RemoteProtocolError),
            httpx2.Client(trust_env=False) as client,
            client.stream("POST", url + "/responses", json=body) as answer,
        ):
            kinds.extend(line.removeprefix("event: ") for line in answer.iter_lines() if line.startswith("event: "))
            kinds.append("ended properly")
    finally:
        model.stop()
    assert kinds[-1 if fault.startswith("cut") else -2] == last
    assert ("ended properly" in kinds) == fault.startswith("ends")


async def test_an_answer_waits_until_it_is_released() -> None:
    model = ScriptedModel(small('[[answers]]\nwait_for = "go"\n[[answers.output]]\nmessage = "Late."\n'))
    url = model.start()
    try:
        assert await ask(url) == "Done."
        answer = asyncio.create_task(ask(url))
        assert await asyncio.to_thread(model.wait_until_held, "go")
        assert not answer.done()
        model.release("go")
        assert await answer == "Late."
    finally:
        model.stop()


async def test_stopping_ends_what_is_held_back_and_stopping_twice_is_allowed() -> None:
    held = '[[answers]]\nwait_for = "never"\n[[answers.output]]\nmessage = "Late."\n'
    model = ScriptedModel(small(answers=held))
    url = model.start()
    answer = asyncio.create_task(ask(url))
    assert await asyncio.to_thread(model.wait_until_held, "never")
    await asyncio.to_thread(model.stop)
    model.stop()
    with contextlib.suppress(openai.APIError):
        await answer
