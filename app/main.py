"""The command line. Each command's work is a file in `app.cli`; nothing heavy is imported before it is needed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app import __version__
from app.cli.given import DataFolder, PlainFile
from app.cli.terminal import say
from app.core.errors import SignalboxError, UsageProblem

if TYPE_CHECKING:
    from app.core.exporting import ExportKind

SAVED = PlainFile()

HOME_OPTION = click.option(
    "--home",
    type=DataFolder(),
    help="Data folder; also SIGNALBOX_HOME.",
)


@click.group(invoke_without_command=True)
@HOME_OPTION
@click.version_option(__version__, prog_name="signalbox")
@click.pass_context
def signalbox(context: click.Context, home: Path | None) -> None:
    """A console in which a person clears every step of a computer-use run before it happens.

    Without a command: the window with the saved runs.
    """
    context.obj = home
    if context.invoked_subcommand is None:
        from app.cli.saved import show_runs

        context.exit(show_runs(home=home))


@signalbox.command()
@click.argument("scenario", required=False)
@click.option("--list", "list_only", is_flag=True, help="Name the scenarios.")
@click.option("--unattended", is_flag=True, help="Use the scenario's own scripted answers; no window.")
@HOME_OPTION
@click.pass_context
def demo(context: click.Context, scenario: str | None, list_only: bool, unattended: bool, home: Path | None) -> None:
    """A run on the embedded scripted model and site, in a real browser. Needs no key and no network."""
    home = home or context.obj
    from app.cli.live import DEFAULT_SCENARIO, demo_in_window

    name = scenario or DEFAULT_SCENARIO
    if not (list_only or unattended):
        context.exit(demo_in_window(name, home=home))
    from app.cli import demo as command

    if list_only:
        command.list_all()
        return
    from app import log

    log.set_up(home)
    context.exit(command.run_unattended(name, home=home))


@signalbox.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--resume",
    "ledger",
    type=SAVED,
    help="Go on with this saved run instead of starting one; see `signalbox resume`.",
)
@HOME_OPTION
@click.pass_context
def run(context: click.Context, file: Path, ledger: Path | None, home: Path | None) -> None:
    """Start the run that FILE (TOML) describes."""
    if ledger is not None:
        from app.cli.resume import resume_in_window

        context.exit(resume_in_window(ledger, home=home or context.obj, run_file=file))
    from app.cli.run import open_run

    context.exit(open_run(file, home=home or context.obj))


@signalbox.command()
@click.argument("file", type=SAVED)
@HOME_OPTION
@click.pass_context
def replay(context: click.Context, file: Path, home: Path | None) -> None:
    """Open a saved ledger, or a bare SDK checkpoint as JSON, to look at. Nothing is run."""
    from app.cli.saved import replay_in_window

    context.exit(replay_in_window(file, home=home or context.obj))


@signalbox.command()
@click.argument("ledger", type=SAVED)
@HOME_OPTION
@click.pass_context
def resume(context: click.Context, ledger: Path, home: Path | None) -> None:
    """Go on with a saved run that was cut off or has stopped. A form comes first.

    With `signalbox run FILE --resume LEDGER` the run file's options are in force in place of those on record.
    """
    from app.cli.resume import resume_in_window

    context.exit(resume_in_window(ledger, home=home or context.obj))


@signalbox.command()
@click.argument("ledger", type=SAVED)
@click.option("--list", "list_only", is_flag=True, help="List the boundaries and start nothing.")
@click.option("--at", type=int, help="The revision of the boundary; the newest when left out.")
@click.option("--model", default="", help="Another model.")
@click.option("--rules", type=SAVED, help="A run file whose rules are in force.")
@click.option("--with", "run_file", type=SAVED, help="A run file for all options.")
@click.option("--note", default="", help="What the model is told at the start.")
@HOME_OPTION
@click.pass_context
def fork(
    context: click.Context,
    ledger: Path,
    list_only: bool,
    at: int | None,
    model: str,
    rules: Path | None,
    run_file: Path | None,
    note: str,
    home: Path | None,
) -> None:
    """Start a new run that begins with the history of a saved one, up to one of its boundaries."""
    from app.cli.fork import fork_in_window, list_boundaries

    if list_only:
        for line in list_boundaries(ledger):
            say(line)
        return
    home = home or context.obj
    context.exit(fork_in_window(ledger, home=home, at=at, model=model, rules=rules, run_file=run_file, note=note))


@signalbox.command()
@click.argument("ledger", type=SAVED)
@click.pass_context
def verify(context: click.Context, ledger: Path) -> None:
    """Check a ledger's chain, check values and pictures."""
    from app.cli.verify import verify_ledger

    context.exit(verify_ledger(ledger))


