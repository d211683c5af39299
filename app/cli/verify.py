"""``signalbox verify``: is a ledger whole, and does it belong together."""

from pathlib import Path

from app.cli.seal import seal_of
from app.cli.terminal import say
from app.ledger.verify import verify

WHOLE, NOT_WHOLE = 0, 1


def verify_ledger(path: Path) -> int:
    """Print what was found; 0 only if all is whole."""
    report = verify(path)
    seal = seal_of(report)
    for line in (*report.findings, *report.facts, seal.words):
        say(line)
    return WHOLE if report.whole and not seal.bad else NOT_WHOLE
