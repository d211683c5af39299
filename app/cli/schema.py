"""``signalbox schema``: the JSON Schema of run files, for editors."""

import json

from app.cli.terminal import say
from app.core.plan import RunPlan


def print_schema() -> None:
    """Print it."""
    say(json.dumps(RunPlan.model_json_schema(by_alias=True), indent=2))
