"""What went over the wire is on record where the run file asks for it: exactly, once, and without the key."""

import asyncio
import hashlib
import json
from base64 import b64decode
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.clock import SystemClock
from app.core.events import StopRequested
from app.core.exchange import ExchangeSeen, curl_line, stream_events, whole_request
from app.core.plan import McpPlan, RunPlan
from app.core.service_plan import ClientPlan
from app.core.unrecorded import NOT_RECORDED, secrets_of
from app.core.value import Json
from app.ledger.reader import LedgerReader
from app.ledger.store import RunLedger
from app.rehearsal.scenario import load_scenario
from app.rehearsal.server import ScriptedModel
from app.runner.leaving import said_body as request_said
from app.runner.wire import WireRecorder, split_body
from tests.unit.app.runner.harness import Run, run_scenario, serving
from tests.unit.app.runner.invariants import check

KEY = "no-key"
"""What the harness gives the client."""


def recorded(*, stream: bool) -> Any:
    """Plan changer."""
    return lambda plan: plan.model_copy(
        update={
            "record": plan.record.model_copy(update={"wire": True}),
            "streaming": plan.streaming.model_copy(update={"stream": stream}),
        }
    )


def with_pictures_by_digest(value: Json, pictures: dict[str, str]) -> Json:
    """What a request said, as the record says it; `pictures` maps each data address to its digest."""
    if isinstance(value, dict):
        return {key: with_pictures_by_digest(entry, pictures) for key, entry in value.items()}
    if isinstance(value, list):
        return [with_pictures_by_digest(entry, pictures) for entry in value]
    return {"picture": pictures[value]} if isinstance(value, str) and value in pictures else value


@pytest.mark.parametrize("stream", [False, True])
def test_each_request_is_on_record_as_the_service_got_it(tmp_path: Path, stream: bool) -> None:
    run = run_scenario(load_scenario("mixed"), tmp_path, plan=recorded(stream=stream))
    check(run)
    assert run.ended.status == "finished", run.ended.reason
    exchanges = run.of(ExchangeSeen)
    assert [one.turn for one in exchanges] == list(range(1, len(run.model.requests) + 1))
    with LedgerReader.open(run.ledger_path) as reader:
        for one, got in zip(exchanges, run.model.requests, strict=True):
            said: Any = whole_request(one, reader.blob)
            pictures = pictures_of(got.body)
            for digest in pictures.values():
                assert reader.blob(digest)
            assert said == with_pictures_by_digest(got.body, pictures)
            assert (one.status, one.streamed, one.cut) == (200, stream, False)
            assert one.answer_bytes == len(reader.blob(one.answer)) > 0
            assert 0 < one.headers_ms <= one.ended_ms
            answers(one, reader.blob(one.answer))


def pictures_of(body: Json) -> dict[str, str]:
    found: dict[str, str] = {}

    def look(value: Json) -> None:
        if isinstance(value, str) and value.startswith("data:image/"):
            found[value] = hashlib.sha256(b64decode(value.partition(",")[2])).hexdigest()
        for entry in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            look(entry)

    look(body)
    return found


def answers(one: ExchangeSeen, body: bytes) -> None:
    if not one.streamed:
        assert json.loads(body)["object"] == "response"
        return
    events = stream_events(one, body)
    assert (events[0].name, events[-1].name) == ("response.created", "response.completed")
    assert all(json.loads(event.data)["type"] == event.name for event in events)
    times = [event.at_ms for event in events]
    assert times == sorted(times)
    assert times[-1] <= one.ended_ms


def test_no_key_is_on_record_and_a_copied_line_names_a_variable(tmp_path: Path) -> None:
    run = run_scenario(load_scenario("booking"), tmp_path, plan=recorded(stream=True))
    assert KEY.encode() not in run.ledger_path.read_bytes()
    one = run.of(ExchangeSeen)[-1]
    with LedgerReader.open(run.ledger_path) as reader:
        line = curl_line(one, whole_request(one, reader.blob))
    assert "$OPENAI_API_KEY" in line
    assert KEY not in line
    assert "\n" not in line.replace("\\n", "")


def test_a_run_file_that_does_not_ask_for_it_keeps_nothing_of_the_wire(tmp_path: Path) -> None:
    run: Run = run_scenario(load_scenario("booking"), tmp_path)
    assert run.of(ExchangeSeen) == []


