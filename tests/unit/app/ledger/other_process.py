"""A second process that owns and writes a ledger, to be killed. It says on standard output what it did.

Arguments: the ledger's path, then `hold` (own it and wait), `events N` (N clicks and end without closing), `race` (with
each line read try to own it; owning it, write one event with the next line and leave), or `saves` (checkpoints without
end).
"""

import os
import sys
from pathlib import Path

from app.core.errors import LedgerProblem
from app.core.events import UserTextAdded
from app.core.evidence import Blob
from app.ledger.store import RunLedger
from tests.unit.app.ledger.made_up import Click, SdkRun, StandingClock, png, run_started


def say(words: str) -> None:
    """One line, at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def race(path: Path) -> None:
    """Try with each line."""
    say("ready")
    for line in sys.stdin:
        try:
            with RunLedger.open_owned(path, StandingClock()) as owned:
                say("owned")
                sys.stdin.readline()
                owned.append(UserTextAdded(text=line.strip(), reason="the race"))
        except LedgerProblem as problem:
            say(type(problem).__name__)


def main(path: Path, what: str, number: int) -> None:
    """Do it."""
    if what == "race":
        race(path)
        return
    try:
        opened = (
            RunLedger.open_owned(path, StandingClock()) if path.exists() else RunLedger.create(path, StandingClock())
        )
    except LedgerProblem as problem:
        say(f"{type(problem).__name__}: {problem}")
        return
    if what == "hold":
        say("owned")
        sys.stdin.read()
        opened.close()
    elif what == "events":
        opened.append(run_started())
        events = [event for click in range(1, 1 + number // 5) for event in Click(click).steps()]
        events += Click(1 + number // 5).steps()[: number % 5]
        for event in events:
            opened.append(event)
        say("written")
        os._exit(9)
    else:
        run = SdkRun(picture_bytes=60_000)
        opened.append(run_started(), [Blob(png(1), "image/png")])
        while True:
            for checkpoint in run.step():
                say(f"{opened.save_checkpoint(checkpoint).seq}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0)
