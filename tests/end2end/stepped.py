"""A person who steps through a run: waits for holds and cards, presses the debugger's keys and buttons."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.ask import Ask
from app.core.breakpoint import BreakpointPlan
from app.core.plan import RunPlan
from app.views.debugger.debug_bar import DebugBar
from tests.helpers.pilot import Pilot

FIRST_REQUEST = BreakpointPlan(stages=("request",), nth=1)


def held_at_first(plan: RunPlan, *more: BreakpointPlan) -> RunPlan:
    """The plan with a hold before its first request, and `more` breakpoints."""
    return plan.model_copy(update={"breakpoints": (FIRST_REQUEST, *more)})


def bar(pilot: Pilot) -> DebugBar:
    """The debugger's bar of the window."""
    assert pilot.window.debug_bar is not None
    return pilot.window.debug_bar


async def next_hold(pilot: Pilot) -> Ask | None:
    """Allow every card until the run is held; None when it has ended."""
    while True:
        await pilot.until(
            lambda: pilot.card() is not None or bar(pilot).ask is not None or pilot.ended(), "a hold, a card or the end"
        )
        if (card := pilot.card()) is not None:
            await pilot.press(card, "allow")
            continue
        held = bar(pilot).ask
        if held is not None:
            assert bar(pilot).isVisible()
            assert bar(pilot).words.text().startswith("Held ")
        return held


async def key(
    pilot: Pilot, key_pressed: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """Press a key of the window, once it has the keyboard."""
    # A card that has closed must have gone before the window's keys work again.
    await pilot.until(lambda: pilot.card() is None, "no card")
    pilot.window.activateWindow()
    await pilot.until(pilot.window.isActiveWindow, "the window with the keyboard")
    before = bar(pilot).ask
    QTest.keyClick(pilot.window, key_pressed, modifier)
    assert bar(pilot).ask is not before or before is None, "the key went on from the hold"


def click(pilot: Pilot, name: str) -> None:
    """Click one of the debugger's buttons."""
    button = bar(pilot).buttons[name]
    assert button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
