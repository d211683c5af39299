"""``signalbox verify``: is a ledger whole, and does it belong together."""

from pathlib import Path

import click

from app.ledger.verify import verify

WHOLE, NOT_WHOLE = 0, 1


def verify_ledger(path: Path) -> int:
    """Print what was found; 0 only if all is whole."""
    report = verify(path)
    for line in (*report.findings, *report.facts):
        click.echo(line)
    return WHOLE if report.whole else NOT_WHOLE
