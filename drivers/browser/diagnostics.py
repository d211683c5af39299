"""What a page said on its console and asked of the network: bounded, and without anything secret."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from openai.lib.browser import BrowserReadV1
from playwright.async_api import ConsoleMessage, Error, Page, Request, Response, WebError

from drivers.browser.tabs import Tab, Tabs

KEPT = 500
"""Entries of each kind for a session; older ones are forgotten."""
TEXT_CHARACTERS = 300
FLOOD_LINES = 250
FLOOD_SECS = 10.0
"""So many lines of consoles in so short a time are a flood: while each is taken in, no read gets its answer."""
DEAF_SECS = 5.0
"""So long nothing more of it is taken in; then it is listened to again."""
NOT_LISTENED = "[signalbox] too many lines: for some seconds no more were taken in"

_PAIR = re.compile(
    r"""(?i)\b([\w.-]*(?:pass|pwd|secret|token|api[-_]?key|auth|session|cookie|bearer|signature|\bsig\b|credential)[\w.-]*)"""
    r"""(["']?\s*[:=]\s*|\s+(?:(?:is|was)\s+)?)"""
    r"""((?:(?:bearer|basic|digest|negotiate|token|apikey)\s+)?(?:"[^"]*"|'[^']*'|[^\s,;&]+))"""
)
_CODE = re.compile(
    r"""((?<![A-Za-z])(?i:pin|otp|totp|cvv|cvc|csc|ssn|iban|mfa|2fa"""
    r"""|(?:security|verification|access|login|sms|one[-_ ]?time)[-_ ]?code)"""
    r"""|(?<=[a-z])(?:Pin|PIN|Otp|OTP|Cvv|CVV|Cvc|CVC|Ssn|SSN|Iban|IBAN))"""
    r"""((?![a-z])[-_ ]?\d?(?i:code|number|no)?\b\W{0,4}(?i:(?:is|was|code|number)\b\W{1,4}){0,2})"""
    r"""([A-Z]{2}[\d ]*\d|\d[\d -]*\d|\d)"""
)
"""Short words for secrets count when they stand alone, and with a number only: "pin 1234", not "pinned 12 items"."""
_LONG = re.compile(r"\b(?=[A-Za-z0-9_+/=.-]*\d)(?=[A-Za-z0-9_+/=.-]*[A-Za-z])[A-Za-z0-9_+/=.-]{24,}")
_CARD = re.compile(r"\b\d(?:[ -]?\d){12,18}\b")
_URL = re.compile(r"\bhttps?://[^\s\"'<>)]+")


@dataclass(frozen=True)
class Entry:
    """One line of a page's console or network log, already filtered."""

    tab: Page | None
    line: str
    filtered: bool


class Diagnostics:
    """Keeps filtered lines only: what is left out is never held in memory either."""

    def __init__(self, tabs: Tabs) -> None:
        self._console: deque[Entry] = deque(maxlen=KEPT)
        self._network: deque[Entry] = deque(maxlen=KEPT)
        self._seen = {"console": 0, "network": 0}
        self._context = context = tabs.context
        self._lately = (-FLOOD_SECS, 0)
        self._ended = False
        self._deaf: asyncio.TimerHandle | None = None
        self._listen()
        context.on("response", self._on_response)
        context.on("requestfailed", self._on_failed)

    def end(self) -> None:
        """Listen no more after a flood."""
        self._ended = True
        if self._deaf is not None:
            self._deaf.cancel()

    def _listen(self) -> None:
        self._deaf = None
        self._context.on("console", self._on_console)
        self._context.on("weberror", self._on_error)

    def _flooded(self, page: Page | None) -> None:
        """Playwright hands on only what somebody listens to."""
        loop = asyncio.get_running_loop()
        began, lines = self._lately
        if loop.time() - began > FLOOD_SECS:
            began, lines = loop.time(), 0
        self._lately = (began, lines + 1)
        if lines < FLOOD_LINES or self._deaf is not None or self._ended:
            return
        self._context.remove_listener("console", self._on_console)
        self._context.remove_listener("weberror", self._on_error)
        self._lately = (-FLOOD_SECS, 0)
        self._deaf = loop.call_later(DEAF_SECS, self._listen)
        self._keep("console", Entry(page, NOT_LISTENED, filtered=False))
        self._seen["console"] += KEPT  # nobody counts what was not taken in

    def read(self, tab: Tab, source: Literal["console", "network"], limit: int) -> BrowserReadV1:
        """The newest lines of one tab, oldest first."""
        kept = self._console if source == "console" else self._network
        own = [entry for entry in kept if entry.tab is tab.page]
        shown = own[-limit:]
        omitted: list[Literal["report_limit", "private"]] = []
        if len(shown) < len(own) or self._seen[source] > len(kept):
            omitted.append("report_limit")
        if any(entry.filtered for entry in shown):
            omitted.append("private")
        text = "\n".join(entry.line for entry in shown)
        return {"version": 1, "text": text, "elements": [], "omitted": [*omitted]}

    def _on_console(self, message: ConsoleMessage) -> None:
        text, filtered = without_secrets(message.text)
        place = message.location
        where = f" ({bare_url(place['url'])}:{place['lineNumber'] + 1})" if place["url"] else ""
        self._keep("console", Entry(message.page, f"[{message.type}] {text}{where}", filtered))
        self._flooded(message.page)

    def _on_error(self, error: WebError) -> None:
        text, filtered = without_secrets(str(error.error))
        self._keep("console", Entry(error.page, f"[uncaught] {text}", filtered))
        self._flooded(error.page)

    def _on_response(self, response: Response) -> None:
        self._note(response.request, str(response.status))

    def _on_failed(self, request: Request) -> None:
        code = re.search(r"ERR_[A-Z0-9_]+", request.failure or "")
        self._note(request, code[0] if code else "failed")

    def _note(self, request: Request, outcome: str) -> None:
        try:
            page: Page | None = request.frame.page
        except Error:
            return  # a worker's, or a page that is not there yet
        line = f"{request.method} {bare_url(request.url)} {outcome} {request.resource_type}"
        self._keep("network", Entry(page, line, "?" in request.url))

    def _keep(self, source: Literal["console", "network"], entry: Entry) -> None:
        (self._console if source == "console" else self._network).append(entry)
        self._seen[source] += 1


def bare_url(url: str) -> str:
    """An address without user, fragment and the values of its query; other schemes by name alone."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https", "ws", "wss"):
            return f"{parts.scheme}:"
        host = parts.netloc.rsplit("@", 1)[-1]
        names = "&".join(f"{name}=…" for name, _ in parse_qsl(parts.query, keep_blank_values=True)[:20])
    except ValueError:
        return "(unreadable address)"
    path = _LONG.sub("…", parts.path)[:200]
    return f"{parts.scheme}://{host}{path}" + (f"?{names[:200]}" if names else "")


def without_secrets(text: str) -> tuple[str, bool]:
    """A line of outside text with what looks like a secret left out, and whether anything was."""
    line = " ".join(text[: TEXT_CHARACTERS * 4].encode("utf-8", errors="replace").decode("utf-8").split())
    clean = _URL.sub(lambda match: bare_url(match[0]), line)
    clean = _PAIR.sub(lambda match: f"{match[1]}{match[2]}…", clean)
    clean = _CODE.sub(lambda match: f"{match[1]}{match[2]}…", clean)
    clean = _CARD.sub("…", _LONG.sub("…", clean))
    return clean[:TEXT_CHARACTERS], clean != line
