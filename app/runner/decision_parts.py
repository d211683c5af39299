"""Ties a decisions run together inside its thread: observer, candidates, check and gate around the SDK's client."""

from dataclasses import dataclass

from app.core.carried import NOTHING_CARRIED
from app.core.plan import RunPlan
from app.runner.asking import Asking
from app.runner.candidates import left_out
from app.runner.decision_requests import DecisionRequests
from app.runner.decision_words import HAD_CONTROL
from app.runner.decisions import DecisionParts
from app.runner.effects import Effects
from app.runner.imports import OwnFunction, load_async
from app.runner.looking import PageLook
from app.runner.observations import Observer
from app.runner.opened import Opened
from app.runner.selected import Selected
from app.runner.tying import screen_of
from app.runner.verification import Verification


@dataclass(frozen=True)
class OwnParts:
    """The user's own Python of a decisions run, loaded; None for what the run file does not name."""

    observe: OwnFunction | None = None
    candidates: OwnFunction | None = None
    verify: OwnFunction | None = None


def load_own(plan: RunPlan) -> OwnParts:
    """Import what the ``[decisions]`` table names. Raises `UsageProblem`."""
    options = plan.decisions
    if options is None:
        return OwnParts()

    def loaded(path: str | None, what: str) -> OwnFunction | None:
        return load_async(path, what=what) if path is not None else None

    return OwnParts(
        loaded(options.observe_import, "decisions.observe"),
        loaded(options.candidates_import, "decisions.import"),
        loaded(options.verify.import_path if options.verify else None, "decisions.verify.import"),
    )


def decision_parts(opened: Opened, own: OwnParts) -> DecisionParts:
    """Everything of one decisions run."""
    plan, ports, journal, gate = opened.plan, opened.ports, opened.journal, opened.gate
    holding, leaving, stopping = opened.holding, opened.leaving, opened.stopping
    screen = screen_of(opened.environment.browser, opened, opened.frames)
    options, driver = plan.choosing, opened.environment.browser
    beginning = ports.beginning
    carried = (beginning.carried if beginning is not None else None) or NOTHING_CARRIED
    requests = DecisionRequests(journal, stopping, carried.requests)
    holding.turns = leaving.requests = requests
    asking = Asking(gate, requests, holding)
    effects = Effects(journal, gate, ports.clock, screen.after if screen else lambda _since: None, holding)
    gate.control.uncertain = lambda: effects.uncertain
    look = PageLook(driver, effects, journal, looks=carried.looks) if driver is not None else None
    viewport = plan.browser.viewport if plan.browser else (0, 0)
    members = plan.browser.members if plan.browser else None
    # What the user's own Python offers is its own affair.
    uncounted = own.candidates is not None
    observer = Observer(
        options, look, own.observe, journal, viewport, carried, ports.said,
        lambda page: 0 if uncounted else left_out(options, page, members),
    )  # fmt: skip
    requests.tell = observer.leaves
    gate.control.on_returned.append(lambda: observer.tell(HAD_CONTROL))
    verification = Verification(options.verify, look, own.verify, journal) if options.verify is not None else None
    return DecisionParts(
        plan=plan,
        model=ports.service.model,
        client=opened.client,
        journal=journal,
        requests=requests,
        effects=effects,
        observer=observer,
        selected=Selected(asking, effects, observer, look, screen, driver, holding),
        verification=verification,
        own_candidates=own.candidates,
        stopping=stopping,
        received=opened.received,
        holding=holding,
        leaving=leaving,
        beginning=beginning,
    )
