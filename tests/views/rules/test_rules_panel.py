"""The rules panel: what each rule answered, and taking back what was allowed for the run."""

from typing import Any

from pytestqt.qtbot import QtBot

from app.core.decision import Decision
from app.core.events import AskRaised, DecisionMade, Event, RunResumed, RunStarted
from app.core.scope import RunScope
from app.views.models.timeline_model import TimelineModel
from app.views.rules.rules_panel import RulesPanel
from tests.views.decision.samples import Blobs
from tests.views.inspector.samples import click_ask, numbered

SCOPE = RunScope(
    kind="browser_action", source="browser", member="click", arguments={}, origin="https://a.test", label="Save"
)
PLAN: dict[str, Any] = {"rules": [{"verdict": "deny", "text": "<b>never</b> type"}, {"verdict": "allow", "text": ""}]}


def started() -> RunStarted:
    return RunStarted(
        run_id="r",
        task="t",
        model="m",
        engine="responses",
        max_steps=1,
        provenance="live",
        unattended=False,
        plan=PLAN,
        versions={},
    )


def asked_and(number: int, **decision: Any) -> list[Event]:
    ask = click_ask().model_copy(update={"ask_id": f"a{number:04d}"})
    made = {"ask_id": ask.ask_id, "digest": ask.digest, "by": "rule", "verdict": "allow", **decision}
    return [AskRaised(ask=ask), DecisionMade(decision=Decision.model_validate(made))]


def panel_of(qtbot: QtBot, *, live: bool) -> RulesPanel:
    model = TimelineModel(blobs=Blobs(), live=live)
    panel = RulesPanel(model)
    model.setParent(panel)
    qtbot.addWidget(panel)
    events = [
        started(),
        *asked_and(1, verdict="deny", rule="file 1"),
        *asked_and(2, verdict="deny", rule="file 1"),
        *asked_and(3, by="person", for_run=SCOPE),
        *asked_and(4, rule="run 1"),
    ]
    model.extend(numbered(events))
    panel.refresh()
    return panel


def words(panel: RulesPanel) -> list[str]:
    return [panel.rows.row(at).words for at in range(panel.rows.rowCount())]


def test_each_rule_says_what_it_answered_who_wrote_it_and_when_last(qtbot: QtBot) -> None:
    first, first_by, second, _, mine, mine_by = words(panel_of(qtbot, live=True))
    assert first.startswith("deny")
    assert "<b>never</b> type" in first
    assert first.endswith("2 hits")
    assert "run file" in first_by
    assert first_by.endswith("ask 2")
    assert "rule 2 of the run file" in second
    assert "0 hits" in second
    assert "Save" in mine
    assert "https://a.test" in mine
    assert mine.endswith("1 hit")
    assert "you" in mine_by


def test_only_a_rule_of_yours_can_be_taken_back_and_once(qtbot: QtBot) -> None:
    panel = panel_of(qtbot, live=True)
    undone: list[int] = []
    panel.undo_wanted.connect(undone.append)
    assert not panel.undo_button.isEnabled()
    panel.view.setCurrentIndex(panel.rows.index(0))
    assert not panel.undo_button.isEnabled()
    panel.view.setCurrentIndex(panel.rows.index(4))
    assert panel.undo_button.isEnabled()
    panel.undo_button.click()
    assert undone == [1]
    assert words(panel)[4].startswith("undone")
    assert not panel.undo_button.isEnabled()


def test_in_a_saved_run_nothing_can_be_taken_back(qtbot: QtBot) -> None:
    panel = panel_of(qtbot, live=False)
    panel.view.setCurrentIndex(panel.rows.index(4))
    assert not panel.undo_button.isEnabled()


def test_what_an_earlier_process_allowed_has_ended_and_numbers_go_on(qtbot: QtBot) -> None:
    """A resumed run: the rules of its own plan count from there, and only what was made there can be taken back."""
    panel = panel_of(qtbot, live=True)
    model = panel.findChild(TimelineModel)
    assert model is not None
    plan = {"rules": [{"verdict": "allow", "text": "other"}]}
    more: list[Event] = [
        RunResumed(by="person", base_revision=1, model="m", plan=plan, versions={}),
        *asked_and(5, by="person", for_run=SCOPE),
    ]
    model.extend(numbered(more, first=model.timeline.last_seq + 1))
    panel.refresh()
    planned, _, first, _, second, _ = words(panel)
    assert "other" in planned
    assert planned.endswith("0 hits")
    assert first.startswith("ended")
    assert second.startswith("allow")
    for row, undone in ((2, False), (4, True)):
        panel.view.setCurrentIndex(panel.rows.index(row))
        assert panel.undo_button.isEnabled() is undone
    taken: list[int] = []
    panel.undo_wanted.connect(taken.append)
    panel.undo_button.click()
    assert taken == [2]
