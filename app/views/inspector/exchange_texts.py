"""The texts of one request and its answer, read and laid out by a worker: a body may be megabytes long."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.core.errors import SignalboxError
from app.core.exchange import ExchangeSeen, StreamEvent, curl_line, stream_events, whole_request
from app.core.value import Json


@dataclass(frozen=True)
class ExchangeTexts:
    """One exchange in words. `problem` says why its bytes cannot be had; then the rest is empty."""

    exchange: ExchangeSeen
    request: str = ""
    answer: str = ""
    events: str = ""
    timing: str = ""
    curl: str = ""
    problem: str = ""


class ExchangeReader(QObject):
    """Reads the newest wish; what was wished for before it is dropped.

    Signals:
        read: the `ExchangeTexts` of the exchange that was asked for last.
    """

    read = Signal(object)
    _came = Signal(int, object)

    def __init__(self, blob: Callable[[str], bytes], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._blob = blob
        self._wish = 0
        self._came.connect(self._on_came)

    def ask(self, exchange: ExchangeSeen) -> None:
        """Have `exchange` read; `read` follows."""
        self._wish += 1
        wish = self._wish
        work = threading.Thread(target=self._work, args=(wish, exchange), name="exchange", daemon=True)
        work.start()

    def forget(self) -> None:
        """Whatever is on its way is not wanted any more."""
        self._wish += 1

    def _work(self, wish: int, exchange: ExchangeSeen) -> None:
        try:
            texts = texts_of(exchange, self._blob)
        except (SignalboxError, ValueError, OSError) as error:
            texts = ExchangeTexts(exchange, problem=f"its bytes cannot be had: {error}")
        # The panel may have gone meanwhile.
        try:
            self._came.emit(wish, texts)
        except RuntimeError:
            return

    def _on_came(self, wish: int, texts: ExchangeTexts) -> None:
        if wish == self._wish:
            self.read.emit(texts)


def texts_of(exchange: ExchangeSeen, blob: Callable[[str], bytes]) -> ExchangeTexts:
    """Everything that is said of one exchange. Raises what `blob` raises."""
    request, body = whole_request(exchange, blob), blob(exchange.answer)
    events = stream_events(exchange, body) if exchange.streamed else []
    return ExchangeTexts(
        exchange,
        request=_indented(request),
        answer=_answer(exchange, body, events),
        events="\n".join(f"{event.at_ms:,.1f} ms {event.name} {event.data}" for event in events),
        timing=_timing(exchange, events),
        curl=curl_line(exchange, request),
    )


def _answer(exchange: ExchangeSeen, body: bytes, events: list[StreamEvent]) -> str:
    """The answer whole: of a stream, what its last event carries."""
    text = events[-1].data if events else body.decode("utf-8", "replace")
    try:
        said: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if events and isinstance(said, dict) and isinstance(said.get("response"), dict):
        said = said["response"]
    cut = "(less was kept than came)\n" if exchange.cut else ""
    return cut + _indented(said)


def _timing(exchange: ExchangeSeen, events: list[StreamEvent]) -> str:
    lines = [_moment("request handed over", 0.0), _moment("headers of the answer", exchange.headers_ms)]
    if exchange.pieces:
        lines.append(_moment("first of the body", exchange.pieces[0][0]))
    lines += [_moment(event.name, event.at_ms) for event in _first_of_each(events)]
    lines.append(f"{_moment('end of the body', exchange.ended_ms)}, {exchange.answer_bytes:,} bytes")
    return "\n".join(lines)


def _moment(what: str, at_ms: float) -> str:
    return f"{at_ms:,.1f} ms {what}"


def _first_of_each(events: list[StreamEvent]) -> list[StreamEvent]:
    seen: dict[str, StreamEvent] = {}
    for event in events:
        seen.setdefault(event.name, event)
    return list(seen.values())


def _indented(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
