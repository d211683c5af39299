"""``signalbox seal`` and the seal at a run's end: made with the key of the system's key store, or not at all."""

from pathlib import Path

from app.cli.terminal import say
from app.clock import SystemClock
from app.core.errors import LedgerProblem, SignalboxError
from app.core.sealed import SealFound
from app.ledger.seal import check_seal, seal_run
from app.ledger.verify import VerifyReport
from app.replay.reading import Reading

SEALED = 0


def seal_ledger(path: Path) -> int:
    """Seal a finished run as it is now."""
    from app.keystore import seal_key

    key = seal_key(create=True)
    if key is None:
        raise SignalboxError("the key store did not keep the key: nothing was sealed")
    seal_run(path, key, wall_ms=SystemClock().wall_ms())
    say(f"Sealed: {path}")
    return SEALED


def seal_if_set(path: Path) -> None:
    """At a run's end: seal it where the settings say so; where that cannot be, it is said."""
    from app.settings import load_settings

    try:
        if load_settings(path.parent.parent).sealing.runs:
            seal_ledger(path)
    except SignalboxError as problem:
        say(f"The run is not sealed: {problem}", err=True)


def seal_of(report: VerifyReport) -> SealFound:
    """What the seal of a checked ledger says; without a key store it cannot be told."""
    from app.keystore import NoKeyStore, seal_key

    found = check_seal(report, None)
    if found.state != "cannot_tell":
        return found
    try:
        return check_seal(report, seal_key(create=False))
    except NoKeyStore as problem:
        words = f"sealed; cannot tell whether it was altered: {problem}"
        return SealFound("cannot_tell", words, found.key, found.sealed_wall_ms)


def seal_of_reading(reading: Reading) -> SealFound:
    """The same of a saved run in a window, which has been checked. Raises `LedgerProblem`."""
    if reading.report is None:
        raise LedgerProblem(f"it has not been checked: {reading.path}")
    return seal_of(reading.report)
