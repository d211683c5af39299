"""``python -m app.rehearsal SCENARIO``: the scripted model and the demo site alone, for developers."""

import threading

import click

from app.core.errors import SignalboxError
from app.rehearsal.outcome import check_outcome
from app.rehearsal.scenario import list_scenarios, load_scenario
from app.rehearsal.server import ScriptedModel
from app.rehearsal.site import DemoSite


@click.command()
@click.argument("scenario")
@click.option("--port", default=0, show_default=True, help="Port of the model; 0 takes any free one.")
@click.option("--site-port", default=0, show_default=True, help="Port of the demo site.")
def main(scenario: str, port: int, site_port: int) -> None:
    """Serve SCENARIO (a name or a TOML file) until interrupted, then say what was really booked."""
    try:
        loaded = load_scenario(scenario)
        site = DemoSite(port=site_port)
        site_url = site.start()
        model = ScriptedModel(loaded, site=site_url, port=port)
        click.echo(f"OPENAI_BASE_URL={model.start()}")
        click.echo(f"site: {site_url}{loaded.start}")
    except SignalboxError as problem:
        click.echo(str(problem), err=True)
        click.echo(f"Scenarios: {', '.join(list_scenarios())}", err=True)
        raise SystemExit(problem.exit_code) from problem
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        model.stop()
        site.stop()
    click.echo(f"{len(model.requests)} requests")
    for line in [*model.problems, *check_outcome(loaded, site).facts]:
        click.echo(line)


if __name__ == "__main__":
    main()
