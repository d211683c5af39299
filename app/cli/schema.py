"""``signalbox schema``: the JSON Schema of run files, for editors."""

import json

import click

from app.core.plan import RunPlan


def print_schema() -> None:
    """Print it."""
    click.echo(json.dumps(RunPlan.model_json_schema(by_alias=True), indent=2))
