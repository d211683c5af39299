"""The scripted model: a Responses and Decisions service on loopback that answers one run from a scenario."""

import asyncio
import json
import threading
from typing import Any, Self

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.rehearsal.decisions import decision
from app.rehearsal.loopback import HOST, Loopback
from app.rehearsal.record import Record, RecordedRequest
from app.rehearsal.references import NotThere, Seen
from app.rehearsal.replies import answer, error, misbehaviour
from app.rehearsal.responses import Wire, response, usage_counters, wire_items
from app.rehearsal.scenario import AnswerStep, ChoiceStep, Scenario
from app.rehearsal.script import Script, Turn

MODEL = "scripted-model"
CACHE_BLOCK_TOKENS = 128


class ScriptedModel:
    """Serves one scenario once, from `start` to `stop`. Each request is recorded before it is answered.

    What the scenario cannot answer is an HTTP error 400, and the same words stay in `problems`.
    """

    def __init__(self, scenario: Scenario, *, site: str = "", port: int = 0) -> None:
        self.scenario = scenario
        self.problems: list[str] = []
        self._site = site
        self._record = Record()
        self._answers = Script[AnswerStep]([(step, step.repeat, step.faults) for step in scenario.answers])
        self._choices = Script[ChoiceStep]([(step, 1, step.faults) for step in scenario.decisions])
        self._last_answer: Wire = {}
        self._cached_tokens = 0
        self._stored: dict[str, list[Any]] = {}
        """By response id: the whole conversation up to and with that answer, for requests that go on from it."""
        steps: list[AnswerStep | ChoiceStep] = [*scenario.answers, *scenario.decisions]
        self._released = {step.wait_for: threading.Event() for step in steps if step.wait_for}
        self._held = {name: threading.Event() for name in self._released}
        routes = [
            Route("/v1/responses", self._on_responses, methods=["POST"]),
            Route("/v1/decisions", self._on_decisions, methods=["POST"]),
        ]
        hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
        application = Starlette(routes=routes, middleware=[hosts], exception_handlers={404: _no_such_path})
        self._loopback = Loopback(application, what="The scripted model", port=port)

    def start(self) -> str:
        """Serve, and return the base URL for a client. Raises `RehearsalProblem` when the port is taken."""
        return f"{self._loopback.start()}/v1"

    def stop(self) -> None:
        """End the service; requests that are held back end with it."""
        for gate in self._released.values():
            gate.set()
        self._loopback.stop()

    @property
    def requests(self) -> list[RecordedRequest]:
        """Every request up to now, in order."""
        return self._record.all()

    def release(self, name: str) -> None:
        """Let the answer go on that waits for `name`, now or when it comes to it."""
        self._released[name].set()

    def wait_until_held(self, name: str, *, timeout_secs: float = 30) -> bool:
        """Block the calling thread until an answer waits for `name`; False when none does in time."""
        return self._held[name].wait(timeout_secs)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def _on_responses(self, request: Request) -> Response:
        body = await _json_object(request)
        if body is None:
            return error(400, "The body is not a JSON object.")
        recorded = self._record.add(request.url.path, body, request.headers, request.url.query)
        turn = self._answers.take(recorded.body, retry=recorded.retry > 0)
        if turn is None:
            return self._fail(recorded, f"the scenario has no answer left after {len(self.scenario.answers)}")
        await self._hold(turn)
        stream = recorded.body.get("stream") is True
        if turn.fault is not None and turn.fault.status is not None:
            return misbehaviour(turn.fault, {}, stream=stream, cut=self._loopback.cut)
        try:
            whole = self._last_answer if turn.again else self._response(turn, recorded)
        except NotThere as missing:
            return self._fail(recorded, f"answer {turn.index + 1}, {missing}")
        if turn.fault is not None:
            return misbehaviour(turn.fault, whole, stream=stream, cut=self._loopback.cut)
        self._last_answer = whole
        return answer(whole, stream=stream)

    async def _on_decisions(self, request: Request) -> Response:
        body = await _json_object(request)
        if body is None:
            return error(400, "The body is not a JSON object.")
        recorded = self._record.add(request.url.path, body, request.headers, request.url.query)
        turn = self._choices.take(recorded.body, retry=recorded.retry > 0)
        if turn is None:
            return self._fail(recorded, f"the scenario has no decision left after {len(self.scenario.decisions)}")
        await self._hold(turn)
        if turn.fault is not None and turn.fault.status is not None:
            return misbehaviour(turn.fault, {}, stream=False, cut=self._loopback.cut)
        try:
            whole = self._decision(turn, recorded)
        except (NotThere, KeyError, IndexError, TypeError) as wrong:
            return self._fail(recorded, f"decision {turn.index + 1}: {wrong}")
        if turn.fault is not None:
            return misbehaviour(turn.fault, whole, stream=False, cut=self._loopback.cut)
        return JSONResponse(whole)

    async def _hold(self, turn: Turn[AnswerStep] | Turn[ChoiceStep]) -> None:
        if turn.step.wait_for and not turn.again:
            self._held[turn.step.wait_for].set()
            await asyncio.to_thread(self._released[turn.step.wait_for].wait)

    def _decision(self, turn: Turn[ChoiceStep], recorded: RecordedRequest) -> Wire:
        return decision(turn.step, recorded.body, model=_model(recorded.body))

    def _response(self, turn: Turn[AnswerStep], recorded: RecordedRequest) -> Wire:
        conversation = self._conversation(recorded)
        seen = Seen({**recorded.body, "input": conversation}, site=self._site)
        output = turn.step.output
        if (otherwise := turn.step.if_not_done or self.scenario.if_not_done) and seen.something_not_done():
            output = otherwise
        items = wire_items(output, seen, number=recorded.number)
        reasoning = any(item["type"] == "reasoning" for item in items)
        usage = usage_counters(recorded.body, items, reasoning=reasoning, cached=self._cached_tokens)
        self._cached_tokens = usage["input_tokens"] // CACHE_BLOCK_TOKENS * CACHE_BLOCK_TOKENS
        whole = response(items, usage, number=recorded.number, model=_model(recorded.body), body=recorded.body)
        if recorded.body.get("store") is not False:
            self._stored[whole["id"]] = [*conversation, *items]
        return whole

    def _conversation(self, recorded: RecordedRequest) -> list[Any]:
        previous = recorded.body.get("previous_response_id")
        if previous is None:
            return recorded.input
        if previous not in self._stored:
            raise NotThere(f"previous_response_id {previous!r}: no such answer is stored")
        return [*self._stored[previous], *recorded.input]

    def _fail(self, recorded: RecordedRequest, what: str) -> Response:
        message = f"{self.scenario.source}: request {recorded.number}, {what}"
        self.problems.append(message)
        return error(400, message, code="scenario")


async def _json_object(request: Request) -> dict[str, Any] | None:
    try:
        body = json.loads(await request.body())
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


async def _no_such_path(request: Request, _: Exception) -> Response:
    return error(404, f"The scripted model does not know {request.method} {request.url.path}.")


def _model(body: dict[str, Any]) -> str:
    model = body.get("model")
    return model if isinstance(model, str) else MODEL
