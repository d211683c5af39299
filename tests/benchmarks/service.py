"""The scripted model in a process of its own, so that its work does not count as the console's or the floor's.

That process is this file as a program: it serves a scenario file until its standard input ends.
"""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from app.core.plan import BrowserPlan, ContextBudgetPlan, RunPlan
from app.rehearsal.scenario import load_scenario
from app.rehearsal.server import ScriptedModel
from app.runner.session_ports import ModelService

MODEL = "scripted-model"
KEY = "no-key-is-needed"

BUDGET = ContextBudgetPlan(max_input_bytes=50_000_000, max_input_images=8, keep_recent_screenshots=3)


@contextlib.contextmanager
def served(folder: Path, member: str, arguments: dict[str, str], steps: int) -> Iterator[ModelService]:
    """A service whose model calls one browser member `steps` times and then says that it has done."""
    file = folder / f"{member}-{steps}.toml"
    file.write_text(_scenario(member, arguments, steps), encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.service", str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        base_url = process.stdout.readline().strip()
        if not base_url:
            raise ValueError("the scripted model did not start")
        try:
            yield ModelService(MODEL, KEY, base_url)
        finally:
            process.stdin.close()


def plan_for(member: str, steps: int) -> RunPlan:
    """The plan of such a run."""
    return RunPlan(
        task="Go on until you are told to stop.",
        max_steps=steps + 2,
        browser=BrowserPlan(members=(member, "list_tabs")),
        context_budget=BUDGET,
    )


def _scenario(member: str, arguments: dict[str, str], steps: int) -> str:
    pairs = ", ".join(f"{name} = {json.dumps(value)}" for name, value in arguments.items())
    return f"""
name = "steps"
title = "Many steps"
summary = "One member, again and again."
task = "Go on until you are told to stop."
members = ["{member}"]
max_steps = {steps + 2}
[[answers]]
repeat = {steps}
[[answers.output]]
browser = "{member}"
arguments = {{ {pairs} }}
[[answers]]
[[answers.output]]
message = "Done."
[check]
claim = "Done."
bookings = []
"""


def _serve(file: Path) -> None:
    model = ScriptedModel(load_scenario(file))
    print(model.start(), flush=True)
    sys.stdin.read()
    model.stop()


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
