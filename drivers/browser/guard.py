"""Where a browser may go: the question put before each request leaves, and the part that puts it for each page."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from playwright.async_api import CDPSession, Error, Frame, Request

from drivers.browser.observation import PageChange
from drivers.browser.world import ANSWER_SECS, WorldGone, send
from drivers.errors import BrowserError

if TYPE_CHECKING:
    from drivers.browser.proxy import Proxy
    from drivers.browser.tabs import Tab, Tabs

log = logging.getLogger(__name__)

Refusal = Literal["policy", "unsupported"]
KEPT_HOPS = 2048


@dataclass(frozen=True)
class GuardRequest:
    """One request about to leave, or one hop of a redirect."""

    url: str
    method: str
    kind: str
    """"document", "script", "image", "fetch", … or "connection": any bytes at all to an origin (path unknown)."""
    tab_id: str | None
    main_document: bool
    """True when the answer would become what a tab shows."""
    hop: int
    """0 for the first request, n for its n-th redirect."""


@dataclass(frozen=True)
class GuardVerdict:
    """Allow, or refuse with the code the model is told."""

    allow: bool
    reason: Refusal = "policy"

    def __post_init__(self) -> None:
        """Any other code would spoil every later report of the browser's state."""
        if self.reason not in get_args(Refusal):
            raise ValueError(f"A guard refuses with one of {get_args(Refusal)}, not with {self.reason!r}.")


Guard: TypeAlias = Callable[[GuardRequest], GuardVerdict]
ALLOW = GuardVerdict(allow=True)


def judged(guard: Guard, asked: GuardRequest) -> GuardVerdict:
    """The guard's answer; one that fails, or gives anything but a verdict, refuses."""
    try:
        verdict = guard(asked)
        if not isinstance(verdict, GuardVerdict):
            raise TypeError("a guard answers with a verdict")
    except Exception as error:  # noqa: BLE001 - a guard that fails refuses
        log.error("the request guard failed: %s", type(error).__name__)
        return GuardVerdict(allow=False)
    return verdict


class Gatekeeper:
    """Asks the guard for each request of each page and frame, each hop of a redirect included.

    What leaves a page before this part is attached to it (a popup's first request), and what pages do not send
    themselves (workers, sockets), is judged by the proxy alone, which knows the origin.
    """

    def __init__(self, guard: Guard, tabs: Tabs, proxy: Proxy) -> None:
        self._guard = guard
        self._tabs = tabs
        self._proxy = proxy
        self._hops: OrderedDict[str, int] = OrderedDict()
        self._watched: set[CDPSession] = set()
        tabs.prepare.append(self.attach)
        tabs.context.on("requestfailed", self._failed)

    async def attach(self, tab: Tab, session: CDPSession) -> None:
        """Hold every request of a page until the guard has answered."""
        tab.page.on("framenavigated", lambda frame: self._frame(tab, frame))
        await self._watch(tab, session)

    async def _watch(self, tab: Tab, session: CDPSession) -> None:
        if session in self._watched:
            return
        self._watched.add(session)
        session.on("Fetch.requestPaused", lambda event: self._paused(tab, session, event))
        await send(session, "Fetch.enable", {"patterns": [{"urlPattern": "*"}]}, secs=ANSWER_SECS)

    def _frame(self, tab: Tab, frame: Frame) -> None:
        if frame.parent_frame is not None and not tab.closed:
            self._tabs.spawn(self._watch_frame(tab, frame), "guard a frame")

    async def _watch_frame(self, tab: Tab, frame: Frame) -> None:
        try:
            session = await tab.own_session(frame)
            if session is not None:
                await self._watch(tab, session)
        except (Error, WorldGone, BrowserError):
            log.debug("a frame was gone before it was guarded")

    def _paused(self, tab: Tab, session: CDPSession, event: dict[str, Any]) -> None:
        request, network = event["request"], str(event.get("networkId", event["requestId"]))
        hop = self._hops.get(network, -1) + 1
        self._hops[network] = hop
        while len(self._hops) > KEPT_HOPS:
            self._hops.popitem(last=False)
        document = event["resourceType"] == "Document"
        main = document and event["frameId"] == tab.target_id
        url = str(request["url"])
        kind, method = str(event["resourceType"]).lower(), str(request["method"])
        asked = GuardRequest(url=url, method=method, kind=kind, tab_id=tab.id, main_document=main, hop=hop)
        verdict = judged(self._guard, asked)
        answer: dict[str, Any] = {"requestId": event["requestId"]}
        if verdict.allow is True:
            self._tabs.spawn(self._tell(session, "Fetch.continueRequest", answer), "let a request go")
            return
        if document:
            self._refuse(tab, url, verdict.reason, main=main, hop=hop)
        # A document that is not allowed leaves what was there; anything else fails like a blocked resource.
        answer["errorReason"] = "Aborted" if document else "BlockedByClient"
        self._tabs.spawn(self._tell(session, "Fetch.failRequest", answer), "refuse a request")

    def _refuse(self, tab: Tab | None, url: str, reason: Refusal, *, main: bool, hop: int) -> None:
        if main and tab is not None:
            tab.refused = "later" if hop else "first"
        self._tabs.journal.record(
            PageChange("navigation_refused", tab.id if tab is not None else None, reason, url=url)
        )

    def _failed(self, request: Request) -> None:
        """A document that only the proxy could stop: a popup's first request leaves before anyone can attach to it."""
        where = origin_of(request.url)
        if not request.is_navigation_request() or where is None or not self._proxy.was_refused(*where):
            return
        try:
            page = request.frame.page
        except Error:
            page = None  # the page is not there yet
        tab = next((tab for tab in self._tabs.all if tab.page is page), None)
        if tab is None or tab.refused is None:
            self._refuse(tab, request.url, "policy", main=True, hop=1)

    async def _tell(self, session: CDPSession, method: str, params: dict[str, Any]) -> None:
        try:
            await send(session, method, params, secs=ANSWER_SECS)
        except (Error, WorldGone, BrowserError):
            log.debug("a request was gone before its verdict")


def origin_of(url: str) -> tuple[str, int] | None:
    """Host and port of an http(s) address."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname and port else None
