"""Figures of runs, counted from their journals."""

from pathlib import Path

from app.core.alignment import aligned, steps_of
from app.core.comparison import figures_of, rows_of, same_task
from app.core.events import ActionEnded, OutcomeChecked
from tests.unit.app.runner.choosing import BOOKED, RESERVED, choosing, run_choosing
from tests.unit.app.runner.harness import Run, run_scenario
from tests.unit.app.runner.scenes import DONE, READ, RESERVE, TYPE_NAME, answer, scene


def by_responses(folder: Path) -> Run:
    scenario = scene(answer(READ), answer(TYPE_NAME), answer(RESERVE), answer(DONE))
    return run_scenario(scenario.model_copy(update={"task": "Book a table for Ada Park."}), folder)


def test_the_same_task_by_responses_and_by_decisions(tmp_path: Path) -> None:
    chosen = run_choosing(choosing(*BOOKED, choosing=f'texts = {{ Name = "Ada Park" }}\n{RESERVED}'), tmp_path)
    (tmp_path / "other").mkdir()
    called = by_responses(tmp_path / "other")
    assert [len(run.site.bookings) for run in (chosen, called)] == [1, 1]
    first, second = figures_of(chosen.timeline), figures_of(called.timeline)
    assert same_task([first, second])
    assert (first.engine, second.engine) == ("decisions", "responses")
    assert (first.requests, second.requests) == (len(chosen.model.requests), len(called.model.requests)) == (3, 4)
    assert (first.asks, second.asks) == (2, 2)
    assert (first.done, second.done) == (2, 2), "reads are no actions"
    assert (first.ended, second.ended) == ("finished · verified", "finished")
    assert (first.checks, second.checks) == ("1 of 1 held", "none stated")
    for run, figures in ((chosen, first), (called, second)):
        assert figures.tokens == sum(turn.total_tokens for turn in run.timeline.turns)
        assert 0 <= figures.waited_millis <= figures.millis
    assert [name for name, _ in rows_of([first, second])][:3] == ["run", "engine", "model"]
    steps = aligned(steps_of(called.timeline), steps_of(chosen.timeline))
    alike = [(row.left.member, row.right.member) for row in steps if row.left and row.right and row.left.source]
    assert alike == [("type", "type"), ("click", "click")], "what was done by call and by choice stands side by side"
    assert [row.differs for row in steps] == [("only in one",), (), (), ("outcome",)], "looks are no steps"


def test_what_did_not_hold_and_what_was_not_done_is_counted(tmp_path: Path) -> None:
    run = run_choosing(choosing("done", keys="max_steps = 1", choosing=RESERVED), tmp_path)
    figures = figures_of(run.timeline)
    assert run.of(OutcomeChecked) != []
    assert [event.outcome for event in run.of(ActionEnded)].count("not_done") == 1, "the text did not come"
    assert (figures.checks, figures.not_done, figures.ended) == ("0 of 1 held", 0, "failed")


def test_another_task_is_no_comparison(tmp_path: Path) -> None:
    figures = figures_of(run_choosing(choosing("done"), tmp_path).timeline)
    (tmp_path / "other").mkdir()
    other = figures_of(run_choosing(choosing("done"), tmp_path / "other").timeline)
    assert same_task([figures, other])
    assert not same_task([figures, type(figures)(**{**vars(other), "task": "Something else."})])