@signalbox.command()
@click.argument("ledger", type=SAVED)
@click.option("--unattended", is_flag=True, help="Decide as was decided then, as scripted answers; no window.")
@HOME_OPTION
@click.pass_context
def rehearse(context: click.Context, ledger: Path, unattended: bool, home: Path | None) -> None:
    """A new run in which the saved answers of LEDGER are served again, against live drivers."""
    from app import log
    from app.cli import rehearse as command

    home = home or context.obj
    if not unattended:
        context.exit(command.rehearse_in_window(ledger, home=home))
    log.set_up(home)
    context.exit(command.rehearse_unattended(ledger, home=home))


@signalbox.command()
@click.argument("ledger", type=SAVED)
@click.option("--to", "kind", required=True, type=click.Choice(["html", "json", "csv", "webp", "bundle"]), help="Form.")
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write; else beside you.")
@click.option("--mask", "masks", multiple=True, metavar="X,Y,W,H", help="Cover this region of the page; is kept.")
@click.option("--unmask", is_flag=True, help="Drop the regions that were kept before.")
@click.option("--redact", type=SAVED, help="File of texts to leave out, one a line.")
@click.pass_context
def export(
    context: click.Context,
    ledger: Path,
    kind: ExportKind,
    out: Path | None,
    masks: tuple[str, ...],
    unmask: bool,
    redact: Path | None,
) -> None:
    """Write a saved run as one file to hand on."""
    from app.cli.export import export_ledger

    context.exit(export_ledger(ledger, kind, out, masks=masks, unmask=unmask, redact=redact))


@signalbox.command()
@click.argument("ledger", type=SAVED)
@click.pass_context
def seal(context: click.Context, ledger: Path) -> None:
    """Seal a finished run with the key in this machine's key store."""
    from app.cli.seal import seal_ledger

    context.exit(seal_ledger(ledger))


@signalbox.command()
@click.argument("ledgers", nargs=-1, required=True, type=SAVED)
@click.option("--window", is_flag=True, help="Show two runs step by step in a window.")
@HOME_OPTION
@click.pass_context
def compare(context: click.Context, ledgers: tuple[Path, ...], window: bool, home: Path | None) -> None:
    """Put what saved runs took side by side: requests, tokens, time, asks."""
    from app.cli.compare import compare_in_window, compare_ledgers

    if window:
        context.exit(compare_in_window(ledgers, home=home or context.obj))
    compare_ledgers(ledgers)


@signalbox.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("ledgers", nargs=-1, required=True, type=SAVED)
@click.pass_context
def rules(context: click.Context, file: Path, ledgers: tuple[Path, ...]) -> None:
    """Try the rules of the run file FILE on saved runs: what would have been allowed, asked, denied."""
    from app.cli.rules import try_on_ledgers

    context.exit(try_on_ledgers(file, ledgers))


@signalbox.command()
@click.option("--fix", is_flag=True, help="Get what is missing.")
@HOME_OPTION
@click.pass_context
def doctor(context: click.Context, fix: bool, home: Path | None) -> None:
    """Say what is missing on this machine, and how to get it."""
    from app.doctor import run_doctor
    from app.paths import data_folder

    context.exit(run_doctor(fix, data_folder(home or context.obj)))


@signalbox.command()
@click.argument("name")
@click.argument("address")
@click.option("--remove", is_flag=True, help="Forget it.")
@click.option("--allow-plain", is_flag=True, help="For a run file that says allow_plain: it is sent unencrypted.")
def secret(name: str, address: str, remove: bool, allow_plain: bool) -> None:
    """Keep what proves who asks at ADDRESS, under NAME, in the key store of this machine; a run file says the name."""
    from app.cli.secret import change_secret

    change_secret(name, address, remove=remove, allow_plain=allow_plain)


@signalbox.command()
def schema() -> None:
    """Print the JSON Schema of run files."""
    from app.cli.schema import print_schema

    print_schema()


@signalbox.command("keep-desktop", hidden=True)
def keep_desktop() -> None:
    """Keep one virtual desktop, as ordered on standard input; a frozen program starts itself for this."""
    from drivers.desktop.keeper import keep

    keep()


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit codes are 0 finished, 1 ended otherwise, 2 wrong usage, 3 something is missing."""
    try:
        code = signalbox.main(args=arguments, prog_name="signalbox", standalone_mode=False)
    except click.exceptions.Abort:
        say("interrupted", err=True)
        return SignalboxError.exit_code
    except click.ClickException as wrong:
        wrong.show()
        return UsageProblem.exit_code
    except SignalboxError as problem:
        say(str(problem), err=True)
        return problem.exit_code
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    sys.exit(main())
