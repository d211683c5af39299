"""``signalbox rehearse``: saved answers against the real browser and site, and what differs on another page."""

import functools
import shutil
from datetime import date
from pathlib import Path

import pytest

from app.core.events import DecisionMade, OutcomeChecked, RunStarted
from app.ledger.reader import LedgerReader
from app.ledger.verify import verify
from app.rehearsal.site import DemoSite
from tests.end2end.program import signalbox


@pytest.mark.parametrize("scenario", ["refusal", "decisions"])
def test_a_saved_run_goes_the_same_way_again(tmp_path: Path, scenario: str) -> None:
    first = signalbox("demo", scenario, "--unattended", home=tmp_path)
    again = signalbox("rehearse", str(first.ledger), "--unattended", home=tmp_path)
    assert (again.code, again.last_line["status"]) == (0, "finished"), again.err
    assert again.last_line["decisions"] == first.last_line["decisions"]
    assert "no request differed from the saved run" in again.out
    assert again.ledger != first.ledger
    assert verify(again.ledger).whole
    with LedgerReader.open(again.ledger) as new, LedgerReader.open(first.ledger) as old:
        started = next(new.events()).event
        assert isinstance(started, RunStarted)
        assert (started.provenance, started.unattended) == ("rehearsal", True)
        made = [
            [one.event.decision for one in run.events() if isinstance(one.event, DecisionMade)] for run in (old, new)
        ]
        decided = [[(one.verdict, one.by) for one in decisions] for decisions in made]
        assert decided[0] == decided[1]


def test_the_first_difference_is_said_at_once_and_is_on_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from app.cli.rehearse import rehearse_unattended

    first = signalbox("demo", "booking", "--unattended", home=tmp_path)
    monkeypatch.setattr("app.rehearsal.site.DemoSite", functools.partial(DemoSite, first_day=date(2027, 6, 7)))
    rehearse_unattended(first.ledger, home=tmp_path)
    said = capsys.readouterr()
    assert "request 2 is the first that differs: input[0].output[0].text.result" in said.err
    ledger = Path(said.out.splitlines()[-1].rpartition(" · ")[2])
    with LedgerReader.open(ledger) as reader:
        outcomes = [one.event for one in reader.events() if isinstance(one.event, OutcomeChecked)]
    assert [outcome.ok for outcome in outcomes] == [False]
    assert "request 2 is the first" in outcomes[0].facts[1]


def test_a_copy_is_looked_at_and_never_rehearsed(tmp_path: Path) -> None:
    first = signalbox("demo", "two-calls", "--unattended", home=tmp_path)
    copy = tmp_path / "copy.signalbox"
    shutil.copy(first.ledger, copy)
    ran = signalbox("rehearse", str(copy), "--unattended", home=tmp_path)
    assert ran.code == 1
    assert "may be looked at but not rehearsed" in ran.err
    assert "Traceback" not in ran.err
