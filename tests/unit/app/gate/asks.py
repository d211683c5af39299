"""Asks for the gate's tests."""

from typing import Any

from app.core.ask import Ask, AskKind, Source
from app.core.evidence import Evidence, Page
from app.core.value import call_digest


def ask(
    number: int = 1,
    *,
    kind: AskKind = "browser_action",
    source: Source = "browser",
    member: str = "click",
    arguments: Any = None,
    url: str | None = None,
    call_id: str | None = None,
    part: int = 1,
    page_origin: str = "",
) -> Ask:
    """An ask of that kind; everything else is filled in."""
    given = {"target": "e1"} if arguments is None else arguments
    page = Page(tab_id="one", url=f"{page_origin}/", origin=page_origin, title="") if page_origin else None
    return Ask(
        ask_id=f"a{number:04d}",
        kind=kind,
        source=source,
        call_id=call_id or f"call_{number}",
        turn=1,
        member=member,
        arguments=given,
        digest=call_digest(member, given),
        part=part,
        parts=max(1, part),
        url=url,
        evidence=Evidence(page=page),
    )


def navigation(url: str) -> Ask:
    """An ask for that address."""
    return ask(kind="navigation", member="navigate", arguments={"url": url, "tab_id": None}, url=url)
