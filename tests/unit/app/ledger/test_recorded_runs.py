"""Every checkpoint that the SDK's own runner hands over comes back equal, over real HTTP, in every mode it has."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.ledger.reader import LedgerReader
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from app.rehearsal.scenario import load_scenario
from tests.unit.app.ledger.made_up import StandingClock, data_url, png
from tests.unit.app.rehearsal import form_driver
from tests.unit.app.rehearsal.bare_run import run_bare, served

ODD = ["\ud800", "\x00", "\ud83d\ude00", "😀", "a\u202eb", "</script>", "$text"]


async def checkpoints_of(name: str, *, stream: bool, eager: bool) -> list[dict[str, Any]]:
    scenario = load_scenario(name)
    with served(scenario) as (_, _, model_url, site_url):
        run = await run_bare(scenario, model_url, site_url, ledger=True, stream=stream, eager=eager)
    return run.checkpoints


@pytest.mark.parametrize(
    ("name", "stream", "eager"),
    [("booking", False, False), ("booking", True, False), ("booking", True, True), ("mixed", True, False)],
)
async def test_a_recorded_run_comes_back_equal(
    name: str, stream: bool, eager: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form_driver, "PIXEL", data_url(png(7)))
    handed_over = await checkpoints_of(name, stream=stream, eager=eager)
    with RunLedger.create(path, StandingClock()) as ledger:
        for checkpoint in handed_over:
            ledger.save_checkpoint(checkpoint)
    with LedgerReader.open(path) as reader:
        assert [reader.checkpoint(number) for number in reader.revisions()] == handed_over
    assert verify(path).whole


async def test_texts_that_no_service_sends_come_back_too(tmp_path: Path) -> None:
    recorded = await checkpoints_of("booking", stream=False, eager=False)
    path = tmp_path / "odd.signalbox"

    @settings(max_examples=25)
    @given(st.lists(st.text(st.characters(), max_size=5000) | st.sampled_from(ODD), min_size=1, max_size=4))
    def comes_back_equal(texts: list[str]) -> None:
        said = [{"role": "user", "content": text, text[:5]: text} for text in texts]
        handed_over = [{**checkpoint, "history": [*said, *checkpoint["history"]]} for checkpoint in recorded]
        path.unlink(missing_ok=True)
        with RunLedger.create(path, StandingClock()) as ledger:
            for checkpoint in handed_over:
                ledger.save_checkpoint(checkpoint)
        with LedgerReader.open(path) as reader:
            assert [reader.checkpoint(number) for number in reader.revisions()] == handed_over

    comes_back_equal()
