"""Listens to the run's HTTP client and puts each request and answer on record as they went over the wire.

Only where the run file asks for it: a long run's bodies are large, and each is read once more for the record.
"""

import json
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, field

import httpx2

from app.core.errors import NotDurable
from app.core.events import Recorded, RequestSent
from app.core.evidence import Blob
from app.core.exchange import ExchangeSeen
from app.core.ports import Clock, Journal
from app.core.unrecorded import SHORTEST_SECRET, secrets_of
from app.core.value import Json
from app.runner.leaving import leave_secrets_out
from app.runner.outputs import pictures_by_digest

log = logging.getLogger(__name__)

MOST_BYTES = 8_000_000
"""So much of an answer is kept."""

PIECE_MS = 5.0
"""Parts of a body that come closer together than this count as one piece."""


@dataclass
class _Answer:
    headers_ms: float
    kept: bytearray = field(default_factory=bytearray)
    size: int = 0
    pieces: list[tuple[float, int]] = field(default_factory=list)
    whole: bool = False

    def came(self, part: bytes, at_ms: float) -> None:
        self.kept += part[: max(0, MOST_BYTES - len(self.kept))]
        self.size += len(part)
        if self.pieces and at_ms - self.pieces[-1][0] < PIECE_MS:
            self.pieces.pop()
        self.pieces.append((at_ms, self.size))


class WireRecorder:
    """Hooks of one run's HTTP client, one request at a time."""

    def __init__(self, journal: Journal, clock: Clock, secrets: Iterable[str] = ()) -> None:
        """`secrets`: what is sent beside the body and must not be kept where an answer repeats it."""
        self._secrets = tuple(secrets)
        self._journal = journal
        self._clock = clock
        self._turn = 0
        self._sent_ns = 0
        journal.subscribe(self._on_recorded)

    async def request(self, request: httpx2.Request) -> None:
        """The request is handed over now. Must be the last of the request hooks: others may hold it."""
        self._sent_ns = self._clock.mono_ns()

    async def response(self, response: httpx2.Response) -> None:
        """The headers have come; the body is listened to as it is read. Must be the first of the response hooks."""
        answer = _Answer(self._since())
        response.stream = _Heard(response.stream, answer, self._since, lambda: self._record(response, answer))

    def _on_recorded(self, recorded: Recorded) -> None:
        if isinstance(recorded.event, RequestSent):
            self._turn = recorded.event.turn

    def _since(self) -> float:
        return (self._clock.mono_ns() - self._sent_ns) / 1e6

    def _record(self, response: httpx2.Response, answer: _Answer) -> None:
        said, items = split_body(response.request.content)
        body = Blob(_blanked(bytes(answer.kept), {*self._secrets, *_declared(response.request.content)}), "text/plain")
        event = ExchangeSeen(
            turn=self._turn,
            method=response.request.method,
            url=str(response.request.url.copy_with(query=None, userinfo=b"", fragment=None)),
            request=said,
            items=tuple(item.digest for item, _ in items),
            status=response.status_code,
            streamed="event-stream" in response.headers.get("content-type", ""),
            answer=body.digest,
            answer_bytes=answer.size,
            cut=not answer.whole or answer.size > len(answer.kept),
            headers_ms=answer.headers_ms,
            pieces=tuple(answer.pieces),
        )
        blobs = [blob for item, pictures in items for blob in (*pictures, item)]
        try:
            self._journal.append_soon(event, [*blobs, body])
        except NotDurable:
            # The next write of this run fails as well, and that one ends it.
            log.info("an exchange could not be recorded")


class _Heard(httpx2.AsyncByteStream):
    """The answer's body, passed on as it comes."""

    def __init__(self, stream: object, answer: _Answer, since: Callable[[], float], done: Callable[[], None]) -> None:
        assert isinstance(stream, httpx2.AsyncByteStream)
        self._stream = stream
        self._answer = answer
        self._since = since
        self._done: Callable[[], None] | None = done

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            self._answer.came(part, self._since())
            yield part
        self._answer.whole = True

    async def aclose(self) -> None:
        try:
            await self._stream.aclose()
        finally:
            # A stop in the middle of an answer cuts the closing short; what had come is on record all the same.
            done, self._done = self._done, None
            if done is not None:
                done()


def _declared(content: bytes) -> Iterator[str]:
    """Secrets of the tools that a request declares."""
    try:
        body: Json = json.loads(content)
    except (ValueError, RecursionError):
        return
    if isinstance(body, dict):
        given = body.get("input")
        yield from secrets_of([body.get("tools"), *(given if isinstance(given, list) else ())])


def _blanked(body: bytes, secrets: set[str]) -> bytes:
    """Each secret that stands in `body` as a star a byte: the times of what came still fit."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) < SHORTEST_SECRET:
            continue
        for written in {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], secret}:
            said = written.encode("utf-8", "surrogatepass")
            body = body.replace(said, b"*" * len(said))
    return body


def split_body(content: bytes) -> tuple[Json, list[tuple[Blob, list[Blob]]]]:
    """A request's body without its input and without secrets, and each item of the input with its pictures."""
    try:
        body: Json = json.loads(content)
    except (ValueError, RecursionError):
        return "(no JSON)", []
    if not isinstance(body, dict):
        return body, []
    leave_secrets_out(body)
    given = body.pop("input", [])
    entries = given if isinstance(given, list) else [given]
    return body, [_item(entry) for entry in entries]


def _item(entry: Json) -> tuple[Blob, list[Blob]]:
    pictures: list[Blob] = []
    text = json.dumps(pictures_by_digest(entry, pictures), ensure_ascii=True, separators=(",", ":"))
    return Blob(text.encode("ascii"), "application/json"), pictures
