"""Commands of a person against points: where each holds, and that a hold uses the command up."""

import pytest

from app.clock import SystemClock
from app.core.breakpoint import BreakpointPlan, Point, Sight
from app.core.step import StepCommand
from app.gate.stepping import Stepper

TURN = [
    Point("request", "run", "/v1/responses"),
    Point("answer", "run", "r1"),
    Point("arguments", "browser", "click", {}, "call_1"),
    Point("approval", "browser", "click", {}, "call_1", "browser_action"),
    Point("action", "browser", "click", {}, "call_1"),
    Point("output", "browser", "click", {}, "call_1"),
    Point("arguments", "computer", "computer", [], "call_2", parts=2),
    Point("arguments", "computer", "click", {}, "call_2", part=1, parts=2),
    Point("action", "computer", "click", {}, "call_2", part=1),
    Point("arguments", "computer", "wait", {}, "call_2", part=2, parts=2),
    Point("request", "run", "/v1/responses"),
]


def holds(command: StepCommand, points: list[Point]) -> list[int]:
    """Where a run is held when the same command is given at the start and at each hold."""
    stepper = Stepper((), SystemClock())
    stepper.command(command)
    found = []
    for at, point in enumerate(points):
        if stepper.stops_at(point, Sight()).hold is not None:
            found.append(at)
            stepper.command(command)
    return found


@pytest.mark.parametrize(
    ("command", "where"),
    [
        ("run", []),
        ("pause", [0, 10]),
        ("step_turn", [0, 10]),
        ("step_call", [0, 2, 6, 10]),
        ("step_action", [0, 2, 6, 7, 9, 10]),
    ],
)
def test_where_each_command_holds(command: StepCommand, where: list[int]) -> None:
    assert holds(command, TURN) == where


def test_a_hold_uses_the_command_up() -> None:
    stepper = Stepper((), SystemClock())
    stepper.command("step_call")
    assert stepper.waits
    assert stepper.stops_at(TURN[0], Sight()).hold is not None
    assert not stepper.waits
    assert all(stepper.stops_at(point, Sight()).hold is None for point in TURN)


@pytest.mark.parametrize(("call_id", "at"), [("call_2", 6), ("call_9", 10)])
def test_run_to_here_holds_before_that_call_or_when_its_turn_is_over(call_id: str, at: int) -> None:
    stepper = Stepper((), SystemClock())
    stepper.run_to(call_id)
    held = [number for number, point in enumerate(TURN[1:], start=1) if stepper.stops_at(point, Sight()).hold]
    assert held == [at]


def test_a_breakpoint_holds_while_the_run_just_goes_on() -> None:
    stepper = Stepper([BreakpointPlan(stages=("output",))], SystemClock())
    held = [number for number, point in enumerate(TURN) if stepper.stops_at(point, Sight()).hold]
    assert held == [5]


def test_only_what_can_hold_is_looked_at() -> None:
    stepper = Stepper([BreakpointPlan(stages=("output",)), BreakpointPlan(tokens=5, enabled=False)], SystemClock())
    assert [stepper.looks_at("request"), stepper.looks_at("output")] == [False, True]
    stepper.switch("file 2", enabled=True)
    assert stepper.looks_at("request")
    stepper.switch("file 2", enabled=False)
    stepper.command("pause")
    assert stepper.looks_at("request")
