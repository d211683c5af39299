"""A real exception as it goes on record: its class, its words and what caused it, without keys."""

import re

from app.core.events import FailureSeen

MOST_CAUSES = 8
MOST_CHARS = 4000

KEY_LEFT_OUT = "[key left out]"
_KEYS = re.compile(
    r"(?i)\b(?:bearer|basic)\s+[a-z0-9._~+/=-]{8,}|\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][a-z0-9_*-]{8,}|\beyJ[a-z0-9_.-]{20,}"
)
"""What services put into their error messages: header values, API keys (also half blotted out), signed tokens."""


def failure_seen(where: str, error: BaseException, call_id: str | None = None) -> FailureSeen:
    """The event for `error`, which came up in `where`."""
    return FailureSeen(
        where=where,
        error=type(error).__name__,
        detail=without_keys(str(error)),
        call_id=call_id,
        causes=causes_of(error),
    )


def causes_of(error: BaseException) -> tuple[str, ...]:
    """What `error` was raised from or while handling, nearest first, each as ``Class: words``."""
    found: list[str] = []
    seen = {id(error)}
    at = _cause(error)
    while at is not None and id(at) not in seen and len(found) < MOST_CAUSES:
        seen.add(id(at))
        found.append(f"{type(at).__name__}: {without_keys(str(at))[:MOST_CHARS]}")
        at = _cause(at)
    return tuple(found)


def without_keys(text: str) -> str:
    """`text` without anything that looks like a key."""
    return _KEYS.sub(KEY_LEFT_OUT, text)


def _cause(error: BaseException) -> BaseException | None:
    if error.__cause__ is not None:
        return error.__cause__
    return None if error.__suppress_context__ else error.__context__
