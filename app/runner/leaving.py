"""What happens to a request right before it leaves: it can be held, with exactly the body that will be sent."""

import asyncio
import json
from typing import Any, Protocol

import httpx2

from app.core.breakpoint import Point
from app.core.evidence import Blob
from app.core.unrecorded import without_secrets
from app.core.value import Json
from app.runner.holding import Holding
from app.runner.outputs import pictures_by_digest


class Admitted(Protocol):
    """The run's requests: which one is about to leave, and what is on record of it."""

    @property
    def waits_to_leave(self) -> bool:
        """Whether a request was admitted that has not left: not so for a client's own second try."""

    @property
    def answered_calls(self) -> tuple[str, ...]:
        """Ids of the calls whose outputs the whole conversation holds."""

    def leaves(self) -> None:
        """It leaves now: put that on record. Raises when the run is to end instead."""


class Leaving:
    """A request hook of the run's HTTP client."""

    def __init__(self, holding: Holding) -> None:
        self._holding = holding
        self.requests: Admitted | None = None
        """Set once the run is put together; no request leaves before."""
        self.held_ms = 0.0
        """How long the newest request was held: its time at the service does not include it."""

    async def request(self, request: httpx2.Request) -> None:
        """The hook. May wait for a person.

        Raises:
            StoppedBeforeRequest: the run is to end.
            NotDurable: it could not be put on record.
        """
        requests = self.requests
        if requests is None or not requests.waits_to_leave:
            return
        self.held_ms = 0.0
        # Reading the body takes a while where it holds pictures.
        if self._holding.stepper.looks_at("request"):
            await self._may_be_held(request, requests)
        requests.leaves()
        # A stop that came with this very event ends the task before anything of the request is on the wire.
        await asyncio.sleep(0)

    async def _may_be_held(self, request: httpx2.Request, requests: Admitted) -> None:
        clock = self._holding.stepper.clock
        began_ns = clock.mono_ns()
        body, blobs = said_body(await request.aread())
        sent = _call_ids(body)
        dropped = tuple(call_id for call_id in requests.answered_calls if call_id not in sent)
        await self._holding.at(Point("request", "run", request.url.path, body), blobs, dropped)
        self.held_ms = (clock.mono_ns() - began_ns) / 1e6


def said_body(content: bytes) -> tuple[Json, list[Blob]]:
    """A request's body for people: each picture by its digest, secrets of tools' declarations left out."""
    try:
        body: Json = json.loads(content)
    except (ValueError, RecursionError):
        return "(no JSON)", []
    blobs: list[Blob] = []
    body = pictures_by_digest(body, blobs)
    leave_secrets_out(body)
    return body, blobs


def leave_secrets_out(body: Json) -> None:
    """Of all tools that the body declares, those in items of its input too."""
    if isinstance(body, dict):
        without_secrets(body.get("tools"))
        for item in body["input"] if isinstance(body.get("input"), list) else ():
            without_secrets(item.get("tools") if isinstance(item, dict) else None)


def _call_ids(body: Json) -> set[str]:
    given = body.get("input") if isinstance(body, dict) else None
    items: list[Any] = given if isinstance(given, list) else []
    return {str(item["call_id"]) for item in items if isinstance(item, dict) and "output" in item and "call_id" in item}
