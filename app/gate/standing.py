"""What a person allowed for the run: matched exactly, counted, timed, and taken back at once."""

import threading
from dataclasses import dataclass, replace

from app.core.ask import Ask
from app.core.evidence import Evidence
from app.core.ports import Clock
from app.core.scope import RunScope
from app.core.value import Json, canonical_json
from app.gate.rules import RuleAnswer

NANOS_PER_MINUTE = 60_000_000_000

_ON_A_TARGET = frozenset({"click", "hover", "type", "select_option", "set_checked", "scroll_to"})
_ON_A_PAGE = frozenset({"scroll"})
_PLACES = frozenset({"target", "tab_id"})
"""Arguments that name where; a scope says it by the element, its role, name and origin instead."""


def scope_of(ask: Ask) -> RunScope | None:
    """What "for this run" means for `ask`; None where it cannot be said exactly, or where nobody should say it.

    Never for scripts, code, files, servers' tools, places without a name, addresses, and what rules mark irreversible.
    """
    if ask.irreversible or ask.joined or ask.part != 1 or ask.parts != 1:
        return None
    if ask.kind == "function_call":
        return RunScope(kind=ask.kind, source=ask.source, member=ask.member, arguments=ask.arguments)
    page, target = ask.evidence.page, ask.evidence.target
    if page is None or not page.origin.startswith(("http://", "https://")):
        return None
    where = RunScope(kind=ask.kind, source=ask.source, member=ask.member, origin=page.origin, arguments=_rest(ask))
    if ask.kind == "protected_read" or (ask.kind == "browser_action" and ask.member in _ON_A_PAGE):
        return where
    if ask.kind != "browser_action" or ask.member not in _ON_A_TARGET or not _plain_target(ask.evidence):
        return None
    assert target is not None
    return where.model_copy(
        update={
            "role": target.role,
            "label": target.label,
            "frame_origin": target.frame_origin,
            "element": target.ref,
            "leads": target.leads,
            "row": target.row,
        }
    )


@dataclass(frozen=True)
class Standing:
    """One such rule."""

    number: int
    scope: RunScope
    since_ask: str
    until_ns: int
    uses_left: int
    document: str = ""
    """The page on which it was given; with another one it ends."""

    @property
    def text(self) -> str:
        """For the record: what it was given for and what is left of it."""
        return (
            f"allowed for this run with ask {self.since_ask}: {self.scope.member}, {self.uses_left} of "
            f"{self.scope.uses} uses left before this one"
        )


class StandingRules:
    """All of one run. Read and undone from the window's thread, used in the run's."""

    only_allows = True
    """Nothing is counted while *Hold all* is on."""

    def __init__(self, clock: Clock, *, made_before: int = 0) -> None:
        """`made_before`: how many were made in an earlier process of the run; none of them lives on."""
        self._clock = clock
        self._lock = threading.Lock()
        self._rules: dict[int, Standing] = {}
        self._made = made_before

    @property
    def in_force(self) -> list[Standing]:
        """Those that can still answer, oldest first."""
        now = self._clock.mono_ns()
        with self._lock:
            return [rule for rule in self._rules.values() if rule.until_ns > now and rule.uses_left > 0]

    def add(self, ask: Ask) -> None:
        """A person allowed `ask` for the run; it must have been offered to them."""
        if ask.scope is None:
            return
        until_ns = self._clock.mono_ns() + ask.scope.minutes * NANOS_PER_MINUTE
        with self._lock:
            self._made += 1
            self._rules[self._made] = Standing(
                self._made, ask.scope, ask.ask_id, until_ns, ask.scope.uses, _document(ask)
            )

    def undo(self, number: int) -> bool:
        """Take one back: the next such ask is put to a person. False when it had gone before."""
        with self._lock:
            return self._rules.pop(number, None) is not None

    def take_back(self, ask: Ask) -> None:
        """A fresh no wins over what was allowed before for the same, and for what bears the same name on that page."""
        scope = ask.scope or scope_of(ask)
        with self._lock:
            self._rules = {number: rule for number, rule in self._rules.items() if not _alike(rule.scope, scope)}

    def answer(self, ask: Ask) -> RuleAnswer | None:
        """Allow what one of them names, and count it."""
        scope = scope_of(ask)
        if scope is None:
            return None
        now, document = self._clock.mono_ns(), _document(ask)
        with self._lock:
            if document:
                left = {number for number, rule in self._rules.items() if rule.document not in ("", document)}
                self._rules = {number: rule for number, rule in self._rules.items() if number not in left}
            for number, rule in self._rules.items():
                if _same(rule.scope, scope) and rule.until_ns > now and rule.uses_left > 0:
                    self._rules[number] = replace(rule, uses_left=rule.uses_left - 1)
                    return RuleAnswer("allow", rule.text, name=f"run {number}")
        return None


def _document(ask: Ask) -> str:
    return ask.evidence.page.document if ask.evidence.page is not None and ask.kind != "function_call" else ""


def _same(one: RunScope, other: RunScope | None) -> bool:
    return other is not None and canonical_json(one.model_dump(mode="json")) == canonical_json(
        other.model_dump(mode="json")
    )


def _alike(one: RunScope, other: RunScope | None) -> bool:
    """The same, whichever of the elements of that name it is on."""
    anywhere = {"element": "", "leads": "", "row": ""}
    return other is not None and _same(one.model_copy(update=anywhere), other.model_copy(update=anywhere))


def _plain_target(evidence: Evidence) -> bool:
    target = evidence.target
    return (
        target is not None
        and evidence.aim == "element"
        and bool(target.label.strip())
        and target.visible
        and target.covered_by is None
    )


def _rest(ask: Ask) -> Json:
    given = ask.arguments
    return {name: value for name, value in given.items() if name not in _PLACES} if isinstance(given, dict) else given
