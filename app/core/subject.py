"""What one action is about, for people: a candidate's own words, or an element's role and name. Outside text."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.core.ask import Ask
from app.core.events import PageRead, ProposedCall
from app.core.offer import Offer
from app.core.value import Json

MOST_CHARS = 200


def asked_about(ask: Ask) -> str:
    """What a question is about; empty where it names nothing."""
    if ask.offer is not None:
        return ask.offer.words_for(ask.offer.chosen)[:MOST_CHARS]
    target = ask.evidence.target
    if target is not None:
        return _named(target.role, target.label)
    return ask.url[:MOST_CHARS] if ask.url is not None else _address(ask.arguments)


def proposed_about(call: ProposedCall, items: Json, offer: Offer | None, read: PageRead | None) -> str:
    """What a call is about that nobody has asked about: as it was offered, or as the page was read before it."""
    if call.source == "decisions":
        return offer.words_for(_choice(items))[:MOST_CHARS] if offer is not None else ""
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    ref, report = arguments.get("target"), read.report if read is not None else None
    elements = report.get("elements") if isinstance(report, dict) else None
    for element in elements if isinstance(elements, list) and isinstance(ref, str) else ():
        if isinstance(element, dict) and element.get("ref") == ref:
            return _named(str(element.get("role", "")), str(element.get("label", "")))
    return _address(arguments)


def _named(role: str, label: str) -> str:
    return f"{role[:MOST_CHARS]} “{label[:MOST_CHARS]}”" if label else role[:MOST_CHARS]


def _address(arguments: Json) -> str:
    url = arguments.get("url") if isinstance(arguments, dict) else None
    return url[:MOST_CHARS] if isinstance(url, str) else ""


def _choice(items: Json) -> str:
    """The candidate that an answer of the Decisions API names."""
    first: Any = items[0] if isinstance(items, Sequence) and not isinstance(items, str) and items else None
    choice = first.get("choice") if isinstance(first, Mapping) else None
    return choice if isinstance(choice, str) else ""
