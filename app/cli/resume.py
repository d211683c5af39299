"""``signalbox resume LEDGER`` and *Take up…* in the list: the form first, then the run goes on in a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.window import painted_first, settings_file

if TYPE_CHECKING:
    import contextlib
    from pathlib import Path

    from app.cli.live import MakeSession
    from app.cli.taking_up import Taken
    from app.core.plan import RunPlan
    from app.core.resuming import ResumeAnswer
    from app.gate.inbox import AskInbox
    from app.runner.session import Session
    from app.views.resume.resume_window import ResumeWindow

NOTHING_RAN = 0


def resume_in_window(path: Path, *, home: Path | None, run_file: Path | None = None) -> int:
    """Show the form for the run at `path`; with an answer, go on. Returns the exit code when all has closed."""
    from app.views.resume.resume_window import ResumeWindow

    given = _plan_of(run_file) if run_file is not None else None

    async def main(window: ResumeWindow) -> int:
        return await take_up(path, window, home=home, given=given)

    return painted_first(lambda: ResumeWindow(settings_path=settings_file(home)), main, home)


def _plan_of(run_file: Path) -> RunPlan:
    from app.cli.run import look_beside
    from app.cli.runfile import load_run_file

    plan = load_run_file(run_file)
    look_beside(run_file)
    return plan


async def take_up(path: Path, window: ResumeWindow, *, home: Path | None, given: RunPlan | None = None) -> int:
    """The form and then the run; the run's ledger is owned from here until it is left or over."""
    import asyncio

    from app.cli.taking_up import take

    taken = await asyncio.to_thread(take, path, given)
    handed_over = False
    try:
        if not window.is_closed:
            window.show_offer(taken.offer, taken.look, taken.prepared.ledger.blob)
        await window.wait_closed()
        if window.answer is None:
            return NOTHING_RAN
        handed_over = True
        return await go_on(taken, window.answer, home=home)
    finally:
        if not handed_over:
            await asyncio.to_thread(taken.leave)


async def go_on(taken: Taken, answer: ResumeAnswer, *, home: Path | None) -> int:
    """Run the next segments in a window of their own."""

    def make(inbox: AskInbox, _stack: contextlib.ExitStack) -> Session:
        try:
            return taken.session(answer, inbox)
        except BaseException:
            taken.leave()
            raise

    return await in_own_window(make, home=home)


async def in_own_window(make: MakeSession, *, home: Path | None) -> int:
    """A live run in a window that is opened for it; its exit code once both are over."""
    from app.cli.live import live_run
    from app.views.window import ConsoleWindow

    window = ConsoleWindow(settings_path=settings_file(home))
    window.show()
    try:
        return await live_run(make, window, home=home)
    finally:
        if not window.is_closed:
            window.close()
