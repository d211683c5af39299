"""A breakpoint as a run file or the panel states it, and a point of a run that it is held against."""

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from app.core.ask import AskKind, Source
from app.core.step import STAGE_WORDS, Stage
from app.core.value import Frozen, Json, Text
from app.core.web_address import Origin

DiagnosticStage = Literal["run", "request", "arguments", "approval", "action", "output", "selection", "verification"]
DiagnosticReason = Literal[
    "started", "completed", "refused", "cancelled", "invalid_input", "invalid_output", "api_failed", "driver_failed",
    "policy_failed", "step_limit", "busy", "closed",
]  # fmt: skip
PageChange = Literal[
    "tab_opened", "tab_closed", "tab_switched", "navigation", "navigation_refused", "dialog_dismissed", "download"
]


class BreakpointPlan(Frozen):
    """Where everything given fits, the run is held. What has happened meanwhile holds it at the next point."""

    text: Text = ""
    """In the author's words; shown and recorded with each hold."""
    stages: tuple[Stage, ...] = ()
    """Where it is looked for. Without it: at the approval with `kinds`, before a call with what a call can be told by,
    else anywhere."""
    kinds: tuple[AskKind, ...] = ()
    sources: tuple[Source, ...] = ()
    members: tuple[str, ...] = ()
    arguments: dict[str, str] = Field(default_factory=dict)
    """Regular expressions, by the argument's name, found anywhere in its value (JSON, where it is no text)."""
    urls: tuple[str, ...] = ()
    """Whole addresses, ``*`` for anything: of the address to be opened, else of the page in front."""
    origins: tuple[Origin, ...] = ()
    """Exact origins of the same."""
    diagnostic_stages: tuple[DiagnosticStage, ...] = ()
    diagnostic_reasons: tuple[DiagnosticReason, ...] = ()
    page_changes: tuple[PageChange, ...] = ()
    text_appears: str = ""
    """On the page in front, small and capital letters being one."""
    tokens: Annotated[int, Field(ge=1)] | None = None
    """So many tokens are spent."""
    secs: Annotated[float, Field(gt=0)] | None = None
    """So many seconds have passed since the run began."""
    nth: Annotated[int, Field(ge=1)] | None = None
    """Only the n-th time that it fits."""
    log_only: bool = False
    """Note it on record and go on."""
    enabled: bool = True

    @field_validator("arguments")
    @classmethod
    def _patterns(cls, patterns: dict[str, str]) -> dict[str, str]:
        for name, pattern in patterns.items():
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"the pattern for {name!r} is no regular expression: {error}") from error
        return patterns

    @model_validator(mode="after")
    def _something(self) -> "BreakpointPlan":
        if not (self.stages or self.at_a_call or self.kinds or self.waits_for_something):
            raise ValueError("say what it is to break on")
        return self

    @property
    def at_a_call(self) -> bool:
        """Whether it names something that a call can be told by."""
        return bool(self.sources or self.members or self.arguments or self.urls or self.origins)

    @property
    def happens(self) -> bool:
        """Whether it waits for a diagnostic or a change of the page."""
        return bool(self.diagnostic_stages or self.diagnostic_reasons or self.page_changes)

    @property
    def waits_for_something(self) -> bool:
        """Whether it waits for something that no point shows by itself."""
        return bool(self.happens or self.text_appears) or self.tokens is not None or self.secs is not None

    @property
    def looked_for_at(self) -> tuple[Stage, ...]:
        """The stages at which it can hold; empty for all of them."""
        if self.stages:
            return self.stages
        if self.kinds:
            return ("approval",)
        return ("arguments",) if self.at_a_call else ()


@dataclass(frozen=True)
class Point:
    """A place that a run has come to. Nothing of what follows it has happened."""

    stage: Stage
    source: Source = "run"
    member: str = ""
    arguments: Json = field(default_factory=dict)
    call_id: str = ""
    kind: AskKind | None = None
    """At an approval: the question about to be raised."""
    part: int = 0
    """Of a computer batch, from 1; 0 for the call itself."""
    parts: int = 1

    @property
    def begins_call(self) -> bool:
        """Whether a call is about to begin."""
        return self.stage == "arguments" and self.part == 0


@dataclass(frozen=True)
class Sight:
    """What the page and the run show at a point, as far as a breakpoint wants to know."""

    url: str = ""
    text: str = ""
    tokens: int = 0
    secs: float = 0.0


def condition_words(plan: BreakpointPlan) -> str:
    """What it looks for, for people: ``member click · argument text ~ Ada``. Holds words of the run file's author."""
    parts = [
        *(STAGE_WORDS[stage] for stage in plan.stages),
        *(f"question {kind.replace('_', ' ')}" for kind in plan.kinds),
        *(f"tool {source}" for source in plan.sources),
        *(f"member {member}" for member in plan.members),
        *(f"argument {name} ~ {pattern}" for name, pattern in plan.arguments.items()),
        *(f"address {url}" for url in plan.urls),
        *(f"site {origin}" for origin in plan.origins),
        *(f"diagnostic stage {stage}" for stage in plan.diagnostic_stages),
        *(f"diagnostic reason {reason.replace('_', ' ')}" for reason in plan.diagnostic_reasons),
        *(f"page: {change.replace('_', ' ')}" for change in plan.page_changes),
    ]
    if plan.text_appears:
        parts.append(f"text appears: {plan.text_appears}")
    if plan.tokens is not None:
        parts.append(f"{plan.tokens:,} tokens spent")
    if plan.secs is not None:
        parts.append(f"{plan.secs:g} s passed")
    if plan.nth is not None:
        parts.append(f"time {plan.nth} only")
    return " · ".join(parts)
