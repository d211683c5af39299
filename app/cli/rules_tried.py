"""A form's rules tried on the newest saved runs, in lines for the form. Nothing is run and no rule is switched on."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from app.core.check_line import CheckLine, CheckState
from app.core.errors import LedgerProblem
from app.core.events import Recorded
from app.core.plan import RunPlan
from app.gate.trial import Trial, proposed, try_rules
from app.paths import runs_folder

MOST_RUNS = 20
MOST_LOOSENED = 5
_ADD = "From your own answers, and not in force. Add it as a rule, if it is what you mean."


def try_on_saved_runs(plan: RunPlan, say: Callable[[CheckLine], None], *, home: Path | None) -> None:
    """Say what the plan's rules would have answered in the newest runs, and what your own answers would make a rule.

    Reads ledgers; may take a while.
    """
    # Opens a database: nothing that the form itself should wait for.
    from app.replay.source import open_source

    folder = runs_folder(home)
    newest = sorted(folder.glob("*.signalbox"), reverse=True)[:MOST_RUNS] if os.path.isdir(folder) else []
    runs: list[tuple[str, tuple[Recorded, ...]]] = []
    for path in newest:
        try:
            source = open_source(path)
        except LedgerProblem as problem:
            say(
                CheckLine("A saved run is left out", "note", "it cannot be read", str(problem).split(":")[0], path.stem)
            )
            continue
        try:
            runs.append((path.stem, tuple(source.events)))
        finally:
            source.close()
    if not runs:
        say(CheckLine("Rules", "note", "there is no saved run to try them on"))
        return
    trial = try_rules(
        plan.rules,
        runs,
        ask_screenshots=bool(plan.computer and plan.computer.ask_screenshots),
        allow_private=plan.browser is None or plan.browser.allow_private_network,
    )
    for line in (*_lines(plan, trial, len(runs)), *_proposals(runs)):
        say(line)


def _lines(plan: RunPlan, trial: Trial, runs: int) -> Iterator[CheckLine]:
    counts = trial.counts()
    asks = f"{len(trial.tried):,} {'question' if len(trial.tried) == 1 else 'questions'}"
    said = f"{counts['allow']:,} allowed, {counts['hold']:,} put to you, {counts['deny']:,} denied"
    state: CheckState = "not ok" if trial.loosened else "ok"
    yield CheckLine(f"{asks} of {runs:,} saved {'run' if runs == 1 else 'runs'}", state, said)
    for number, rule in enumerate(plan.rules, start=1):
        hits = trial.hits(f"file {number}")
        found = f"{len(hits):,} {'hit' if len(hits) == 1 else 'hits'}"
        such = f", such as {hits[-1].ask.ask_id} of" if hits else ""
        yield CheckLine(
            f"Rule {number}, {rule.verdict}",
            "ok" if hits else "note",
            found + such,
            outside=hits[-1].run if hits else "",
        )
    for tried in trial.loosened[:MOST_LOOSENED]:
        words = f"{tried.ask.ask_id} would be allowed, and somebody had said no, in"
        yield CheckLine("Loosened", "not ok", words, "Say more exactly what the rule is for.", tried.run)
    if (more := len(trial.loosened) - MOST_LOOSENED) > 0:
        yield CheckLine("Loosened", "not ok", f"and {more:,} more")


def _proposals(runs: list[tuple[str, tuple[Recorded, ...]]]) -> Iterator[CheckLine]:
    for rule in proposed(runs):
        words = f"{rule.verdict}, {rule.text}: {', '.join(rule.kinds)}, {', '.join(rule.members)}, on"
        yield CheckLine("Proposed rule", "note", words, _ADD, ", ".join(rule.origins))