def test_secrets_of_a_declared_server_are_not_kept() -> None:
    tool = {"type": "mcp", "server_label": "notes", "authorization": "tok", "headers": {"X-Key": "s3"}}
    said, items = split_body(json.dumps({"model": "m", "tools": [tool], "input": "hello"}).encode())
    assert "tok" not in json.dumps(said)
    assert "s3" not in json.dumps(said)
    assert [item.data for item, _ in items] == [b'"hello"']
    assert split_body(b"\xff") == ("(no JSON)", [])


DECLARED = {
    "type": "mcp",
    "server_label": "notes",
    "authorization": "canary-tok",
    "headers": {"X-Key": "Bearer canary-hdr"},
    "server_url": "https://me:canary-pwd@notes.invalid/mcp?key=canary-qry",
}


@pytest.mark.parametrize(
    "body",
    [
        {"tools": [DECLARED]},
        {"tools": [{"type": "namespace", "tools": [DECLARED]}]},
        {"tools": [{"type": "shell", "environment": {"skills": [{"a": [DECLARED]}]}}]},
        {"input": [{"type": "tool_search_output", "tools": [DECLARED]}]},
    ],
)
def test_secrets_of_declared_tools_are_not_kept_wherever_they_stand(body: Any) -> None:
    said, items = split_body(json.dumps({"model": "m", "input": "hello", **body}).encode())
    kept = json.dumps(said).encode() + b"".join(item.data for item, _ in items)
    assert b"canary" not in kept
    assert kept.count(NOT_RECORDED.encode()) == 4
    assert b"canary" not in json.dumps(request_said(json.dumps(body).encode())[0]).encode(), "nor where it is held"


def test_an_argument_s_name_is_no_secret() -> None:
    tool = {"type": "function", "name": "f", "parameters": {"properties": {"password": {"description": "any length"}}}}
    assert split_body(json.dumps({"tools": [tool]}).encode())[0] == {"tools": [tool]}
    assert list(secrets_of([tool])) == []


class Echo(ScriptedModel):
    """A service that says back whatever it was sent."""

    def _response(self, turn: Any, recorded: Any) -> Any:
        whole = super()._response(turn, recorded)
        return {**whole, "tools": recorded.body["tools"], "metadata": {"sent": json.dumps(dict(recorded.headers))}}


def test_what_a_service_repeats_of_keys_and_what_its_address_holds_is_not_kept(tmp_path: Path) -> None:
    def with_secrets(plan: RunPlan) -> RunPlan:
        declared = McpPlan(server_label="notes", server_url="https://n.invalid/", authorization="canary-tok")
        beside = ClientPlan(default_headers={"X-Desk": "canary-hdr"}, default_query={"k": "canary-qry"})
        changed: RunPlan = recorded(stream=False)(plan)
        return changed.model_copy(update={"mcp": (declared,), "client": beside})

    with serving(load_scenario("booking"), Echo) as served:
        url = served[3].replace("http://", "http://me:canary-pwd@")
        run = run_scenario(load_scenario("booking"), tmp_path, plan=with_secrets, served=served, service_url=url)
    assert run.ended.status == "finished", run.ended.reason
    exchanges = run.of(ExchangeSeen)
    with LedgerReader.open(run.ledger_path) as reader:
        for one in exchanges:
            answer = reader.blob(one.answer)
            assert b"canary" not in answer
            assert len(answer) == one.answer_bytes
            assert b'"authorization":"**********"' in answer
    assert all("canary" not in one.model_dump_json() for one in run.events)


class CutShort(httpx2.AsyncByteStream):
    """Half an answer, whose closing is cancelled as by a stop."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"data: {"
        raise asyncio.CancelledError

    async def aclose(self) -> None:
        raise asyncio.CancelledError


async def test_an_answer_that_a_stop_cut_is_on_record_as_far_as_it_came(tmp_path: Path) -> None:
    with RunLedger.create(tmp_path / "run.signalbox", SystemClock()) as ledger:
        recorder = WireRecorder(ledger, SystemClock())
        request = httpx2.Request("POST", "http://m.invalid/v1/responses", json={"input": "hello"})
        response = httpx2.Response(200, stream=CutShort(), request=request)
        await recorder.request(request)
        await recorder.response(response)
        with pytest.raises(asyncio.CancelledError):
            await response.aread()
        with pytest.raises(asyncio.CancelledError):
            await response.stream.aclose()  # type: ignore[union-attr]
        ledger.append(StopRequested(by="person"))
        exchange, _ = [one.event for one in ledger.events()]
        assert isinstance(exchange, ExchangeSeen)
        assert (exchange.cut, ledger.blob(exchange.answer)) == (True, b"data: {")
