"""Rules tried on what was asked before: what would have been allowed, denied and asked. Decides nothing."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core.ask import Ask
from app.core.decision import Decision, Verdict
from app.core.events import AskRaised, DecisionMade, Recorded
from app.core.plan import RulePlan, RuleVerdict
from app.gate.rules import RuleBook, rule_origin

ENOUGH = 3
"""So many equal answers, and none other, before a rule is proposed from them."""


@dataclass(frozen=True)
class Tried:
    """One ask of a saved run under the rules that were tried."""

    run: str
    ask: Ask
    verdict: RuleVerdict
    """`hold`: it would have been asked."""
    rule: str
    """Which rule says so; empty where none does."""
    answered: Verdict | None
    """What a person or script answered then; None where nobody was asked or the run broke off."""

    @property
    def loosened(self) -> bool:
        """It would have been done unseen although somebody said no to it."""
        return self.verdict == "allow" and self.answered in ("deny", "stop")


@dataclass(frozen=True)
class Trial:
    """All asks of all runs that were tried, in order."""

    tried: tuple[Tried, ...]

    def counts(self) -> dict[RuleVerdict, int]:
        """How many would have been allowed, asked, denied."""
        found = Counter(one.verdict for one in self.tried)
        return {"allow": found["allow"], "hold": found["hold"], "deny": found["deny"]}

    def hits(self, rule: str) -> list[Tried]:
        """What one rule would have answered."""
        return [one for one in self.tried if one.rule == rule]

    @property
    def loosened(self) -> list[Tried]:
        """What somebody had said no to and the rules allow."""
        return [one for one in self.tried if one.loosened]


def try_rules(
    plans: Sequence[RulePlan],
    runs: Iterable[tuple[str, Iterable[Recorded]]],
    *,
    ask_screenshots: bool = False,
    allow_private: bool = True,
) -> Trial:
    """Put every ask of `runs`, pairs of a name and events, to the rules."""
    book = RuleBook.of_plan(plans, ask_screenshots=ask_screenshots, allow_private=allow_private)
    tried = []
    for name, events in runs:
        for ask, decision in asked(events):
            said = book.answer(ask)
            by_hand = decision is not None and decision.by in ("person", "scripted")
            answered = decision.verdict if decision is not None and by_hand else None
            tried.append(Tried(name, ask, said.verdict, said.name, answered))
    return Trial(tuple(tried))


def asked(events: Iterable[Recorded]) -> list[tuple[Ask, Decision | None]]:
    """Each ask of a run with its decision."""
    asks: dict[str, tuple[Ask, Decision | None]] = {}
    for recorded in events:
        event = recorded.event
        if isinstance(event, AskRaised) and event.ask.step is None:
            asks[event.ask.ask_id] = (event.ask, None)
        elif isinstance(event, DecisionMade) and event.decision.ask_id in asks:
            asks[event.decision.ask_id] = (asks[event.decision.ask_id][0], event.decision)
    return list(asks.values())


def proposed(runs: Iterable[tuple[str, Iterable[Recorded]]]) -> list[RulePlan]:
    """Rules that say what a person said each time, at least `ENOUGH` times; nothing switches them on.

    Only for one kind, member and origin together, and never for what has no origin.
    """
    answers: dict[tuple[str, str, str, str], Counter[str]] = {}
    for _, events in runs:
        for ask, decision in asked(events):
            origin = rule_origin(ask)
            if decision is None or decision.by != "person" or not origin or ask.irreversible:
                continue
            verdict = "allow" if decision.allowed else "deny"
            answers.setdefault((ask.kind, ask.source, ask.member, origin), Counter())[verdict] += 1
    rules = []
    for (kind, source, member, origin), counted in answers.items():
        ((said, times),) = counted.most_common(1)
        if len(counted) == 1 and times >= ENOUGH:
            made = {"verdict": said, "kinds": [kind], "sources": [source], "members": [member], "origins": [origin]}
            rules.append(RulePlan.model_validate({**made, "text": f"you said so {times} times of {times}"}))
    return rules
