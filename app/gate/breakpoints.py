"""Breakpoints held against the points of a run: stepping and breakpoints are rules that say hold. No awaiting here."""

import json
import re
from dataclasses import dataclass, field

from app.core.breakpoint import BreakpointPlan, Point, Sight, condition_words
from app.core.events import DiagnosticReported, Event, PageChanged
from app.core.step import Step
from app.core.value import Json
from app.gate.url_policy import origin_of


@dataclass
class Breakpoint:
    """One breakpoint of a run and what it has seen so far. Used by whoever holds the stepper's lock."""

    name: str
    """As holds name it: ``file 2``, ``panel 1``."""
    plan: BreakpointPlan
    hits: int = 0
    """How often it has fitted, holds or not."""
    enabled: bool = True
    _happened: bool = False
    _was_there: bool = False
    """Whether its text was on the page at the last look."""
    _crossed: set[str] = field(default_factory=set)
    """Amounts that have been passed: each is passed once."""

    @property
    def words(self) -> str:
        """The author's own words, else what it looks for."""
        return self.plan.text or condition_words(self.plan)

    def saw(self, event: Event) -> None:
        """Something went on record; what it waits for is remembered until the next point."""
        plan = self.plan
        match event:
            case DiagnosticReported() if plan.diagnostic_stages or plan.diagnostic_reasons:
                at_stage = not plan.diagnostic_stages or event.stage in plan.diagnostic_stages
                for_reason = not plan.diagnostic_reasons or event.reason in plan.diagnostic_reasons
                self._happened = self._happened or (at_stage and for_reason)
            case PageChanged():
                self._happened = self._happened or event.kind in plan.page_changes
            case _:
                pass

    def fits(self, point: Point, sight: Sight) -> bool:
        """Whether it fits here; counts it. Of what it waits for, each occurrence fits once."""
        if not self.enabled:
            return False
        appeared = self._appeared(sight)
        plan, stages = self.plan, self.plan.looked_for_at
        if (stages and point.stage not in stages) or not _tells(plan, point, sight):
            return False
        if plan.happens and not self._happened:
            return False
        if plan.text_appears and not appeared:
            return False
        if not self._newly_crossed(sight):
            return False
        self._happened = False
        self.hits += 1
        return True

    @property
    def counts_now(self) -> bool:
        """Whether the fit that was just counted is one of those it is for."""
        return self.plan.nth is None or self.hits == self.plan.nth

    def step(self, point: Point) -> Step:
        """What goes on record with it."""
        return Step(
            stage=point.stage,
            held_by="breakpoint",
            breakpoint=self.name,
            text=self.words,
            hit=self.hits,
            logged=self.plan.log_only,
        )

    def _appeared(self, sight: Sight) -> bool:
        wanted = " ".join(self.plan.text_appears.split()).casefold()
        there = bool(wanted) and wanted in " ".join(sight.text.split()).casefold()
        self._was_there, before = there, self._was_there
        return there and not before

    def _newly_crossed(self, sight: Sight) -> bool:
        limits = {"tokens": (self.plan.tokens, sight.tokens), "secs": (self.plan.secs, sight.secs)}
        stated = {name for name, (limit, _) in limits.items() if limit is not None}
        passed = {name for name, (limit, now) in limits.items() if limit is not None and now >= limit}
        if not stated:
            return True
        if passed != stated or self._crossed == stated:
            return False
        self._crossed = stated
        return True


def _tells(plan: BreakpointPlan, point: Point, sight: Sight) -> bool:
    """Whether what the call, or the question, can be told by is as the breakpoint says."""
    return (
        (not plan.kinds or point.kind in plan.kinds)
        and (not plan.sources or point.source in plan.sources)
        and (not plan.members or point.member in plan.members)
        and all(_argument(point.arguments, name, pattern) for name, pattern in plan.arguments.items())
        and (not plan.urls or any(_address(pattern, _going_to(point, sight)) for pattern in plan.urls))
        and (not plan.origins or origin_of(_going_to(point, sight)) in plan.origins)
    )


def _argument(arguments: Json, name: str, pattern: str) -> bool:
    if not isinstance(arguments, dict) or name not in arguments:
        return False
    value = arguments[name]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return re.search(pattern, text) is not None


def _going_to(point: Point, sight: Sight) -> str:
    url = point.arguments.get("url") if isinstance(point.arguments, dict) and point.source != "run" else None
    return url if isinstance(url, str) and origin_of(url) else sight.url


def _address(pattern: str, url: str) -> bool:
    return re.fullmatch(".*".join(re.escape(part) for part in pattern.split("*")), url, re.DOTALL) is not None
