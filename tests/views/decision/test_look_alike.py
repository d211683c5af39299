"""A page that paints one of our questions: its words are not ours, and a press on it answers nothing."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.human import MouseInput
from app.gate.inbox import AskInbox
from app.views.application import open_live_window
from app.views.decision.card import Card
from app.views.live_run import LiveRun
from app.views.seal import FIRST, SECOND, seal
from app.views.stage.stage_panel import StagePanel
from app.views.window import ConsoleWindow
from tests.helpers.journals import HEIGHT, WIDTH, JournalWriter
from tests.helpers.played_run import PlayedRun
from tests.views.decision.conftest import CardDesk
from tests.views.decision.samples import ask

LEFT = Qt.MouseButton.LeftButton


@dataclass
class Painted:
    """A window on a run whose page has painted a real card of another start of the program, at (0, 0)."""

    run: PlayedRun
    window: ConsoleWindow
    stage: StagePanel
    allow: QPoint
    """Where its Allow stands, in pixels of the page."""
    words: str

    @property
    def allow_on_stage(self) -> QPoint:
        """The same place on the picture."""
        placement = self.stage.picture.placement
        assert placement is not None
        x, y = self.allow.x() * placement.scale_x, self.allow.y() * placement.scale_y
        return QPoint(round(placement.x + x), round(placement.y + y))


@pytest.fixture
def painted(qtbot: QtBot, desk: CardDesk, windows: list[ConsoleWindow]) -> Iterator[Painted]:
    data, allow, words = _a_card_as_a_picture(desk.open(ask()))
    seal.cache_clear()
    run = PlayedRun(JournalWriter(), AskInbox())
    window = open_live_window(run, run.inbox, settings_path=None)
    windows.append(window)
    assert window.stage is not None
    run.show(data)
    window.stage.on_frame_ready()
    qtbot.waitUntil(lambda: window.stage is not None and window.stage.picture.placement is not None)
    yield Painted(run, window, window.stage, allow, words)
    window.may_close = lambda: True
    live = window.findChild(LiveRun)
    assert isinstance(live, LiveRun)
    live.bridge.close()
    seal.cache_clear()


def _a_card_as_a_picture(card: Card) -> tuple[bytes, QPoint, str]:
    page = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    page.fill(Qt.GlobalColor.white)
    painter = QPainter(page)
    painter.drawPixmap(0, 0, card.grab())
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    page.save(buffer, "PNG")  # type: ignore[call-overload]
    made = bytes(buffer.data().data()), card.allow_button.geometry().center(), card.seal.text()
    card.withdraw()
    return made


def test_a_painted_question_has_other_words_and_answers_nothing(painted: Painted) -> None:
    assert painted.window.header.seal.text() == seal()
    assert painted.words.split()[0] in FIRST
    assert painted.words.split()[1] in SECOND
    assert len(set(FIRST)) * len(set(SECOND)) > 2000, "guessed once in two thousand times"
    picture = painted.stage.picture
    QTest.mouseClick(picture, LEFT, pos=painted.allow_on_stage)
    QTest.mouseDClick(picture, LEFT, pos=painted.allow_on_stage)
    QTest.keyClick(picture, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert painted.run.answers == []
    assert painted.run.by_hand.did == [], "without control a press on the picture goes nowhere"


def test_in_control_a_press_on_it_is_the_page_s_alone(painted: Painted) -> None:
    painted.stage.hand.set_on(True)
    QTest.mouseClick(painted.stage.picture, LEFT, pos=painted.allow_on_stage)
    pressed = [given for _, given in painted.run.by_hand.did if isinstance(given, MouseInput)]
    assert [one.kind for one in pressed if one.kind != "move"] == ["down", "up"]
    assert abs(pressed[-1].x - painted.allow.x()) < 2
    assert painted.run.answers == []
