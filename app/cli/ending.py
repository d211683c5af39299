"""How every run ends on the command line: its one closing line and its exit code."""

from app.cli.seal import seal_if_set
from app.cli.terminal import say, say_of_run
from app.core.describe import RUN_STATUSES
from app.core.errors import SignalboxError
from app.core.timeline import Timeline
from app.core.untrusted import shown
from app.runner.session import Session

FINISHED, ENDED_OTHERWISE = 0, 1


def closing_line(session: Session, decisions: int) -> str:
    """``run RUN_ID · STATUS · N decisions · LEDGER_PATH``, the form that other tools read."""
    status = RUN_STATUSES[session.ended.status] if session.ended else "failed"
    return f"run {session.run_id} · {status} · {decisions} decisions · {session.ledger_path}"


def report(session: Session, timeline: Timeline) -> int:
    """Print why the run ended, what the world says, and the closing line; return the exit code."""
    ended = session.ended
    # Nobody checked an unverified end: whoever reads only the exit code must at least be told.
    if ended is not None and (ended.status != "finished" or ended.verification == "unverified"):
        say(f"The run ended: {ended.reason}", err=True)
    if ended is not None and ended.final_text:
        say_of_run(f"The model says: {ended.final_text}")
    for outcome in timeline.outcomes:
        # The last word of a rehearsal is how it compares with the run that it rehearses.
        compared = (
            timeline.run is not None and timeline.run.provenance == "rehearsal" and outcome is timeline.outcomes[-1]
        )
        say_of_run(f"{'Compared' if compared else 'Really there'}: {'; '.join(map(shown, outcome.facts))}")
    seal_if_set(session.ledger_path)
    say_of_run(closing_line(session, len(timeline.decisions)))
    if ended is not None and ended.status == "finished":
        return FINISHED
    if isinstance(session.problem, SignalboxError):
        return session.problem.exit_code
    return ENDED_OTHERWISE
