"""What goes back over HTTP: answers and errors as the service would send them, and its scripted misbehaviour."""

import json
from collections.abc import AsyncIterator, Callable, Sequence

from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.rehearsal.responses import Wire
from app.rehearsal.scenario import Fault
from app.rehearsal.stream import encode, ended, events

Cut = Callable[[tuple[str, int]], None]

EVENT_STREAM = "text/event-stream"
_ERROR_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
}


def error(status: int, message: str, *, code: str | None = None, headers: dict[str, str] | None = None) -> Response:
    """An error body in the service's form."""
    kind = _ERROR_KINDS.get(status, "server_error" if status >= 500 else "invalid_request_error")
    body = {"error": {"message": message, "type": kind, "param": None, "code": code}}
    return JSONResponse(body, status_code=status, headers=headers)


def answer(response: Wire, *, stream: bool) -> Response:
    """A whole answer, as JSON or as a stream."""
    if not stream:
        return JSONResponse(response)
    return StreamingResponse(_encoded([encode(event) for event in events(response)]), media_type=EVENT_STREAM)


def misbehaviour(fault: Fault, response: Wire, *, stream: bool, cut: Cut) -> Response:
    """The answer `response` spoilt in the way that the scenario asks for."""
    if fault.status is not None:
        return error(fault.status, fault.message, headers=fault.headers)
    if fault.malformed:
        body = b"event: response.created\ndata: {not json\n\n" if stream else b'{"id": "resp'
        return Response(body, media_type=EVENT_STREAM if stream else "application/json")
    if fault.in_one_piece:
        return JSONResponse(response)
    if fault.ends is not None:
        if not stream:
            return JSONResponse(ended(response, "failed" if fault.ends == "error" else fault.ends, fault.message))
        told = events(response, ending=fault.ends, message=fault.message)
        return StreamingResponse(_encoded([encode(event) for event in told]), media_type=EVENT_STREAM)
    if stream:
        kept = [encode(event) for event in events(response)][: fault.cut_after_events]
        return CutResponse(b"".join(kept), media_type=EVENT_STREAM, cut=cut, promised=None)
    whole = json.dumps(response).encode()
    return CutResponse(whole[: len(whole) // 2], media_type="application/json", cut=cut, promised=len(whole))


class CutResponse(Response):
    """An answer whose connection ends before it does."""

    def __init__(self, body: bytes, *, media_type: str, cut: Cut, promised: int | None) -> None:
        super().__init__(body, media_type=media_type)
        self._cut = cut
        length = [(b"content-length", str(promised).encode())] if promised is not None else []
        self.raw_headers = [header for header in self.raw_headers if header[0] != b"content-length"] + length

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what is to arrive, close the connection, and return once it is closed."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        self._cut(scope["client"])
        while (await receive())["type"] != "http.disconnect":
            pass


async def _encoded(parts: Sequence[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
