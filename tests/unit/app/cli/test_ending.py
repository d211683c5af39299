"""The closing line and the exit code of a run, for every way in which one can end."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.cli.ending import report
from app.core.errors import MissingHere, NotDurable, UsageProblem
from app.core.events import RunEnded
from app.core.timeline import Timeline
from app.runner.session import Session

PATH = Path("/runs/r.signalbox")


def ended(status: Any, problem: BaseException | None = None) -> Session:
    end = RunEnded(status=status, reason="why", final_text="Done." if status == "finished" else "") if status else None
    return cast(Session, SimpleNamespace(run_id="r", ledger_path=PATH, ended=end, problem=problem))


@pytest.mark.parametrize(
    ("status", "problem", "code", "word"),
    [
        ("finished", None, 0, "finished"),
        ("stopped", None, 1, "stopped"),
        ("failed", None, 1, "failed"),
        ("needs_reconciling", None, 1, "needs reconciling"),
        ("failed", UsageProblem("x"), 2, "failed"),
        ("failed", MissingHere("x"), 3, "failed"),
        ("failed", NotDurable("x"), 1, "failed"),
        ("failed", RuntimeError("x"), 1, "failed"),
        (None, RuntimeError("x"), 1, "failed"),
    ],
)
def test_the_line_and_the_code(
    status: Any, problem: BaseException | None, code: int, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(ended(status, problem), Timeline()) == code
    written = capsys.readouterr()
    assert written.out.splitlines()[-1] == f"run r · {word} · 0 decisions · {PATH}"
    assert ("why" in written.err) == (status not in ("finished", None))
    assert ("Done." in written.out) == (status == "finished")


def test_an_end_that_nobody_checked_is_said_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    for verification, said in (("verified", False), ("unverified", True)):
        end = RunEnded(status="finished", reason=f"{verification}: why", verification=cast(Any, verification))
        session = cast(Session, SimpleNamespace(run_id="r", ledger_path=PATH, ended=end, problem=None))
        assert report(session, Timeline()) == 0
        assert ("unverified: why" in capsys.readouterr().err) is said
