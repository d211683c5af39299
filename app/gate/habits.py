"""Remembers what a person allowed last of each kind of question, so that the next one can say what is different."""

from collections import deque

from app.core.ask import Ask
from app.core.code_change import CODE_KINDS, CodeChange, code_change, code_of
from app.core.habit import MARKED_FROM, Differs, Habit
from app.core.value import Json, canonical_json

MINUTE_NANOS = 60_000_000_000
SHOWN_CHARS = 200

PLACES = frozenset({"target", "tab_id", "x", "y"})
"""Arguments that only say where; the element says it better."""


class Habits:
    """Of one run; used on its loop only."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str, str], tuple[Ask, int]] = {}
        self._answered: deque[int] = deque()
        self._code: dict[tuple[str, str, str], tuple[str, str]] = {}
        """Of each kind the newest code that a person allowed, with its ask's id; a denial takes nothing from it."""

    def of(self, ask: Ask, now_ns: int) -> Habit | None:
        """What a card for `ask` should say; None when there is nothing to say."""
        while self._answered and now_ns - self._answered[0] > MINUTE_NANOS:
            self._answered.popleft()
        last, alike = self._last.get(_kind(ask), (None, 0))
        differs = _differences(last, ask) if last is not None and alike >= MARKED_FROM else ()
        if not differs and not self._answered:
            return None
        return Habit(alike=alike, answered_in_last_minute=len(self._answered), differs=differs)

    def code_change(self, ask: Ask) -> CodeChange | None:
        """How its code differs from what a person allowed last; None where they allowed none."""
        code = code_of(ask.arguments) if ask.kind in CODE_KINDS else None
        known = self._code.get(_kind(ask))
        return code_change(*known, code) if known is not None and code is not None else None

    def allowed(self, ask: Ask, now_ns: int) -> None:
        """A person allowed it."""
        self._answered.append(now_ns)
        if ask.kind in CODE_KINDS and (code := code_of(ask.arguments)) is not None:
            self._code[_kind(ask)] = (ask.ask_id, code)
        last, alike = self._last.get(_kind(ask), (None, 0))
        unlike = last is None or bool(_differences(last, ask))
        self._last[_kind(ask)] = (ask, 1 if unlike else alike + 1)

    def denied(self, ask: Ask, now_ns: int) -> None:
        """A person said no: they are looking."""
        self._answered.append(now_ns)
        self._last.pop(_kind(ask), None)


def _kind(ask: Ask) -> tuple[str, str, str]:
    return ask.kind, ask.source, ask.member


def _differences(last: Ask, ask: Ask) -> tuple[Differs, ...]:
    found: list[Differs] = []
    was, page = last.evidence.page, ask.evidence.page
    if was is not None and page is not None and was.origin != page.origin:
        found.append(Differs(what="site", before=was.origin, now=page.origin))
    before, target = last.evidence.target, ask.evidence.target
    if before is not None and target is not None:
        if before.frame_origin != target.frame_origin:
            found.append(Differs(what="frame", before=before.frame_origin, now=target.frame_origin))
        if before.role != target.role:
            found.append(Differs(what="role", before=before.role, now=target.role))
        if before.label != target.label:
            found.append(Differs(what="element", before=_cut(before.label), now=_cut(target.label)))
    old, new = _plain(last.arguments), _plain(ask.arguments)
    found.extend(
        Differs(what="argument", name=name, before=_cut(old.get(name)), now=_cut(new.get(name)))
        for name in sorted({*old, *new} - PLACES)
        if old.get(name) != new.get(name)
    )
    return tuple(found)


def _plain(arguments: Json) -> dict[str, str]:
    given = arguments if isinstance(arguments, dict) else {"": arguments}
    return {name: canonical_json(value).decode("ascii") for name, value in given.items()}


def _cut(text: str | None) -> str:
    return (text or "")[:SHOWN_CHARS]
