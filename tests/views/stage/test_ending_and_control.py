"""Above the picture: why a run failed, and control only where there is a screen to take."""

import pytest
from pytestqt.qtbot import QtBot

from app.core.events import RunEnded, RunStarted
from app.core.moment import Moment
from app.core.value import Json
from app.views.stage.control_bar import ControlBar
from tests.helpers.journals import JournalWriter, folded
from tests.views.conftest import OpenReplay


def begun(plan: Json) -> JournalWriter:
    writer = JournalWriter()
    writer.add(
        RunStarted(
            run_id="20261129-2105-k7m3qx",
            task="Look",
            model="scripted",
            engine="responses",
            max_steps=20,
            provenance="live",
            unattended=False,
            plan=plan,
            versions={},
        )
    )
    return writer


def test_why_a_run_failed_stands_above_the_picture(open_replay: OpenReplay) -> None:
    writer = begun({})
    writer.add(RunEnded(status="failed", reason="the start page could not be opened: http://a.example/"))
    stage = open_replay(writer).stage
    assert stage is not None
    assert stage.outcome.text() == "The run failed: the start page could not be opened: http://a.example/"
    assert not stage.outcome.isHidden()


@pytest.mark.parametrize(
    ("plan", "offered"),
    [
        ({"browser": {}, "computer": None}, True),
        ({"browser": None, "computer": {}}, True),
        ({"browser": None, "computer": None}, False),
        ({}, True),
    ],
)
def test_control_is_offered_where_there_is_a_screen(qtbot: QtBot, plan: Json, offered: bool) -> None:
    bar = ControlBar()
    qtbot.addWidget(bar)
    timeline = folded(begun(plan).records)
    bar.show_moment(Moment(timeline, timeline.last_seq), live=True)
    assert bar.take_button.isVisibleTo(bar) == offered
