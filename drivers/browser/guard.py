"""The question put before each request leaves the browser, and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Refusal = Literal["policy", "unsupported"]


@dataclass(frozen=True)
class GuardRequest:
    """One request about to leave, or one hop of a redirect."""

    url: str
    method: str
    kind: str
    """Playwright's resource types: document, stylesheet, image, script, xhr, fetch, websocket, …"""
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


ALLOW = GuardVerdict(allow=True)
