"""The journal of what happened to tabs, in the SDK's observation form, and the addresses that a state may show."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Any, Literal
from urllib.parse import urlsplit

ChangeKind = Literal[
    "tab_opened", "tab_closed", "tab_switched", "navigation", "navigation_refused", "dialog_dismissed", "download"
]
DialogKind = Literal["alert", "confirm", "prompt", "beforeunload", "other"]

WINDOW = 256
"""Changes listed at most; older ones are counted in ``dropped_changes``."""

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


@dataclass(frozen=True)
class PageChange:
    """One change as it happened, with the words that only operators may see."""

    kind: ChangeKind
    tab_id: str | None
    detail: str = ""
    """The SDK's own code: a refusal's reason, a dialog's kind, a download's status."""
    url: str = ""
    text: str = ""
    """A dialog's message, a download's suggested name. Outside text: quote it, never trust it."""
    sequence: int = 0


class Journal:
    """Append-only; the n-th change ever recorded has sequence n, whatever the window still lists."""

    def __init__(self, window: int = WINDOW) -> None:
        self._changes: deque[dict[str, Any]] = deque(maxlen=window)
        self.sequence = 0
        self.on_change: Callable[[PageChange], None] | None = None
        """Told of each change at once, on the session's loop; it must not raise."""

    def record(self, change: PageChange) -> None:
        """Add one change; its sequence number is given here."""
        self.sequence += 1
        listed: dict[str, Any] = {"type": change.kind, "sequence": self.sequence, "tab_id": change.tab_id}
        code = {"navigation_refused": "reason", "dialog_dismissed": "kind", "download": "status"}.get(change.kind)
        if code is not None:
            listed[code] = change.detail
        self._changes.append(listed)
        if self.on_change is not None:
            self.on_change(replace(change, sequence=self.sequence))

    def observation(self) -> dict[str, Any]:
        """The SDK's observation, version 1; the listed changes are copies."""
        changes = [dict(change) for change in self._changes]
        return {
            "version": 1,
            "sequence": self.sequence,
            "dropped_changes": self.sequence - len(changes),
            "title_truncated": False,
            "changes": changes,
        }


def shown_url(url: str) -> str:
    """The origin of an address that a state may show, else ``about:blank``.

    The SDK ends a run whose state holds any other address (a failed load, ``file:``, ``data:``, a host it cannot
    parse), so whatever is not plainly an http(s) origin is shown as a blank page.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "about:blank"
    if parts.scheme not in ("http", "https") or not host or not _plain_host(host):
        return "about:blank"
    shown_host = f"[{IPv6Address(host).compressed}]" if ":" in host else host
    standard = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{shown_host}" + ("" if port in (None, standard) else f":{port}")


def _plain_host(host: str) -> bool:
    if not host.isascii() or "%" in host:
        return False
    try:
        if ":" in host:
            IPv6Address(host)
            return True
        labels = host.removesuffix(".").split(".")
        if re.fullmatch(r"[0-9]+|0x[0-9a-f]*", labels[-1]):
            return str(IPv4Address(host)) == host
    except AddressValueError:
        return False
    return len(host) <= 253 and all(_LABEL.fullmatch(label) for label in labels)
