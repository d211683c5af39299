"""The saved answers of a run over HTTP: each again, its refs found anew, until a request differs from the saved one."""

import json
import threading
from collections.abc import Callable
from typing import Any, Self

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.core.errors import LedgerProblem
from app.core.value import Json
from app.ledger.checkpoints import Slot
from app.rehearsal.loopback import HOST, Loopback
from app.rehearsal.references import NotThere
from app.rehearsal.replies import answer, error
from app.rehearsal.responses import Wire, counters, response
from app.rehearsal.saved_answers import SavedAnswer, SavedAnswers
from app.rehearsal.script import Script
from app.rehearsal.told import Named, comparable, difference, elements, from_the_world, reports, with_refs


class SavedModel:
    """Serves one saved run once, from `start` to `stop`.

    A request that differs from the saved one is said and answered all the same, as long as the answer can be carried
    out: an element that is not there any more ends it with an HTTP error.
    """

    def __init__(
        self,
        saved: SavedAnswers,
        *,
        moved: tuple[str, str] | None = None,
        say: Callable[[str], None] = lambda _words: None,
        port: int = 0,
    ) -> None:
        """`moved`: an origin of the saved run and where it is now. `say` is told of the first difference, once."""
        self._saved = saved
        self._moved = moved
        self._say = say
        self._script = Script[SavedAnswer]([(one, 1, ()) for one in saved.answers])
        self._lock = threading.Lock()
        self._last: Wire = {}
        self._slots: list[Slot] = []
        self._heard = 0
        self._names: dict[str, Named] = {}
        self._refs: dict[Named, str] = {}
        self.served = 0
        """How many answers were given."""
        self.first_difference = ""
        """Which request was the first that differed, and in what; empty while none did."""
        routes = [
            Route("/v1/responses", self._on_responses, methods=["POST"]),
            Route("/v1/decisions", self._on_decisions, methods=["POST"]),
        ]
        hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
        self._loopback = Loopback(Starlette(routes=routes, middleware=[hosts]), what="The saved answers", port=port)

    def start(self) -> str:
        """Serve, and return the base URL for a client. Raises `RehearsalProblem`."""
        return f"{self._loopback.start()}/v1"

    def stop(self) -> None:
        """End the service."""
        self._loopback.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def _on_responses(self, request: Request) -> Response:
        body = await request.json()
        with self._lock:
            return self._answered(body, request, self._response, streamed=body.get("stream") is True)

    async def _on_decisions(self, request: Request) -> Response:
        body = await request.json()
        with self._lock:
            return self._answered(body, request, self._decision, streamed=None)

    def _answered(
        self,
        body: dict[str, Any],
        request: Request,
        make: Callable[[SavedAnswer, dict[str, Any]], Wire],
        *,
        streamed: bool | None,
    ) -> Response:
        retry = request.headers.get("x-stainless-retry-count", "0") != "0"
        turn = self._script.take(body, retry=retry)
        if turn is None:
            return self._failed(f"the saved run has no answer after {len(self._saved.answers)}")
        if not turn.again:
            try:
                self._last = make(turn.step, body)
            except (NotThere, LedgerProblem, KeyError, TypeError, ValueError) as wrong:
                return self._failed(str(wrong) if isinstance(wrong, NotThere) else f"{type(wrong).__name__}: {wrong}")
            self.served += 1
        return JSONResponse(self._last) if streamed is None else answer(self._last, stream=streamed)

    def _response(self, saved: SavedAnswer, body: dict[str, Any]) -> Wire:
        self._follow(saved, body.get("input"))
        items = [self._again(item) for item in saved.items]
        usage = counters(
            input_tokens=saved.input_tokens, cached_tokens=0, output_tokens=saved.output_tokens, reasoning_tokens=0
        )
        return response(items, usage, number=self.served + 1, model=str(body.get("model")), body=body)

    def _decision(self, saved: SavedAnswer, body: dict[str, Any]) -> Wire:
        question = body["questions"][0]
        offered = [choice["value"] for choice in question["choices"]]
        if saved.offer is not None:
            then = [candidate.candidate_id for candidate in saved.offer.candidates]
            self._compare(then, offered, "candidates")
            seen = saved.offer.observation
            if isinstance(seen, str):
                texts = [self._then(text) for text in _strings(body.get("input"))]
                self._compare(seen, next((text for text in texts if seen in text), None) and seen, "observation")
        for one in saved.items:
            if one.get("type") == "choice" and one.get("choice") not in offered:
                raise NotThere(f"candidate {one.get('choice')!r} is not offered now")
        usage = counters(
            input_tokens=saved.input_tokens, cached_tokens=0, output_tokens=saved.output_tokens, reasoning_tokens=0
        )
        answers = [{**one, "name": question["name"]} for one in saved.items]
        return {"model": str(body.get("model")), "answers": answers, "usage": usage}

    def _follow(self, saved: SavedAnswer, told: Json) -> None:
        """Compare what is new in both requests, and learn the refs that they hand out."""
        slots, live = self._saved.slots(saved.revision), told if isinstance(told, list) else [_message(told)]
        same = next((at for at, (one, two) in enumerate(zip(self._slots, slots, strict=False)) if one != two), None)
        same = min(len(self._slots), len(slots)) if same is None else same
        if same < len(self._slots):
            # The context was folded: then both begin anew.
            same = self._heard = 0
        then, now = [self._saved.item(slot) for slot in slots[same:]], live[self._heard :]
        self._slots, self._heard = slots, len(live)
        for report in reports(then):
            self._names.update(elements(report))
        for report in reports(now):
            self._refs.update({named: ref for ref, named in elements(report)})
        told_then = [comparable(item, str) for item in from_the_world(then)]
        self._compare(told_then, [comparable(item, self._then) for item in from_the_world(now)], "input")

    def _compare(self, then: Json, now: Json, what: str) -> None:
        if self.first_difference:
            return
        if (found := difference(then, now, what)) is not None:
            self.first_difference = f"request {self.served + 1} is the first that differs: {found}"
            self._say(self.first_difference)

    def _again(self, item: dict[str, Any]) -> dict[str, Any]:
        moved: dict[str, Any] = self._now(item)
        arguments = moved.get("arguments")
        if moved.get("type") != "function_call" or not isinstance(arguments, str):
            return moved
        try:
            found = json.loads(arguments)
        except ValueError:
            return moved
        return {**moved, "arguments": json.dumps(with_refs(found, self._ref_now), ensure_ascii=False)}

    def _ref_now(self, ref: str) -> str:
        named = self._names.get(ref)
        if named is None:
            return ref
        if named not in self._refs:
            raise NotThere(f"{named.role} {named.label!r} is not on the page now")
        return self._refs[named]

    def _now(self, value: Json) -> Any:
        """`value` with addresses as they are now."""
        if self._moved is None:
            return value
        if isinstance(value, str):
            return value.replace(*self._moved)
        if isinstance(value, list):
            return [self._now(item) for item in value]
        if isinstance(value, dict):
            return {key: self._now(item) for key, item in value.items()}
        return value

    def _then(self, text: str) -> str:
        """`text` with addresses as they were."""
        return text.replace(self._moved[1], self._moved[0]) if self._moved is not None else text

    def _failed(self, words: str) -> Response:
        message = f"request {self.served + 1}: {words}"
        if not self.first_difference:
            self.first_difference = message
            self._say(message)
        return error(400, message, code="rehearsal")


def _message(told: Json) -> Json:
    return {"role": "user", "content": told}


def _strings(value: Json) -> Any:
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(part)
