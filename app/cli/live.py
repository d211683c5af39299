"""The windows on a live run: ``signalbox demo`` and ``signalbox run`` with a person at the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.window import in_window, settings_file

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Callable
    from pathlib import Path

    from app.cli.notices import Notices
    from app.core.plan import RunPlan
    from app.gate.inbox import AskInbox
    from app.runner.session import Session
    from app.runner.session_ports import ModelService
    from app.views.window import ConsoleWindow

    MakeSession = Callable[[AskInbox, contextlib.ExitStack], Session]
    """Builds the session in a worker thread; what must be closed after the run goes onto the stack."""


DEFAULT_SCENARIO = "booking"


def demo_in_window(scenario_name: str = DEFAULT_SCENARIO, *, home: Path | None) -> int:
    """The demo with a person at the window; by itself where there is no display."""
    from app.display import is_chosen, why_no_window

    if scenario_name != DEFAULT_SCENARIO:
        _must_be_known(scenario_name)
    if not is_chosen() and (reason := why_no_window()):
        from app import log
        from app.cli.headless import demo_without_display

        log.set_up(home)
        return demo_without_display(scenario_name, reason, home=home)

    def make(inbox: AskInbox, stack: contextlib.ExitStack) -> Session:
        from app.cli import demo

        served = stack.enter_context(demo.rehearsal(scenario_name))
        return demo.demo_session(served, home=home, inbox=inbox, unattended=False)

    return live_window(make, home=home)


def _must_be_known(scenario_name: str) -> None:
    """Refuse a name that is none before a window opens; what checks a whole scenario takes longer to load."""
    from app.paths import resource

    try:
        resource(f"scenarios/{scenario_name}.toml")
    except (FileNotFoundError, ValueError):
        from app.rehearsal.scenario import load_scenario

        load_scenario(scenario_name)


def run_in_window(plan: RunPlan, service: ModelService, *, home: Path | None) -> int:
    """A run of the user's own."""
    return live_window(make_own(plan, service, home=home), home=home)


def make_own(plan: RunPlan, service: ModelService, *, home: Path | None) -> MakeSession:
    """What builds the session of a run of the user's own."""

    def make(inbox: AskInbox, stack: contextlib.ExitStack) -> Session:
        from app.wiring import make_session

        return make_session(plan, home=home, inbox=inbox, service=service, provenance="live", unattended=False)

    return make


def live_window(make: MakeSession, *, home: Path | None) -> int:
    """Show a window, start the run in it, and return the run's exit code once the window has closed."""

    async def main(window: ConsoleWindow) -> int:
        return await live_run(make, window, home=home)

    return in_window(main, home)


async def live_run(
    make: MakeSession, window: ConsoleWindow, *, home: Path | None, notices: Notices | None = None
) -> int:
    """Start the run in `window`, and return its exit code once the window has closed and the run has ended.

    What `notices` says stands above the stage.
    """
    import asyncio
    import contextlib

    from app.cli.ending import report
    from app.core.timeline import Timeline
    from app.gate.inbox import AskInbox
    from app.views.application import open_live_window

    inbox = AskInbox()
    with contextlib.ExitStack() as stack:
        session = await asyncio.to_thread(make, inbox, stack)
        timeline = Timeline()
        session.subscribe(timeline.apply)
        if window.is_closed:
            # Closed before there was a run to show: it ends before it does anything, and is on record as that.
            session.request_stop("window_closed")
        else:
            open_live_window(session, inbox, settings_path=settings_file(home), window=window)
        if notices is not None:
            _stand_above_the_stage(notices, window)
        await asyncio.to_thread(session.start)
        await window.wait_closed()
        await asyncio.to_thread(session.join)
        return report(session, timeline)


def _stand_above_the_stage(notices: Notices, window: ConsoleWindow) -> None:
    import asyncio

    loop = asyncio.get_running_loop()
    window.closed.connect(notices.leave)

    def show(words: str) -> None:
        if not window.is_closed:
            window.say_notes([words])

    def heard(words: str) -> None:
        loop.call_soon_threadsafe(show, words)

    notices.listen(heard)
