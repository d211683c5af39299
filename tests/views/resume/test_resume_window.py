"""The form goes on only by its button and only when everything in doubt is answered; closing it changes nothing."""

import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.events import ActionStarted, Recorded
from app.core.live import LatestFrame, LiveFrame
from app.core.resuming import InDoubt, Left, ResumeAnswer, ResumeOffer, left_of
from app.core.settle import SettledCall
from app.views.resume.resume_panel import MISSING, READY, ResumePanel
from app.views.resume.resume_window import ResumeWindow
from tests.helpers.journals import HEIGHT, WIDTH, JournalWriter, booking, booking_page

WAIT_MS = 60_000
START = "http://127.0.0.1:8000/"


class ShownPage:
    """A page to look at, painted by hand; what was opened is kept."""

    def __init__(self) -> None:
        self.frames = LatestFrame()
        self.opened: list[str] = []
        self.closed = threading.Event()

    def open(self, url: str, said: Callable[[str], None]) -> None:
        """See `PageLook.open`."""
        self.opened.append(url)
        said("")
        page = booking_page(4)
        self.frames.put(LiveFrame(page, "image/png", WIDTH, HEIGHT, WIDTH, HEIGHT, 1, "t1"))

    def close(self) -> None:
        """See `PageLook.close`."""
        self.closed.set()


def cut_at(writer: JournalWriter, member: str) -> list[Recorded]:
    """The journal of a run that died when an action of that member had started."""
    records = list(writer.records)
    at = next(
        at for at, one in enumerate(records) if isinstance(one.event, ActionStarted) and one.event.member == member
    )
    return records[: at + 1]


def offer_of(left: Left, *changes: str) -> ResumeOffer:
    not_begun = SettledCall(
        "later", 1, "functions", "opening_hours", "not_done", "not asked yet, nothing was done", False
    )
    return ResumeOffer(left, changes, (*left.calls[-1:], not_begun), 12, START)


@pytest.fixture
def form(qtbot: QtBot) -> Iterator[tuple[ResumeWindow, ResumePanel, ShownPage]]:
    writer, page = booking(), ShownPage()
    left = left_of(cut_at(writer, "click"))
    window = ResumeWindow()
    window.show_offer(offer_of(left, "model: before, now"), page, writer.blobs.blob)
    window.show()
    assert window.panel is not None
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))
    yield window, window.panel, page
    if not closed:
        window.close()


def test_a_long_address_to_look_at_shows_its_host(form: tuple[ResumeWindow, ResumePanel, ShownPage]) -> None:
    assert form[1].look is not None
    assert form[1].look.address.text()
    assert form[1].look.address.cursorPosition() == 0


def test_the_effect_that_was_cut_off_is_in_doubt_with_its_question(
    form: tuple[ResumeWindow, ResumePanel, ShownPage],
) -> None:
    [doubt] = form[1].doubts
    shown: InDoubt = doubt.doubt
    assert (shown.call.member, shown.call.outcome) == ("click", "may_have_happened")
    assert shown.ask is not None
    assert shown.ask.evidence.picture is not None


def test_nothing_is_preset_and_no_key_goes_on(form: tuple[ResumeWindow, ResumePanel, ShownPage]) -> None:
    window, panel, _ = form
    [doubt] = panel.doubts
    assert doubt.found is None
    assert not panel.go_button.isEnabled()
    assert panel.ready.text() == MISSING
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Escape):
        QTest.keyClick(window, key)
    QTest.mouseClick(panel.go_button, Qt.MouseButton.LeftButton)
    assert window.answer is None
    assert not window.is_closed
    QTest.mouseClick(doubt.buttons["unknown"], Qt.MouseButton.LeftButton)
    assert panel.ready.text() == READY
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        QTest.keyClick(panel, key)
    assert window.answer is None


def test_what_is_said_is_the_answer_and_it_is_given_once(form: tuple[ResumeWindow, ResumePanel, ShownPage]) -> None:
    window, panel, page = form
    given: list[ResumeAnswer] = []
    window.answered.connect(given.append)
    [doubt] = panel.doubts
    QTest.mouseClick(doubt.buttons["not_done"], Qt.MouseButton.LeftButton)
    panel.note.setPlainText("  The form was empty.  ")
    panel.places[1][0].click()
    QTest.mouseClick(panel.go_button, Qt.MouseButton.LeftButton)
    [answer] = given
    assert answer.found == {doubt.doubt.place: "not_done"}
    assert answer.note == "The form was empty."
    assert answer.start_url == panel.offer.left.page_url != START
    assert window.is_closed
    assert page.closed.is_set()


def test_leaving_it_answers_nothing(form: tuple[ResumeWindow, ResumePanel, ShownPage]) -> None:
    window, panel, page = form
    QTest.mouseClick(panel.leave_button, Qt.MouseButton.LeftButton)
    assert window.is_closed
    assert window.answer is None
    assert page.closed.is_set()


def test_the_live_page_is_opened_by_hand_at_the_address_in_the_line(
    form: tuple[ResumeWindow, ResumePanel, ShownPage], qtbot: QtBot
) -> None:
    panel, page = form[1], form[2]
    assert page.opened == [], "nothing is opened by itself"
    assert panel.look is not None
    look = panel.look
    look.address.setText("https://tables.example/bookings")
    QTest.mouseClick(look.open_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: look.picture.image is not None, timeout=WAIT_MS)
    assert page.opened == ["https://tables.example/bookings"]


def test_a_run_with_nothing_in_doubt_can_go_on_at_once(qtbot: QtBot) -> None:
    writer = booking()
    left = left_of(cut_at(writer, "read_page"))
    window = ResumeWindow()
    window.show_offer(ResumeOffer(left, (), (), 12, None), None, writer.blobs.blob)
    assert window.panel is not None
    assert window.panel.doubts == []
    assert window.panel.look is None
    assert window.panel.go_button.isEnabled()
    window.close()
