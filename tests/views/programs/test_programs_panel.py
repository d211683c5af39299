"""Programs and jobs: source, the calls beneath it with the lines that make them, jobs with state, output and end."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from app.core.events import ActionEnded, ActionStarted, CallAnswered, Event, ProposedCall, RunStarted, TurnAnswered
from app.core.jobs import JobCancelWanted, JobDelivered, JobEnded, JobRegistered
from app.core.moment import Moment
from app.core.programs_seen import asking_line, jobs_at, programs_at
from app.core.timeline import Timeline
from app.core.value import call_digest
from app.replay.cursor import Seek
from app.views.models.timeline_model import TimelineModel
from app.views.programs.programs_panel import OWN_LOOP, SDK_LOOP, ProgramsPanel
from app.views.window import ConsoleWindow
from tests.views.decision.samples import Blobs
from tests.views.inspector.samples import numbered

CODE = "const stock = await tools.get_inventory({});\nawait tools.order({});\nawait tools.order({});\n"

HEADER = RunStarted(
    run_id="r",
    task="t",
    model="m",
    engine="programs",
    max_steps=5,
    provenance="demo",
    unattended=True,
    plan={},
    versions={},
)


def turn(number: int, *items: dict[str, Any], calls: tuple[ProposedCall, ...] = ()) -> TurnAnswered:
    return TurnAnswered(turn=number, response_id=f"r{number}", calls=calls, messages=(), final=False, items=list(items))


def proposed(call_id: str, member: str, *, program: str = "", background: bool = False) -> ProposedCall:
    return ProposedCall(
        call_id=call_id,
        source="functions",
        member=member,
        arguments={"sku": call_id},
        program=program,
        background=background,
    )


def acted(call_id: str, member: str) -> list[Event]:
    digest = call_digest(member, {"sku": call_id})
    return [
        ActionStarted(call_id=call_id, source="functions", member=member, digest=digest, ask_id=None, reads_only=False),
        ActionEnded(call_id=call_id, outcome="done"),
    ]


PROGRAM = {"type": "program", "id": "p", "call_id": "p1", "code": CODE, "fingerprint": "f"}
ENDED = {"type": "program_output", "id": "o", "call_id": "p1", "result": '{"ordered": 1}', "status": "completed"}

A_PROGRAM: list[Event] = [
    HEADER,
    turn(
        1,
        PROGRAM,
        calls=(
            proposed("c1", "get_inventory", program="p1"),
            proposed("c2", "order", program="p1"),
            proposed("c3", "x"),
        ),
    ),
    *acted("c1", "get_inventory"),
]


def a_job(*more: Event) -> list[Event]:
    first, second = proposed("j1", "lookup", background=True), proposed("j2", "lookup", background=True)
    return [
        HEADER,
        turn(1, calls=(first, second)),
        JobRegistered(call_id="j1", name="lookup", handle="one"),
        acted("j1", "lookup")[0],
        *more,
    ]


def shown(qtbot: QtBot, events: list[Event], *, live: bool = True) -> tuple[TimelineModel, ProgramsPanel]:
    model = TimelineModel(blobs=Blobs(), live=live)
    panel = ProgramsPanel(model)
    qtbot.addWidget(panel)
    panel.resize(360, 500)
    panel.show()
    model.extend(numbered(events))
    qtbot.waitUntil(lambda: not panel._stale)
    return model, panel


def rows(model: Any) -> list[str]:
    return [model.row(at).words for at in range(model.rowCount())]


def test_a_program_stands_with_its_source_and_only_its_own_calls(qtbot: QtBot) -> None:
    model, panel = shown(qtbot, A_PROGRAM)
    assert panel.source.shown_text().startswith("const stock = await tools.get_inventory({});")
    assert rows(panel.tree) == [
        "running  program of turn 1",
        '├ done  get_inventory  {"sku": "c1"}  line 1',
        '├ next  order  {"sku": "c2"}',
    ]
    model.extend(numbered([turn(2, ENDED)], model.timeline.last_seq + 1))
    qtbot.waitUntil(lambda: not panel._stale)
    assert rows(panel.tree)[0] == "completed  program of turn 1"
    assert rows(panel.tree)[-1] == '└ result  {"ordered": 1}'
    model.do(Seek(2))
    qtbot.waitUntil(lambda: not panel._stale)
    assert rows(panel.tree)[0] == "running  program of turn 1"
    assert panel.summary == "1 program"
    assert panel.driven_by.text() == OWN_LOOP


def test_in_a_run_that_was_cut_off_nothing_runs(qtbot: QtBot) -> None:
    model, panel = shown(qtbot, A_PROGRAM)
    model.stopped_writing()
    qtbot.waitUntil(lambda: not panel._stale)
    assert rows(panel.tree) == [
        "cut off  program of turn 1",
        '├ done  get_inventory  {"sku": "c1"}  line 1',
        '├ not done  order  {"sku": "c2"}',
    ]
    jobs, panel = shown(qtbot, a_job(JobCancelWanted(call_id="j1")))
    jobs.stopped_writing()
    qtbot.waitUntil(lambda: not panel._stale)
    assert rows(panel.jobs) == ["cut off  lookup  one  not sent"]


def test_the_line_that_asks_is_said_only_where_there_is_one() -> None:
    assert asking_line(CODE, "get_inventory") == 1
    assert asking_line(CODE, "order") is None
    assert asking_line(CODE, "get") is None


def test_a_job_s_state_and_output_and_the_request_that_took_it(qtbot: QtBot) -> None:
    done: list[Event] = [
        ActionEnded(call_id="j1", outcome="done"),
        JobEnded(call_id="j1", state="completed"),
        CallAnswered(call_id="j1", ok=True, output=['{"price": 3}']),
        JobDelivered(call_id="j1", turn=2),
    ]
    model, panel = shown(qtbot, a_job(*done))
    assert rows(panel.jobs) == ["completed  lookup  one  0.0 s · sent in turn 2"]
    panel.jobs_view.setCurrentIndex(panel.jobs.index(0))
    assert '{"price": 3}' in panel.output.shown_text()
    assert not panel.end_button.isEnabled()
    model.do(Seek(4))
    qtbot.waitUntil(lambda: rows(panel.jobs) == ["running  lookup  one  since turn 1"])


def test_what_a_job_gave_is_shown_before_the_model_has_read_it(qtbot: QtBot) -> None:
    done: list[Event] = [
        ActionEnded(call_id="j1", outcome="done"),
        JobEnded(call_id="j1", state="completed", output='{"price": 3}', ok=True),
    ]
    _, panel = shown(qtbot, a_job(*done))
    assert rows(panel.jobs) == ["completed  lookup  one  0.0 s · not sent yet"]
    panel.jobs_view.setCurrentIndex(panel.jobs.index(0))
    assert '{"price": 3}' in panel.output.shown_text()


def test_only_a_running_job_of_a_live_run_can_be_ended_and_once(qtbot: QtBot) -> None:
    _, saved = shown(qtbot, a_job(), live=False)
    saved.jobs_view.setCurrentIndex(saved.jobs.index(0))
    assert not saved.end_button.isEnabled()
    model, panel = shown(qtbot, a_job())
    panel.jobs_view.setCurrentIndex(panel.jobs.index(0))
    wanted = QSignalSpy(panel.cancel_wanted)
    QTest.mouseClick(panel.end_button, Qt.MouseButton.LeftButton)
    assert [wanted.at(at) for at in range(wanted.count())] == [["j1"]]
    assert not panel.end_button.isEnabled()
    model.extend(numbered([JobCancelWanted(call_id="j1")], model.timeline.last_seq + 1))
    qtbot.waitUntil(lambda: rows(panel.jobs) == ["ending  lookup  one  since turn 1"])


def test_an_empty_panel_says_what_will_appear(qtbot: QtBot) -> None:
    _, panel = shown(qtbot, [HEADER])
    assert panel.programs_part.isVisible()
    assert panel.jobs_part.isVisible()
    assert rows(panel.tree) == rows(panel.jobs) == []
    assert panel.summary == ""
    _, other = shown(qtbot, [HEADER.model_copy(update={"engine": "responses"})])
    assert other.driven_by.text() == SDK_LOOP


def test_a_program_whose_items_are_odd_is_no_program() -> None:
    timeline = Timeline()
    odd: list[dict[str, Any]] = [{"type": "program", "call_id": 3}, {"type": "program_output", "call_id": "nobody"}]
    for recorded in numbered([HEADER, turn(1, *odd)]):
        timeline.apply(recorded)
    assert programs_at(Moment(timeline, 2)) == []
    assert jobs_at(Moment(timeline, 2)) == []


def test_the_panel_in_which_a_run_is_read_is_in_front(
    windows: list[ConsoleWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    def live() -> tuple[ConsoleWindow, TimelineModel]:
        window = ConsoleWindow(settings_path=tmp_path / "window.ini")
        windows.append(window)
        model = TimelineModel(blobs=Blobs(), live=True)
        window.show_run(model)
        window.show()
        with qtbot.waitExposed(window):
            pass
        return window, model

    def in_front(window: ConsoleWindow, key: str) -> bool:
        return not window.docks[key].visibleRegion().isEmpty()

    window, model = live()
    qtbot.waitUntil(lambda: in_front(window, "page_read"))
    assert not in_front(window, "programs")
    model.extend(numbered(A_PROGRAM))
    qtbot.waitUntil(lambda: in_front(window, "programs"))
    window.close()
    window, model = live()
    model.extend(numbered([HEADER.model_copy(update={"engine": "responses", "plan": {"code": {}}})]))
    qtbot.waitUntil(lambda: in_front(window, "code"))
    window.close()
    window, model = live()
    model.extend(numbered([HEADER.model_copy(update={"engine": "responses"})]))
    qtbot.waitUntil(lambda: in_front(window, "page_read"))
    assert not in_front(window, "programs")
