"""A person takes the browser of a running run on the stage: real window, real Chromium, mouse, keys, paste and IME."""

import asyncio
import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.events import UserTextAdded
from app.core.evidence import Point
from app.core.human import ControlChanged, HumanActed, RecordingChanged
from app.gate.control import PERSON_ACTED, Control
from app.ledger.verify import verify
from app.rehearsal.functions import DEMO_FUNCTIONS, OPENING_HOURS, opening_hours
from app.runner.hands import TOLD_MODEL
from app.views.stage.stage_panel import StagePanel
from tests.end2end.supervised import supervise
from tests.helpers.pilot import Pilot

LEFT = Qt.MouseButton.LeftButton


def stage_of(pilot: Pilot) -> StagePanel:
    assert pilot.window.stage is not None
    return pilot.window.stage


def hold_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """The function is under way until control is wanted: however slow the window is, nothing else begins before."""
    wanted = asyncio.Event()
    want = Control.want

    def told(control: Control) -> None:
        want(control)
        wanted.set()

    async def held(arguments: Any) -> str:
        await wanted.wait()
        return await opening_hours(arguments)

    monkeypatch.setattr(Control, "want", told)
    monkeypatch.setitem(DEMO_FUNCTIONS, "opening_hours", (OPENING_HOURS, held))


async def take(pilot: Pilot) -> None:
    """Answer until the function is asked about; allow it and take control while it is under way, which needs
    `hold_the_function`.
    """
    while (card := await pilot.next_card()) is not None:
        if card.ask.kind != "function_call":
            await pilot.press(card, "allow")
            continue
        await pilot.until(card.allow_button.isEnabled, "allow on the card for the function")
        QTest.mouseClick(card.allow_button, LEFT)
        await pilot.until(lambda: under_way(pilot, "opening_hours"), "the function under way")
        QTest.mouseClick(stage_of(pilot).control.take_button, LEFT)
        break
    stage = stage_of(pilot)
    await pilot.until(lambda: stage.hand.on, "control taken")
    await pilot.until(lambda: stage.picture.placement is not None, "a live picture")


def under_way(pilot: Pilot, member: str) -> bool:
    model = pilot.window.model
    return model is not None and any(one.member == member for one in model.timeline.actions)


def on_stage(pilot: Pilot, label: str) -> QPoint:
    """Where the middle of that element of the newest read lies on the picture."""
    model, placement = pilot.window.model, stage_of(pilot).picture.placement
    assert model is not None
    assert placement is not None
    read = model.timeline.reads[-1]
    assert isinstance(read.report, dict)
    ref = next(one["ref"] for one in read.report["elements"] if one["label"] == label)
    box = read.boxes[ref]
    x, y = placement.point(Point(x=box.x + box.width / 2, y=box.y + box.height / 2))
    return QPoint(round(x), round(y))


def acts(pilot: Pilot) -> list[HumanActed]:
    model = pilot.window.model
    assert model is not None
    return list(model.timeline.human_acts)


def test_a_person_fills_a_field_and_the_model_looks_again(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_the_function(monkeypatch)

    async def person(pilot: Pilot) -> None:
        await take(pilot)
        stage, picture = stage_of(pilot), stage_of(pilot).picture
        assert pilot.card() is None

        QTest.mouseClick(picture, LEFT, pos=on_stage(pilot, "Name"))
        QTest.keyClicks(picture, "Ada ")
        QGuiApplication.clipboard().setText("Lovelace")
        QTest.keyClick(picture, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        composed = QInputMethodEvent("", [])
        composed.setCommitString(" 花子")
        QApplication.sendEvent(picture, composed)
        await pilot.until(lambda: sum(act.characters for act in acts(pilot)) == 15, "all that was typed on record")
        stage.control.private_button.click()
        await pilot.until(lambda: stage.control.private_button.isChecked(), "private mode")
        QTest.keyClicks(picture, " secretly")
        stage.control.private_button.click()
        await pilot.until(lambda: not stage.control.private_button.isChecked(), "the record going on")
        QTest.mouseClick(stage.control.back_button, LEFT)
        await pilot.answer_all(lambda ask: "allow")

    ran = supervise("takeover", tmp_path, person)
    events = [one.event for one in ran.timeline.events]
    assert ran.exit_code == 0, ran.timeline.ended[0]
    steps = [one.step for one in events if isinstance(one, ControlChanged)]
    assert steps == ["wanted", "taken", "returned"]
    acted = [one for one in events if isinstance(one, HumanActed)]
    # A busy machine may leave a pause between two letters; what was typed so far then goes on record by itself.
    whole = [(act, "".join(one.text or "" for one in parts)) for act, parts in groupby(acted, lambda one: one.act)]
    assert [(act, text) for act, text in whole if text] == [
        ("text", "Ada "),
        ("paste", "Lovelace"),
        ("text", " 花子"),
    ]
    assert {one.by for one in acted} == {"person"}
    gaps = [(one.recording, one.reason) for one in events if isinstance(one, RecordingChanged)]
    assert [recording for recording, _ in gaps] == [False, True]
    assert "private mode" in gaps[0][1]
    assert "secretly" not in repr([act for act in acted])

    # What the model chose before counts no more, it is told why, and its fresh read shows what the person did.
    told = json.dumps(ran.requests[-1]["input"])
    assert PERSON_ACTED[:60] in told
    assert any(isinstance(one, UserTextAdded) and TOLD_MODEL in one.text for one in events)
    assert ran.timeline.reads[-1].call_id != ran.timeline.reads[0].call_id
    assert "Ada Lovelace 花子 secretly" in json.dumps(ran.timeline.reads[-1].report, ensure_ascii=False)
    late = [one for one in ran.timeline.asks if one.ask.member == "select_option"]
    assert [one.ask.arguments["values"] for one in late if isinstance(one.ask.arguments, dict)] == [["2"]]
    assert verify(ran.session.ledger_path).whole


def test_a_stop_while_a_person_has_control_ends_the_run(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_the_function(monkeypatch)

    async def person(pilot: Pilot) -> None:
        await take(pilot)
        pilot.window.activateWindow()
        await pilot.until(stage_of(pilot).picture.hasFocus, "the keyboard on the picture")
        QTest.keyClick(
            stage_of(pilot).picture,
            Qt.Key.Key_F12,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )
        await pilot.until(pilot.ended, "the end")

    ran = supervise("takeover", tmp_path, person)
    assert ran.exit_code == 1
    assert ran.timeline.ended[0].status == "stopped"
    assert ran.timeline.stops[0].detail == "all runs were stopped at once"
    assert ran.timeline.controls[-1].step == "returned"
    assert verify(ran.session.ledger_path).whole
