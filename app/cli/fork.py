"""``signalbox fork LEDGER`` and *Fork…* in the list: a new run that begins with the history of a saved one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.live import live_window
from app.cli.resume import in_own_window

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from app.cli.live import MakeSession
    from app.core.forking import ForkAnswer
    from app.core.plan import RunPlan
    from app.gate.inbox import AskInbox
    from app.runner.forking import Forkable
    from app.runner.session import Session
    from app.runner.specs import FunctionSpec
    from app.views.resume.fork_window import ForkWindow

NOTHING_RAN = 0


def fork_in_window(
    path: Path, *, home: Path | None, at: int | None, model: str, rules: Path | None, run_file: Path | None, note: str
) -> int:
    """Fork the run at `path` as the command line says, in a window; at its newest boundary when `at` is None."""
    from app.core.forking import ForkAnswer
    from app.runner.forking import forkable

    given = _plan_from(run_file) if run_file is not None else None
    source = forkable(path)
    answer = ForkAnswer(
        revision=source.offer.boundaries[-1].revision if at is None else at,
        model=model,
        rules_from=str(rules) if rules is not None else "",
        note=note,
    )
    return live_window(_maker(source, answer, given=given, home=home), home=home)


def list_boundaries(path: Path) -> list[str]:
    """One line for each boundary of the run at `path`."""
    from app.runner.forking import forkable

    return [f"{one.revision:>5}  {one.words}" for one in forkable(path).offer.boundaries]


def _plan_from(run_file: Path) -> RunPlan:
    from app.cli.run import look_beside
    from app.cli.runfile import load_run_file

    plan = load_run_file(run_file)
    look_beside(run_file)
    return plan


async def fork_from_form(path: Path, window: ForkWindow, *, home: Path | None, at_seq: int | None = None) -> int:
    """The form first; with an answer, the new run in a window of its own."""
    import asyncio

    from app.runner.forking import forkable

    source = await asyncio.to_thread(forkable, path)
    if not window.is_closed:
        window.show_offer(source.offer, at_seq)
    await window.wait_closed()
    if window.answer is None:
        return NOTHING_RAN
    return await in_own_window(_maker(source, window.answer, given=None, home=home), home=home)


def _maker(source: Forkable, answer: ForkAnswer, *, given: RunPlan | None, home: Path | None) -> MakeSession:
    return lambda inbox, _stack: fork_session(source, answer, given=given, home=home, inbox=inbox)


def fork_session(
    source: Forkable, answer: ForkAnswer, *, given: RunPlan | None, home: Path | None, inbox: AskInbox
) -> Session:
    """The new run's session, not started, with a ledger of its own.

    Raises:
        LedgerProblem, UsageProblem, MissingHere: what it needs is not there.
    """
    from pathlib import Path

    from app.cli.run import service_of
    from app.export.masks import keep_masks, kept_masks
    from app.runner.changed import declared
    from app.runner.forking import fork_at
    from app.runner.functions import own_tools
    from app.runner.resuming import plan_on_record
    from app.wiring import browser_members, make_session, served_functions

    masks = kept_masks(source.path)
    plan = given or _elsewhere(source, plan_on_record(source.left.plan))
    if answer.rules_from:
        ruled = _plan_from(Path(answer.rules_from))
        plan = plan.model_copy(update={"rules": ruled.rules, "broken_rules": ruled.broken_rules})
    model = answer.model or (given and given.model) or source.left.model
    plan = plan.model_copy(update={"model": model})
    service = service_of(plan)
    own = [*served_functions(plan), *own_tools(plan)]
    demo = _demo_functions(source, declared(plan, own, browser_members(plan)))
    tools = declared(plan, [*own, *demo], browser_members(plan))
    fork = fork_at(source, answer.revision, plan, tools, answer.note)
    session = make_session(
        plan,
        home=home,
        inbox=inbox,
        service=service,
        provenance="live",
        unattended=False,
        functions=tuple(demo),
        fork=fork,
    )
    if masks:
        # The history holds the saved run's pictures: what was covered in them stays covered.
        keep_masks(session.ledger_path, masks)
    return session


def _elsewhere(source: Forkable, plan: RunPlan) -> RunPlan:
    """The plan of a run that is over; the site of a demo has ended with it, so that a fork begins on no page."""
    if source.left.started.provenance != "demo" or plan.browser is None:
        return plan
    return plan.model_copy(update={"browser": plan.browser.model_copy(update={"start_url": None})})


def _demo_functions(source: Forkable, there: Iterable[str]) -> list[FunctionSpec]:
    """The demo's functions that a demo has called: they ship with the program, and no plan names them."""
    from app.core.events import TurnAnswered
    from app.rehearsal.functions import DEMO_FUNCTIONS
    from app.runner.specs import FunctionSpec

    if source.left.started.provenance != "demo":
        return []
    turns = [one.event for one in source.past if isinstance(one.event, TurnAnswered)]
    called = {call.member for turn in turns for call in turn.calls if call.source == "functions"}
    return [FunctionSpec(*DEMO_FUNCTIONS[name]) for name in sorted(called.difference(there)) if name in DEMO_FUNCTIONS]
