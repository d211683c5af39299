"""Ties the SDK's two toolsets of a run around the gate, the record and the drivers; the same for every engine."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.core.errors import NotDurable, UsageProblem
from app.core.events import PageChanged
from app.core.live import LatestFrame
from app.core.plan import BrowserPlan
from app.core.ports import Journal
from app.gate.control import Control
from app.runner.asking import Asking, Turns
from app.runner.browser import BrowserCalls, ConsoleBrowser, members_of
from app.runner.computer import ComputerCalls, ConsoleComputer
from app.runner.effects import Effects
from app.runner.hands import TOLD_MODEL
from app.runner.holding import Holding
from app.runner.opened import Opened
from app.runner.outputs import OutputRecorder
from app.runner.screen import Screen

log = logging.getLogger(__name__)

UNFITTING = "the tools of this run do not fit together"


@dataclass(frozen=True)
class Tied:
    """What asks, acts and records in a run, and its toolsets; those that the run does not have are None."""

    asking: Asking
    effects: Effects
    outputs: OutputRecorder
    browser: ConsoleBrowser | None
    computer: ConsoleComputer | None
    computer_calls: ComputerCalls | None


def tie(opened: Opened, turns: Turns) -> Tied:
    """Everything around the gate. Raises `UsageProblem` when driver and plan do not fit."""
    plan, journal, gate, environment = opened.plan, opened.journal, opened.gate, opened.environment
    ports, holding = opened.ports, opened.holding
    asking = Asking(gate, turns, holding)
    driver = environment.browser
    desktop = screen_of(environment.desktop, opened, opened.frames)
    # What is shown live is the desktop, where there is one, and no picture of the page.
    screen = screen_of(driver, opened, LatestFrame() if desktop else opened.frames)
    live = desktop or screen
    effects = Effects(journal, gate, ports.clock, live.after if live else lambda _since: None, holding)
    gate.control.uncertain = lambda: effects.uncertain
    gate.control.on_returned.append(lambda: asking.notes.append(TOLD_MODEL))
    viewport = plan.browser.viewport if plan.browser else (0, 0)
    outputs = OutputRecorder(journal, driver, viewport)
    browser = computer = computer_calls = None
    try:
        if driver is not None and screen is not None and plan.browser is not None:
            browser = _browser(plan.browser, driver, asking, effects, screen, outputs, holding)
        if environment.computer is not None and live is not None:
            computer_calls = ComputerCalls(asking, effects, live, holding)
            shown = OutputRecorder(journal, None, (0, 0)) if desktop else outputs
            computer = ConsoleComputer(environment.computer, computer_calls, effects, shown)
    except (ValueError, AttributeError) as error:
        raise UsageProblem(f"{UNFITTING}: {error}") from error
    return Tied(asking, effects, outputs, browser, computer, computer_calls)


def screen_of(driver: Any, opened: Opened, frames: LatestFrame) -> Screen | None:
    """What that driver shows, its changes on record; None without a driver."""
    if driver is None:
        return None
    screen = Screen(driver, frames, opened.ports.clock, always_fresh=not opened.ports.started.unattended)
    driver.on_change = change_recorder(opened.journal, screen, opened.gate.control)
    return screen


def _browser(
    plan: BrowserPlan,
    driver: Any,
    asking: Asking,
    effects: Effects,
    screen: Screen,
    outputs: OutputRecorder,
    holding: Holding,
) -> ConsoleBrowser:
    members = members_of(driver, plan.members, plan.additional_members)
    calls = BrowserCalls(asking, effects, screen, outputs, holding)
    return ConsoleBrowser(driver, calls, effects, outputs, members, plan.confirm_reads)


def change_recorder(journal: Journal, screen: Screen, control: Control) -> Callable[[Any], None]:
    """What a driver calls when a page does something; it never raises."""

    def record(change: Any) -> None:
        screen.happened(change.kind)
        try:
            # An address that a secret led to may hold it.
            detail = _words(change) if control.recording else ""
            journal.append(PageChanged(kind=change.kind, tab_id=change.tab_id, detail=detail))
        except NotDurable:
            # The driver must not be broken by it. The run ends by it, and says so in words.
            log.info("a change of the page could not be recorded")

    return record


def _words(change: Any) -> str:
    return " · ".join(part for part in (change.detail, change.url, change.text) if part)
