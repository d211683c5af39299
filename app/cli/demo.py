"""``signalbox demo``: a run on the embedded scripted model, the embedded site and a real browser."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from app.cli.terminal import say
from app.core.errors import RehearsalProblem
from app.core.events import OutcomeChecked
from app.core.plan import RunPlan
from app.core.ports import Inbox
from app.core.timeline import Timeline
from app.rehearsal.functions import DEMO_FUNCTIONS, declared
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.outcome import check_outcome
from app.rehearsal.plan import plan_of
from app.rehearsal.scenario import Scenario, list_scenarios, load_scenario
from app.rehearsal.server import MODEL, ScriptedModel
from app.rehearsal.shop import SHOP_READS
from app.rehearsal.site import DemoSite
from app.runner.session import Session
from app.runner.session_ports import ModelService
from drivers.own_folder import OwnFolder

DEMO_KEY = "no-key-is-needed"
"""The scripted model asks for none, but the SDK's client does."""


@dataclass(frozen=True)
class Rehearsal:
    """The embedded services of one demo, running."""

    scenario: Scenario
    site: DemoSite
    model: ScriptedModel
    base_url: str
    plan: RunPlan


@contextlib.contextmanager
def rehearsal(scenario_name: str) -> Iterator[Rehearsal]:
    """Serve the scenario's model and site, and stop both at the end.

    Raises:
        RehearsalProblem: no such scenario, or a port that cannot be had.
    """
    from app.wiring import ROOT_SANDBOX_WORDS, runs_as_root

    scenario = load_scenario(scenario_name)
    sandbox = None
    if runs_as_root():
        say(ROOT_SANDBOX_WORDS, err=True)
        sandbox = False
    with contextlib.ExitStack() as stack:
        site = DemoSite()
        site_url = site.start()
        stack.callback(site.stop)
        model = ScriptedModel(scenario, site=site_url)
        base_url = model.start()
        stack.callback(model.stop)
        folder = _files(scenario, stack)
        yield Rehearsal(scenario, site, model, base_url, plan_of(scenario, site_url, sandbox=sandbox, folder=folder))


def _files(scenario: Scenario, stack: contextlib.ExitStack) -> str:
    """A folder of the demo's own with the scenario's files, gone when it ends."""
    if not scenario.files:
        return "."
    try:
        own = OwnFolder("demo")
        stack.callback(own.close)
        folder = own.path
        for name, text in scenario.files.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        raise RehearsalProblem(f"the scenario's files cannot be written ({error.strerror}){where}") from error
    return str(folder)


def demo_session(served: Rehearsal, *, home: Path | None, inbox: Inbox, unattended: bool) -> Session:
    """A session of the demo, not yet started."""
    from app.runner.specs import spec_of
    from app.wiring import make_session

    def checked() -> OutcomeChecked:
        outcome = check_outcome(served.scenario, served.site)
        return OutcomeChecked(ok=outcome.ok, facts=tuple(outcome.facts))

    scenario = served.scenario
    functions = tuple(
        spec_of(*declared(DEMO_FUNCTIONS[name], deferred=name in scenario.deferred), reads_only=name in SHOP_READS)
        for name in scenario.functions
    )
    return make_session(
        served.plan,
        home=home,
        inbox=inbox,
        service=ModelService(model=MODEL, api_key=DEMO_KEY, base_url=served.base_url),
        provenance="demo",
        unattended=unattended,
        functions=functions,
        check_outcome=checked,
    )


def list_all() -> None:
    """Print each scenario's name and what it does."""
    for name in list_scenarios():
        say(f"{name:<12} {load_scenario(name).summary}")


def run_unattended(
    scenario_name: str, *, home: Path | None, ledger_written: Callable[[Path], None] = lambda _path: None
) -> int:
    """The whole scenario with its own scripted answers; no window. Returns the exit code."""
    from app.cli.ending import report
    from app.cli.signals import stopping_on_signals

    with rehearsal(scenario_name) as served:
        inbox = OperatorInbox(ScriptedOperator(served.scenario.operator))
        session = demo_session(served, home=home, inbox=inbox, unattended=True)
        timeline = Timeline()
        session.subscribe(timeline.apply)
        with stopping_on_signals(lambda name: session.request_stop("signal", name)):
            session.start()
            session.join()
        for problem in served.model.problems:
            say(problem, err=True)
        ledger_written(session.ledger_path)
        return report(session, timeline)
