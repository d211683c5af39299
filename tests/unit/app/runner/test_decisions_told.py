"""What a person says to the model of a decisions run, and what one request has no room for, stands in observations."""

from pathlib import Path
from typing import Any

from app.core.events import RequestSent, UserTextAdded
from app.rehearsal.server import ScriptedModel
from app.runner.session import Session
from app.runner.told import SAID
from tests.unit.app.runner.choosing import RESERVED, ChoosingDriver, choosing, run_choosing
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.test_decisions_resumed import go_on, observed

WORDS = "Take the later one."


def test_words_go_with_the_next_request_and_stand_in_every_observation_after_it(tmp_path: Path) -> None:
    def begun(session: Session, model: ScriptedModel) -> None:
        assert model.wait_until_held("first")
        session.by_hand.say(WORDS)
        model.release("first")

    steps = ('choose = "type-name"\nwait_for = "first"', "press-reserve-table", "refuse = true")
    run = run_choosing(choosing(*steps), tmp_path, begun=begun)
    check(run)
    assert [f"The operator says: {WORDS}" in seen for seen in observed(run)] == [False, True, True]
    assert [(event.text, event.reason) for event in run.of(UserTextAdded)] == [(WORDS, SAID)]
    sent = [at for at, event in enumerate(run.events) if isinstance(event, RequestSent)]
    assert run.types().index("user_text_added") == sent[1] - 1, "on record when it leaves"
    again = go_on(run.ledger_path, choosing("done"))
    assert f"The operator says: {WORDS}" in observed(again)[0]


def test_words_that_no_request_takes_along_are_not_said_to_have_been_sent(tmp_path: Path) -> None:
    def begun(session: Session, model: ScriptedModel) -> None:
        assert model.wait_until_held("last")
        session.by_hand.say(WORDS)
        model.release("last")

    steps = ("type-name", "press-reserve-table", 'choose = "done"\nwait_for = "last"')
    scenario = choosing(*steps, choosing=f'texts = {{ Name = "Ada Park" }}\n{RESERVED}')
    run = run_choosing(scenario, tmp_path, begun=begun)
    check(run)
    assert run.ended.verification == "verified", "a fresh look was taken after it had been said"
    assert run.of(UserTextAdded) == []


def test_how_many_controls_one_request_has_no_room_for_is_said(tmp_path: Path) -> None:
    class Crowded(ChoosingDriver):
        def _elements(self) -> list[dict[str, Any]]:
            made = super()._elements()
            return [*made, *({"ref": f"n{n}", "role": "button", "label": f"Button {n}"} for n in range(300))]

    run = run_choosing(choosing("done"), tmp_path, make_driver=Crowded)
    check(run)
    (request,) = run.model.requests
    assert len(request.body["questions"][0]["choices"]) == 255
    alone = tmp_path / "alone"
    alone.mkdir()
    few = run_choosing(choosing("done"), alone)
    offered = len(few.model.requests[0].body["questions"][0]["choices"]) - 1
    assert f"Controls that are not offered, since there are too many: {offered + 300 - 254}" in observed(run)[0]
    assert "Controls that are not offered" not in observed(few)[0]
