"""``signalbox rehearse``: a new run that gets the saved answers of an earlier one again, against live drivers."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.cli import terminal
from app.core.errors import LedgerProblem
from app.core.untrusted import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from app.core.plan import RunPlan
    from app.core.ports import Inbox
    from app.rehearsal.saved_answers import SavedAnswers
    from app.rehearsal.saved_model import SavedModel
    from app.runner.session import Session
    from app.views.window import ConsoleWindow

KEY = "no-key-is-needed"
DEMO_HOST = "127.0.0.1"


@dataclass(frozen=True)
class SavedService:
    """The saved answers, being served, and the plan of the run that gets them."""

    saved: SavedAnswers
    model: SavedModel
    base_url: str
    plan: RunPlan
    moved: tuple[str, str] | None
    """The demo site's origin then and now, of a run that used it."""


@contextlib.contextmanager
def served_again(path: Path, say: Callable[[str], None] = lambda _words: None) -> Iterator[SavedService]:
    """Serve the answers of the ledger at `path`, and the demo site where that run used it; stop both at the end.

    `say` is told of the first request that differs, when it comes; so is standard error.

    Raises:
        LedgerProblem: it may be looked at only, or holds nothing to rehearse.
        RehearsalProblem: a port cannot be had.
    """
    from app.rehearsal.saved_answers import SavedAnswers
    from app.rehearsal.saved_model import SavedModel
    from app.rehearsal.site import DemoSite

    with contextlib.ExitStack() as stack:
        saved = SavedAnswers(path)
        stack.callback(saved.close)
        moved = None
        if (then := _demo_origin(saved)) is not None:
            site = DemoSite()
            moved = (then, site.start())
            stack.callback(site.stop)
        plan = _plan(saved, moved)

        def told(words: str) -> None:
            terminal.say(shown(words), err=True)
            say(words)

        model = SavedModel(saved, moved=moved, say=told)
        base_url = model.start()
        stack.callback(model.stop)
        yield SavedService(saved, model, base_url, plan, moved)


def rehearsal_session(served: SavedService, *, home: Path | None, inbox: Inbox, unattended: bool) -> Session:
    """A session of the rehearsal, not yet started."""
    from app.core.events import OutcomeChecked
    from app.rehearsal.functions import DEMO_FUNCTIONS
    from app.runner.session_ports import ModelService
    from app.runner.specs import FunctionSpec
    from app.wiring import make_session

    def compared() -> OutcomeChecked:
        model = served.model
        count = f"{model.served} of {len(served.saved.answers)} saved answers were served again"
        found = model.first_difference or "no request differed from the saved run"
        return OutcomeChecked(ok=not model.first_difference, facts=(count, found))

    demo = {name for name in served.saved.tool_names() if name in DEMO_FUNCTIONS} if served.moved else set()
    return make_session(
        served.plan,
        home=home,
        inbox=inbox,
        service=ModelService(model=served.saved.run.model, api_key=KEY, base_url=served.base_url),
        provenance="rehearsal",
        unattended=unattended,
        functions=tuple(FunctionSpec(*DEMO_FUNCTIONS[name]) for name in sorted(demo)),
        check_outcome=compared,
    )


def rehearse_unattended(path: Path, *, home: Path | None) -> int:
    """The whole rehearsal with the decisions of then; no window. Returns the exit code."""
    from app.cli.ending import report
    from app.cli.signals import stopping_on_signals
    from app.core.timeline import Timeline
    from app.rehearsal.saved_operator import SavedOperator

    with served_again(path) as served:
        inbox = SavedOperator(served.saved.decisions, moved=served.moved)
        session = rehearsal_session(served, home=home, inbox=inbox, unattended=True)
        timeline = Timeline()
        session.subscribe(timeline.apply)
        with stopping_on_signals(lambda name: session.request_stop("signal", name)):
            session.start()
            session.join()
        return report(session, timeline)


def rehearse_in_window(path: Path, *, home: Path | None) -> int:
    """The rehearsal with a person at the window, who is asked as in any run."""
    from app.cli.window import in_window

    return in_window(lambda window: rehearse_in(window, path, home=home), home)


async def rehearse_in(window: ConsoleWindow, path: Path, *, home: Path | None) -> int:
    """The same in a window that is there already. The first request that differs is said above the stage."""
    from app.cli.live import live_run
    from app.cli.notices import Notices

    notices = Notices()

    def make(inbox: Inbox, stack: contextlib.ExitStack) -> Session:
        served = stack.enter_context(served_again(path, notices.say))
        return rehearsal_session(served, home=home, inbox=inbox, unattended=False)

    return await live_run(make, window, home=home, notices=notices)


def _demo_origin(saved: SavedAnswers) -> str | None:
    """Where the demo site was, for a run that began on it: it is gone with that run."""
    browser = saved.run.plan.get("browser") if isinstance(saved.run.plan, dict) else None
    start = browser.get("start_url") if isinstance(browser, dict) else None
    if saved.run.provenance not in ("demo", "rehearsal") or not isinstance(start, str):
        return None
    parts = urlsplit(start)
    return f"http://{parts.netloc}" if parts.hostname == DEMO_HOST and parts.port is not None else None


def _plan(saved: SavedAnswers, moved: tuple[str, str] | None) -> RunPlan:
    from pydantic import ValidationError

    from app.core.plan import RunPlan

    text = json.dumps(saved.run.plan)
    try:
        return RunPlan.model_validate_json(text.replace(*moved) if moved else text, strict=True)
    except ValidationError as error:
        raise LedgerProblem(
            f"its plan is not one of this version ({error.error_count()} faults): {saved.path}"
        ) from error
