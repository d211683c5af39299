"""Each kind of breakpoint against points of a run: what fits, how often, and what only logs."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.core.breakpoint import BreakpointPlan, Point, Sight
from app.core.events import DiagnosticReported, PageChanged, Recorded, RunStarted, TurnAnswered
from app.core.ports import Clock
from app.core.step import Step
from app.gate.stepping import Stepper

CLICK = Point("arguments", "browser", "click", {"target": "e4", "tab_id": None}, "call_1")
TYPE = Point("arguments", "browser", "type", {"text": "Ada Park", "target": "e1"}, "call_2")
GO = Point("arguments", "browser", "navigate", {"url": "https://shop.example/pay?x=1"}, "call_3")
REQUEST = Point("request", "run", "/v1/responses", {"model": "m"})
HERE = Sight(url="https://shop.example/cart", text="Your  cart is\nEMPTY")


class Hand(Clock):
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.secs = 0.0

    def wall_ms(self) -> int:
        return 0

    def mono_ns(self) -> int:
        return int(self.secs * 1e9)


def stepper(**given: Any) -> Stepper:
    return Stepper([BreakpointPlan.model_validate(given)], Hand())


def held(one: Stepper, point: Point, sight: Sight = HERE) -> Step | None:
    return one.stops_at(point, sight).hold


@pytest.mark.parametrize(
    ("given", "fits", "passes"),
    [
        ({"members": ["click"]}, CLICK, TYPE),
        ({"sources": ["computer"]}, Point("arguments", "computer", "computer", []), CLICK),
        ({"arguments": {"text": "^Ada"}}, TYPE, CLICK),
        ({"arguments": {"tab_id": "null"}}, CLICK, TYPE),
        ({"urls": ["https://shop.example/pay*"]}, GO, CLICK),
        ({"urls": ["*/cart"]}, CLICK, GO),
        ({"origins": ["https://shop.example"]}, CLICK, Point("action", "browser", "click")),
        ({"kinds": ["navigation"]}, Point("approval", "browser", "navigate", {}, kind="navigation"), GO),
        ({"stages": ["request"]}, REQUEST, CLICK),
        ({"stages": ["output"], "members": ["click"]}, Point("output", "browser", "click"), CLICK),
    ],
)
def test_what_a_point_can_be_told_by(given: dict[str, Any], fits: Point, passes: Point) -> None:
    one = stepper(**given)
    assert held(one, passes) is None
    step = held(one, fits)
    assert step is not None
    assert (step.held_by, step.breakpoint, step.hit, step.stage) == ("breakpoint", "file 1", 1, fits.stage)


def recorded(seq: int, event: Any) -> Recorded:
    return Recorded(seq, 0, 0, event)


def test_a_diagnostic_holds_at_the_next_point_and_once() -> None:
    one = stepper(diagnostic_stages=["action"], diagnostic_reasons=["driver_failed"])
    one.saw(recorded(1, DiagnosticReported(api="browser", stage="action", reason="completed")))
    assert held(one, CLICK) is None
    one.saw(recorded(2, DiagnosticReported(api="browser", stage="action", reason="driver_failed")))
    assert held(one, REQUEST) is not None
    assert held(one, CLICK) is None


def test_a_change_of_the_page_waits_for_the_point_it_is_asked_at() -> None:
    one = stepper(page_changes=["navigation"], members=["click"])
    one.saw(recorded(1, PageChanged(kind="navigation", tab_id="t")))
    assert held(one, TYPE) is None
    assert held(one, CLICK) is not None
    assert held(one, CLICK) is None


def test_text_holds_when_it_appears_and_again_when_it_comes_back() -> None:
    one = stepper(text_appears="cart is empty")
    assert [
        held(one, CLICK, Sight(text=text)) is not None for text in ("", HERE.text, HERE.text, "full", HERE.text)
    ] == [
        False,
        True,
        False,
        False,
        True,
    ]


def test_tokens_and_seconds_are_passed_once() -> None:
    clock = Hand()
    plans = [BreakpointPlan(tokens=100), BreakpointPlan(secs=5)]
    one = Stepper(plans, clock)
    one.saw(recorded(1, _header()))
    assert held(one, CLICK) is None
    one.saw(recorded(2, _answered(60)))
    assert held(one, CLICK) is None
    one.saw(recorded(3, _answered(60)))
    step = held(one, CLICK)
    assert step is not None
    assert step.breakpoint == "file 1"
    assert held(one, CLICK) is None
    clock.secs = 5.5
    step = held(one, CLICK)
    assert step is not None
    assert step.breakpoint == "file 2"
    assert held(one, CLICK) is None


def test_the_nth_time_only() -> None:
    one = stepper(members=["click"], nth=2)
    assert [held(one, CLICK) is not None for _ in range(4)] == [False, True, False, False]
    assert one.breakpoints[0].hits == 4


def test_one_that_logs_notes_and_holds_nothing() -> None:
    one = stepper(members=["click"], log_only=True, text="a press")
    stops = one.stops_at(CLICK, HERE)
    assert stops.hold is None
    (noted,) = stops.noted
    assert (noted.logged, noted.text, noted.hit) == (True, "a press", 1)


def test_one_that_is_off_or_removed_does_not_even_count() -> None:
    one = stepper(members=["click"], enabled=False)
    assert one.idle
    assert held(one, CLICK) is None
    assert one.breakpoints[0].hits == 0
    one.switch("file 1", enabled=True)
    assert held(one, CLICK) is not None
    one.remove("file 1")
    assert held(one, CLICK) is None
    assert one.add(BreakpointPlan(members=("type",))) == "panel 1"
    assert held(one, TYPE) is not None


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"nth": 3},
        {"arguments": {"text": "("}},
        {"page_changes": ["weather"]},
        {"tokens": 0},
        {"members": ["a"], "x": 1},
    ],
)
def test_what_is_no_breakpoint_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        BreakpointPlan.model_validate(given)


def _answered(tokens: int) -> TurnAnswered:
    return TurnAnswered(turn=1, response_id="r", calls=(), messages=(), final=False, total_tokens=tokens)


def _header() -> RunStarted:
    return RunStarted(
        run_id="r", task="t", model="m", engine="responses", max_steps=1, provenance="demo", unattended=True, plan={},
        versions={},
    )  # fmt: skip
