"""Opens saved runs to go on with: the ledger owned, the plan in force, what has changed, and then the session."""

from dataclasses import dataclass
from pathlib import Path

from app.cli.run import service_of
from app.clock import SystemClock
from app.core.errors import LedgerProblem
from app.core.events import OutcomeChecked, StopBy
from app.core.plan import RunPlan
from app.core.ports import Inbox
from app.core.resuming import ResumeAnswer, ResumeOffer
from app.ledger.store import RunLedger
from app.paths import downloads_of
from app.runner.changed import changes, declared, tool_changes
from app.runner.fitting import require_own
from app.runner.functions import own_tools
from app.runner.granting import require_grants
from app.runner.look import Look
from app.runner.resuming import Prepared, prepare, resumption
from app.runner.session import Session
from app.runner.session_ports import ModelService, SessionPorts

NOT_AGAIN = {
    "demo": "the model and the site of a demo end with it, so that there is nothing to go on with",
    "rehearsal": "the saved answers of a rehearsal end with it, so that there is nothing to go on with",
}


@dataclass
class Taken:
    """A run that this process owns and may go on with. Nothing is written until `session`; `leave` gives it back."""

    prepared: Prepared
    service: ModelService
    look: Look

    @property
    def offer(self) -> ResumeOffer:
        """What a person is shown."""
        return self.prepared.offer

    def leave(self) -> None:
        """Close the page that was looked at and the ledger, which is as it was."""
        self.look.close()
        self.look.join()
        self.prepared.ledger.close()

    def session(self, answer: ResumeAnswer, inbox: Inbox, *, by: StopBy = "person") -> Session:
        """The run's next session, not started.

        Raises:
            LedgerProblem: the answer does not settle everything; the run stays as it was, and owned.
            MissingHere: what its browser needs is not there.
        """
        from app.sandboxes import require_code
        from app.wiring import environment_of, require_browser, versions

        self.look.close()
        prepared = self.prepared
        if answer.start_url is not None and prepared.plan.browser is not None:
            browser = prepared.plan.browser.model_copy(update={"start_url": answer.start_url})
            prepared.plan = prepared.plan.model_copy(update={"browser": browser})
        require_browser(prepared.plan)
        require_code(prepared.plan)
        require_grants(prepared.plan.grants)
        resumed = resumption(prepared, answer, model=self.service.model, versions=versions(), by=by)
        self.look.join()
        ledger = prepared.ledger
        ports = SessionPorts(
            ledger=ledger,
            ledger_path=ledger.path,
            inbox=inbox,
            clock=SystemClock(),
            service=self.service,
            open_environment=environment_of(prepared.plan, (), downloads=downloads_of(ledger.path)),
            started=prepared.left.started,
            resumption=resumed,
            check_outcome=_nothing_to_check,
        )
        return Session(prepared.plan, ports)


def _nothing_to_check() -> OutcomeChecked | None:
    return None


def take(path: Path, given: RunPlan | None) -> Taken:
    """Own the ledger at `path` and look at what there is to go on with. `given`: a run file's plan.

    Raises:
        LedgerProblem: it may be looked at only, is over, or its tools are not what they were.
        UsageProblem, MissingHere: what the run needs of this machine or of its files is not there.
    """
    from app.wiring import browser_members, page_to_look_at, served_functions, versions

    ledger = RunLedger.open_owned(path, SystemClock())
    try:
        prepared = prepare(ledger, given)
        left, plan = prepared.left, prepared.plan
        if (why := NOT_AGAIN.get(left.started.provenance)) is not None:
            raise LedgerProblem(f"{why}: {path}")
        # The run goes on with the model it had, unless a run file names another.
        service = service_of(plan.model_copy(update={"model": (given and given.model) or left.model}))
        require_own(plan)
        functions = [*served_functions(plan), *own_tools(plan)]
        if prepared.checkpoint is not None:
            now = declared(plan, functions, browser_members(plan))
            if differ := tool_changes(prepared.checkpoint, now, plan):
                raise LedgerProblem(f"its tools are not what they were ({'; '.join(differ)}): it can be forked: {path}")
        prepared.changes = changes(left, plan, model=service.model, versions=versions())
    except BaseException:
        ledger.close()
        raise
    return Taken(prepared, service, Look(lambda url, frames: page_to_look_at(plan, url, frames)))
