"""``signalbox run FILE.toml``: a run of the user's own, against the model service of the environment."""

import os
import sys
from pathlib import Path

from app.cli.terminal import say
from app.core.errors import MissingHere, UsageProblem
from app.core.plan import RunPlan
from app.runner.session_ports import ModelService

KEY_VARIABLE, URL_VARIABLE, MODEL_VARIABLE = "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"


def service_of(plan: RunPlan) -> ModelService:
    """Where answers come from, by the plan and the environment.

    Raises:
        MissingHere: no key.
        UsageProblem: no model is named anywhere.
    """
    key = os.environ.get(KEY_VARIABLE)
    if not key:
        raise MissingHere(f"{KEY_VARIABLE} is not set: the model service needs a key (`signalbox demo` needs none)")
    model = plan.model or os.environ.get(MODEL_VARIABLE)
    if not model:
        raise UsageProblem(f"no model is named: add model = … to the run file or set {MODEL_VARIABLE}")
    return ModelService(model=model, api_key=key, base_url=os.environ.get(URL_VARIABLE) or None)


def open_run(path: Path, *, home: Path | None) -> int:
    """Start the run that the file describes, in a window; returns the exit code when the window has closed."""
    from app.cli.live import run_in_window
    from app.cli.runfile import load_run_file

    plan = load_run_file(path, without_broken_rules=True)
    if plan.broken_rules:
        say(f"{plan.broken_rules}\nThe rules could not be read: everything is asked.", err=True)
    look_beside(path)
    service = service_of(plan)
    for line in ahead(plan):
        say(line, err=True)
    return run_in_window(plan, service, home=home)


def ahead(plan: RunPlan) -> list[str]:
    """What the run will ask, what it will not, and what its switches bring, a line each.

    Text of the run file stands in quotes, and nothing of it is hidden.
    """
    from app.core.asked_ahead import foretell
    from app.core.consequences import consequences
    from app.core.plan_toml import toml_value

    lines = []
    for one in foretell(plan):
        words = [f"{one.word}: {', '.join(one.what)}", *map(toml_value, one.names)]
        words += [f"({one.why}{''.join(f' {toml_value(text)}' for text in one.quoted)})"] if one.why else []
        lines.append(" ".join(words))
    return [*lines, *consequences(plan)]


def look_beside(path: Path) -> None:
    """Let import paths be found in the run file's folder, after all else.

    In front of all else, any file there that bears a package's name (a ``json.py`` of yours, or of whoever the folder
    came from) would be run without the run file naming it.
    """
    look_in(path.resolve().parent)


def look_in(folder: Path) -> None:
    """Let import paths be found in `folder`, after all else."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
