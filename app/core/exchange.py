"""One request to the model service and its answer as they went over the wire, and the line that sends it again."""

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from app.core.value import Frozen, Json, Text

KEY_VARIABLE = "OPENAI_API_KEY"
"""What stands in a copied line where the key was."""

PICTURE_LEFT_OUT = "data:image/png;base64,…"
"""What stands in a copied line for a picture: with its bytes no shell would take the line."""


class ExchangeSeen(Frozen):
    """A request left and was answered. Its headers are not kept: they hold the key."""

    type: Literal["exchange_seen"] = "exchange_seen"
    turn: int
    method: Text
    url: Text
    """Without its query, which may hold a key."""
    request: Json
    """The body without its ``input``; secrets of tools' declarations and headers are left out."""
    items: tuple[str, ...]
    """Digests of the input's items, each a blob of JSON in which pictures are named by digest; stored once each."""
    status: int
    streamed: bool
    answer: str
    """Digest of the body's bytes as they came."""
    answer_bytes: int
    cut: bool
    """Whether less was kept than came: it was longer than is kept, or broke off."""
    headers_ms: float
    """From when the request was handed over to the answer's headers."""
    pieces: tuple[tuple[float, int], ...]
    """How the body came: milliseconds since the request was handed over, and bytes in all by then."""

    @property
    def ended_ms(self) -> float:
        """When the last of the body came."""
        return self.pieces[-1][0] if self.pieces else self.headers_ms


@dataclass(frozen=True)
class StreamEvent:
    """One server-sent event."""

    name: str
    data: str
    at_ms: float
    """When its last byte had come."""


def stream_events(exchange: ExchangeSeen, body: bytes) -> list[StreamEvent]:
    """The server-sent events of a streamed answer, in order; a last one that did not come whole is left out."""
    found, begin = [], 0
    for block in body.split(b"\n\n")[:-1]:
        end = begin + len(block) + 2
        lines = block.decode("utf-8", "replace").splitlines()
        name = next((line[6:].strip() for line in lines if line.startswith("event:")), "message")
        data = "\n".join(line[5:].strip() for line in lines if line.startswith("data:"))
        found.append(StreamEvent(name, data, _came_by(exchange.pieces, end)))
        begin = end
    return found


def whole_request(exchange: ExchangeSeen, blob: Callable[[str], bytes]) -> dict[str, Json]:
    """The body with its input, pictures by digest. Raises what `blob` raises."""
    given = exchange.request if isinstance(exchange.request, dict) else {"body": exchange.request}
    return {**given, "input": [json.loads(blob(digest)) for digest in exchange.items]}


def curl_line(exchange: ExchangeSeen, body: Json) -> str:
    """A line for a shell that sends the request again; the key is a variable and pictures are left out."""
    # Plain letters only: what a page wrote must not turn the line round in the terminal that it is put into.
    sent = json.dumps(_without_pictures(body))
    parts = ["curl", "-X", exchange.method, exchange.url, "-H", "Content-Type: application/json"]
    words = " ".join(shlex.quote(part) for part in parts)
    return f'{words} -H "Authorization: Bearer ${KEY_VARIABLE}" --data-raw {shlex.quote(sent)}'


def _without_pictures(value: Json) -> Json:
    if isinstance(value, dict):
        if list(value) == ["picture"]:
            return PICTURE_LEFT_OUT
        return {key: _without_pictures(entry) for key, entry in value.items()}
    return [_without_pictures(entry) for entry in value] if isinstance(value, list) else value


def _came_by(pieces: tuple[tuple[float, int], ...], size: int) -> float:
    return next((at_ms for at_ms, so_far in pieces if so_far >= size), pieces[-1][0] if pieces else 0.0)
