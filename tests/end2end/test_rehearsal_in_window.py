"""A rehearsal with a person at the window: asked as in any run, and the first difference stands above the stage."""

import asyncio
import functools
from datetime import date
from pathlib import Path

import pytest

from app.cli.rehearse import rehearse_in
from app.cli.window import in_window
from app.core.events import DecisionMade
from app.ledger.reader import LedgerReader
from app.rehearsal.site import DemoSite
from app.views.window import ConsoleWindow
from tests.end2end.program import signalbox
from tests.helpers.pilot import Pilot


def rehearsed(ledger: Path, home: Path) -> list[str]:
    """The notices above the stage when the first question came, which the person answers with Stop."""
    notes: list[str] = []

    async def main(window: ConsoleWindow) -> int:
        async def person() -> None:
            pilot = Pilot(window)
            await pilot.until(lambda: window.model is not None, "the run")
            card = await pilot.next_card()
            assert card is not None
            assert window.stage is not None
            notes.extend(window.stage.notes)
            await pilot.press(card, "stop")
            await pilot.until(pilot.ended, "the end")
            window.close()

        code, _ = await asyncio.gather(rehearse_in(window, ledger, home=home), person())
        return code

    assert in_window(main, home) == 1
    return notes


def test_a_difference_is_seen_before_the_next_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = signalbox("demo", "booking", "--unattended", home=tmp_path)
    assert rehearsed(first.ledger, tmp_path) == []
    monkeypatch.setattr("app.rehearsal.site.DemoSite", functools.partial(DemoSite, first_day=date(2027, 6, 7)))
    (said,) = rehearsed(first.ledger, tmp_path)
    assert said.startswith("request 2 is the first that differs: input[0].output[0].text.result.")
    newest = max((tmp_path / "runs").glob("*.signalbox"), key=lambda path: path.stat().st_mtime_ns)
    with LedgerReader.open(newest) as reader:
        by = [one.event.decision.by for one in reader.events() if isinstance(one.event, DecisionMade)]
    # A person's press is a person's, also in a rehearsal.
    assert by[-1] == "person"
