"""Rules in order: each answers an ask in advance with allow, hold or deny. Where nothing matches, the ask is held."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.core.ask import Ask
from app.core.plan import RulePlan, RuleVerdict
from app.core.value import Json, canonical_json
from app.gate.url_policy import origin_of, read_address


@dataclass(frozen=True)
class RuleAnswer:
    """What a rule says, with its own text for the record."""

    verdict: RuleVerdict
    text: str
    name: str = "console"
    irreversible: bool = False


PRIVATE = "it leads to this machine or a private network, and the run file opens neither"

NOT_ANSWERED = RuleAnswer("hold", "", name="")
"""No rule says anything: the ask is held."""


class Rule(Protocol):
    """Anything that can answer an ask in advance; None when it does not apply."""

    def answer(self, ask: Ask) -> RuleAnswer | None:
        """The verdict for `ask`, or None. An exception counts as deny."""


class AddressRule:
    """Addresses that no person can sensibly clear: other schemes, credentials, hidden characters, and what lies in a
    network that the run file closes.
    """

    def __init__(self, *, allow_private: bool = True) -> None:
        """`allow_private`: whether this machine and private networks may be asked for at all."""
        self._allow_private = allow_private

    def answer(self, ask: Ask) -> RuleAnswer | None:
        """Deny an ask for such an address."""
        if ask.url is None:
            return None
        address = read_address(ask.url)
        refused = address.refused
        if refused is None and address.private and not self._allow_private:
            refused = PRIVATE
        return None if refused is None else RuleAnswer("deny", f"the address is not opened: {refused}")


class OwnDesktopRule:
    """Nobody's desktop is given away in advance: neither by a run file nor by what was allowed before."""

    def answer(self, ask: Ask) -> RuleAnswer | None:
        """Hold it for a person."""
        return RuleAnswer("hold", "a person confirms it") if ask.kind == "own_desktop" else None


class EndingScreenshotRule:
    """The picture that ends every computer call; the model did not ask for it and nothing changes by it."""

    only_allows = True

    def answer(self, ask: Ask) -> RuleAnswer | None:
        """Allow it."""
        if ask.kind == "computer_action" and ask.member == "screenshot":
            return RuleAnswer("allow", "a picture of the screen is taken without asking")
        return None


class PlannedRule:
    """A rule of the run file."""

    def __init__(self, plan: RulePlan, number: int = 1) -> None:
        """`number`: its place in the run file."""
        self._plan = plan
        self._name = f"file {number}"
        self._text = plan.text or plan.model_dump_json(exclude_defaults=True)

    def answer(self, ask: Ask) -> RuleAnswer | None:
        """Its verdict, where everything it names matches. What a person must look at is held instead of allowed."""
        plan = self._plan
        matches = (
            (not plan.kinds or ask.kind in plan.kinds)
            and (not plan.sources or ask.source in plan.sources)
            and (not plan.members or ask.member in plan.members)
            and (not plan.origins or rule_origin(ask) in plan.origins)
            and _has_arguments(ask.arguments, plan.arguments)
        )
        if not matches:
            return None
        if plan.verdict == "allow" and ask.unasked_site and not plan.origins:
            return RuleAnswer("hold", "the page led to a site that nobody allowed")
        if plan.verdict == "allow" and ask.url is not None and (odd := read_address(ask.url).odd):
            return RuleAnswer("hold", f"the address has {', '.join(odd)}")
        return RuleAnswer(plan.verdict, self._text, self._name, plan.irreversible)


class RuleBook:
    """All rules of a run, in order."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)

    @classmethod
    def of_plan(
        cls,
        plans: Sequence[RulePlan],
        *,
        ask_screenshots: bool = False,
        allow_private: bool = True,
        standing: Rule | None = None,
    ) -> "RuleBook":
        """What is never opened comes first, since no run file may loosen it; what is harmless comes last.

        `standing` is what a person allowed for the run; it answers only what the run file leaves open.
        """
        last: list[Rule] = [] if standing is None else [standing]
        last += [] if ask_screenshots else [EndingScreenshotRule()]
        first: list[Rule] = [AddressRule(allow_private=allow_private), OwnDesktopRule()]
        return cls([*first, *(PlannedRule(plan, at) for at, plan in enumerate(plans, start=1)), *last])

    def answer(self, ask: Ask, *, allowing: bool = True) -> RuleAnswer:
        """The first rule's word; hold when none has one. Whatever a rule raises comes out, and the gate denies.

        Not `allowing`: whatever would allow counts for nothing and is not counted; what denies or holds still does.
        """
        for rule in self._rules:
            if not allowing and getattr(rule, "only_allows", False):
                continue
            said = rule.answer(ask)
            if said is not None and (allowing or said.verdict != "allow"):
                return said
        return NOT_ANSWERED


def rule_origin(ask: Ask) -> str:
    """What a rule's `origins` are compared with: of the address asked for, else of the page acted on."""
    if ask.url is not None:
        return origin_of(ask.url)
    return ask.evidence.page.origin if ask.evidence.page is not None else ""


def _has_arguments(arguments: Json, wanted: dict[str, Json]) -> bool:
    if not wanted:
        return True
    return isinstance(arguments, dict) and all(
        name in arguments and canonical_json(arguments[name]) == canonical_json(value) for name, value in wanted.items()
    )
