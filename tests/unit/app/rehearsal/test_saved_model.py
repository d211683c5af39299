"""Saved answers over real HTTP: refs found anew, the first difference said once, retries answered alike."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.core.errors import LedgerProblem
from app.core.events import Origin, RequestSent, TurnAnswered
from app.ledger.store import RunLedger
from app.rehearsal.saved_answers import SavedAnswers
from app.rehearsal.saved_model import SavedModel
from tests.unit.app.ledger.made_up import StandingClock, run_ended, run_started
from tests.unit.app.rehearsal.test_told import read
from tests.unit.app.replay.saved import called, checkpoint

TASK = {"role": "user", "content": "Book at http://old.test/"}
CLICK = {**called("c2", "browser_click", '{"target":"e2","tab_id":null}'), "parsed_arguments": {"target": "e2"}}
FIRST = called("c1", "browser_read_page", "{}")
PAGE = read(("e1", "button", "Save"), ("e2", "button", "Save"))


def save(path: Path) -> Path:
    """Two answers: a read, then a click on the second of two elements that are named alike."""
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        for turn, (history, item) in enumerate((([TASK], FIRST), ([TASK, FIRST, PAGE], CLICK)), start=1):
            ledger.save_checkpoint(checkpoint(revision=turn, history=history))
            ledger.append(RequestSent(turn=turn, revision=turn))
            ledger.append(
                TurnAnswered(
                    turn=turn, response_id="r", calls=(), messages=(), final=False, items=[item], input_tokens=7
                )
            )
        ledger.append(run_ended())
    return path


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[SavedAnswers]:
    opened = SavedAnswers(save(tmp_path / "run.signalbox"))
    yield opened
    opened.close()


def ask(url: str, told: list[Any], *, retry: int = 0) -> httpx2.Response:
    with httpx2.Client(trust_env=False) as client:
        headers = {"x-stainless-retry-count": str(retry)}
        return client.post(f"{url}/responses", json={"model": "m", "input": told}, headers=headers)


def test_refs_are_found_by_role_label_and_place(saved: SavedAnswers) -> None:
    said: list[str] = []
    model = SavedModel(saved, moved=("http://old.test", "http://new.test"), say=said.append)
    url = model.start()
    try:
        task = {"role": "user", "content": "Book at http://new.test/"}
        first = ask(url, [task]).json()
        assert first["output"] == [FIRST]
        assert first["usage"]["input_tokens"] == 7
        now = read(("e90", "button", "Save"), ("e95", "button", "Save"))
        second = ask(url, [task, FIRST, now]).json()["output"][0]
        assert json.loads(second["arguments"]) == {"target": "e95", "tab_id": None}
        assert "parsed_arguments" not in second
        assert ask(url, [task, FIRST, now], retry=1).json()["output"] == [second]
        assert (said, model.first_difference, model.served) == ([], "", 2)
        over = ask(url, [task, FIRST, now])
        assert over.status_code == 400
        assert "no answer after 2" in over.json()["error"]["message"]
    finally:
        model.stop()


def test_the_first_difference_is_said_once_and_the_answer_is_given_all_the_same(saved: SavedAnswers) -> None:
    said: list[str] = []
    model = SavedModel(saved, say=said.append)
    url = model.start()
    try:
        assert ask(url, [{"role": "user", "content": "Something else"}]).status_code == 200
        changed = read(("e3", "button", "Save"), ("e4", "button", "Save"), text="Sold out")
        assert ask(url, [TASK, FIRST, changed]).status_code == 200
    finally:
        model.stop()
    assert len(said) == 1
    assert said[0].startswith("request 1 is the first that differs: input[0].content")
    assert model.first_difference == said[0]


def test_an_element_that_is_not_there_ends_it(saved: SavedAnswers) -> None:
    model = SavedModel(saved)
    url = model.start()
    try:
        ask(url, [TASK])
        gone = ask(url, [TASK, FIRST, read(("e1", "button", "Save"))])
        assert gone.status_code == 400
        assert "button 'Save' is not on the page now" in gone.json()["error"]["message"]
    finally:
        model.stop()
    assert "request 2 is the first that differs" in model.first_difference


def test_what_was_not_made_here_or_is_damaged_is_not_rehearsed(tmp_path: Path) -> None:
    path = save(tmp_path / "run.signalbox")
    (tmp_path / "elsewhere").mkdir()
    copy = tmp_path / "elsewhere" / "run.signalbox"
    copy.write_bytes(path.read_bytes())
    with pytest.raises(LedgerProblem, match="not rehearsed \\(copied\\)"):
        SavedAnswers(copy)
    with RunLedger.create(tmp_path / "fork.signalbox", StandingClock()) as ledger:
        ledger.append(
            run_started().model_copy(update={"origin": Origin(run_id="earlier", revision=3, seq=9, chain="")})
        )
    with pytest.raises(LedgerProblem, match="a fork begins with another run's history"):
        SavedAnswers(tmp_path / "fork.signalbox")
    with RunLedger.create(tmp_path / "empty.signalbox", StandingClock()) as ledger:
        ledger.append(run_started())
    with pytest.raises(LedgerProblem, match="no answer of a model"):
        SavedAnswers(tmp_path / "empty.signalbox")
