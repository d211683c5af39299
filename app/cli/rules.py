"""``signalbox rules``: a run file's rules tried on saved runs. Nothing is run and no rule is switched on."""

import json
from pathlib import Path

from app.cli.runfile import load_run_file
from app.cli.terminal import say
from app.core.events import Recorded
from app.core.plan import RulePlan
from app.core.untrusted import shown
from app.gate.trial import Trial, proposed, try_rules
from app.replay.source import open_source

NOTHING_LOOSENED, SOMETHING_LOOSENED = 0, 1
MOST_LINES = 20


def try_on_ledgers(file: Path, ledgers: tuple[Path, ...]) -> int:
    """Print what the rules of `file` would have answered; 1 if they allow what somebody had said no to."""
    plan = load_run_file(file)
    runs = [(path.stem, _events(path)) for path in ledgers]
    trial = try_rules(
        plan.rules,
        runs,
        ask_screenshots=bool(plan.computer and plan.computer.ask_screenshots),
        allow_private=plan.browser is None or plan.browser.allow_private_network,
    )
    counts = trial.counts()
    say(f"{_count(len(trial.tried), 'ask')} in {_count(len(runs), 'run')}")
    say(f"allowed {counts['allow']} · asked {counts['hold']} · denied {counts['deny']}")
    for number, rule in enumerate(plan.rules, start=1):
        hits = trial.hits(f"file {number}")
        say(f"rule {number}: {rule.verdict}, {_count(len(hits), 'hit')}{_example(trial, number)}  {shown(rule.text)}")
    for tried in trial.loosened[:MOST_LINES]:
        say(f"! allowed, though denied in {shown(tried.run)}: {tried.ask.ask_id} {shown(tried.ask.member)}")
    if len(trial.loosened) > MOST_LINES:
        say(f"! and {len(trial.loosened) - MOST_LINES} more")
    for rule in proposed(runs):
        say(f"\n# proposed from your own answers, not in force\n{toml_of(rule)}")
    return SOMETHING_LOOSENED if trial.loosened else NOTHING_LOOSENED


def _events(path: Path) -> tuple[Recorded, ...]:
    source = open_source(path)
    try:
        return tuple(source.events)
    finally:
        source.close()


def _example(trial: Trial, number: int) -> str:
    hits = trial.hits(f"file {number}")
    return f", such as {hits[-1].ask.ask_id} of {shown(hits[-1].run)}" if hits else ""


def toml_of(rule: RulePlan) -> str:
    """The rule as a run file holds it."""
    given = rule.model_dump(mode="json", exclude_defaults=True)
    return "\n".join(["[[rules]]", *(f"{key} = {_toml(value)}" for key, value in given.items())])


def _toml(value: object) -> str:
    # Strings and lists of strings are written alike in JSON and TOML, but for a lone surrogate, which no origin has.
    return json.dumps(value)


def _count(number: int, of: str) -> str:
    return f"{number:,} {of}" if number == 1 else f"{number:,} {of}s"
