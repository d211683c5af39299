"""The stage shows the picture of the moment with what belongs to it, and words where there is no picture."""

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.core.events import PageChanged, PictureTaken
from app.core.evidence import Picture
from app.core.live import LatestFrame, LiveFrame
from app.replay.cursor import Follow, Seek
from app.views.stage.stage_panel import NOTHING_RECORDED, StagePanel
from app.views.stage.tabs import tabs_at
from app.views.window import ConsoleWindow
from tests.helpers.journals import HEIGHT, RESERVE_BOX, SITE, WIDTH, JournalWriter, booking, booking_page
from tests.views.conftest import OpenReplay

WAIT_MS = 60_000


def stage_of(window: ConsoleWindow) -> StagePanel:
    assert window.stage is not None
    return window.stage


def shown_digest(stage: StagePanel) -> str | None:
    shot = stage.picture.shot
    return shot.label.picture.digest if shot is not None else None


def late_digest(stage: StagePanel) -> str | None:
    late = stage.picture._late
    return late.belongs.label.picture.digest if late is not None and late.belongs is not None else None


def wait_for(qtbot: QtBot, stage: StagePanel, digest: str) -> None:
    qtbot.waitUntil(lambda: shown_digest(stage) == digest, timeout=WAIT_MS)


def test_each_place_shows_its_own_picture(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    stage, model = stage_of(window), window.model
    assert model is not None
    for frame in model.timeline.frames:
        model.do(Seek(frame.seq))
        wait_for(qtbot, stage, frame.picture.digest)
        assert stage.caption.text() == f"{SITE}/book — Book a table"


def test_of_many_seeks_the_last_one_is_shown(open_replay: OpenReplay, qtbot: QtBot) -> None:
    writer = booking()
    window = open_replay(writer)
    stage, model = stage_of(window), window.model
    assert model is not None
    qtbot.waitUntil(lambda: shown_digest(stage) is not None, timeout=WAIT_MS)
    before = len(writer.blobs.reads)
    frames = list(model.timeline.frames)
    for _ in range(20):
        for frame in frames:
            model.do(Seek(frame.seq))
    model.do(Seek(frames[2].seq))
    qtbot.waitUntil(lambda: not stage.picture.decoder.busy, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: shown_digest(stage) == frames[2].picture.digest, timeout=WAIT_MS)
    assert len(writer.blobs.reads) - before <= len(frames)


def test_what_is_ready_while_something_else_comes_first_is_shown_after_it(
    open_replay: OpenReplay, qtbot: QtBot
) -> None:
    window = open_replay(booking())
    stage, model = stage_of(window), window.model
    assert model is not None
    qtbot.waitUntil(lambda: shown_digest(stage) is not None, timeout=WAIT_MS)
    first, *_, last = model.timeline.frames
    model.do(Seek(last.seq))
    wait_for(qtbot, stage, last.picture.digest)
    stage.picture.wait()
    model.do(Seek(first.seq))
    # The one before may be ready once more, in the size that its room has become.
    qtbot.waitUntil(lambda: late_digest(stage) == first.picture.digest, timeout=WAIT_MS)
    assert shown_digest(stage) == last.picture.digest
    stage.picture.go_on()
    assert shown_digest(stage) == first.picture.digest


def test_the_target_is_boxed_six_pixels_out(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking(stop_at_last_ask=True))
    stage = stage_of(window)
    qtbot.waitUntil(lambda: shown_digest(stage) is not None, timeout=WAIT_MS)
    assert stage.picture.marks.target == RESERVE_BOX
    assert "target" in stage.picture.accessibleDescription()
    placement = stage.picture.placement
    assert placement is not None
    x, y, width, height = placement.box(RESERVE_BOX)
    image = stage.picture.grab().toImage()
    for place in ((x - 6, y + height / 2), (x + width + 6, y + height / 2), (x + width / 2, y - 6)):
        assert image.pixelColor(int(place[0]), int(place[1])) == QColor("#E8590C")


def test_no_target_is_marked_on_another_picture(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    stage = stage_of(window)
    qtbot.waitUntil(lambda: shown_digest(stage) is not None, timeout=WAIT_MS)
    assert stage.age.text().startswith("recorded ")
    assert "as the action ended" in stage.age.text()
    assert stage.picture.marks.target is None


def test_on_the_last_live_picture_no_question_of_before_is_boxed(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking(deny_last=True))
    assert window.model is not None
    recorded = stage_of(window)
    qtbot.waitUntil(lambda: recorded.picture.marks.target == RESERVE_BOX, timeout=WAIT_MS)
    frames = LatestFrame()
    frames.put(LiveFrame(booking_page(9), "image/png", WIDTH, HEIGHT, WIDTH, HEIGHT, 1, "t1"))
    stage = StagePanel(window.model, frames)
    qtbot.addWidget(stage)
    stage.resize(640, 420)
    stage.show()
    try:
        qtbot.waitUntil(lambda: stage.picture.shot is not None, timeout=WAIT_MS)
        assert stage.age.text().startswith("the last live picture")
        assert stage.picture.marks.target is None
    finally:
        stage.close_down()


def test_a_chosen_element_is_outlined_where_the_read_says_it_lay(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    stage = stage_of(window)
    qtbot.waitUntil(lambda: shown_digest(stage) is not None, timeout=WAIT_MS)
    stage.choose_element({"ref": "e41", "role": "button", "label": "Reserve table"})
    assert stage.picture.marks.chosen == RESERVE_BOX
    stage.choose_element({"ref": "e999"})
    assert not stage.picture.marks
    stage.choose_element({"ref": "e37"})
    assert stage.picture.marks
    stage.choose_element(None)
    assert not stage.picture.marks


def test_before_the_first_picture_there_are_words(open_replay: OpenReplay) -> None:
    window = open_replay(booking())
    stage, model = stage_of(window), window.model
    assert model is not None
    model.do(Seek(1))
    assert stage.picture.words == NOTHING_RECORDED
    assert stage.picture.image is None
    assert stage.caption.text() == ""


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"GIF89a" + b"\0" * 60, "No picture: "), (booking_page(1)[:200], "No picture: ")],
    ids=["gif", "cut"],
)
def test_an_unsafe_picture_is_words(open_replay: OpenReplay, qtbot: QtBot, data: bytes, words: str) -> None:
    writer = booking(stop_at_last_ask=True)
    digest = writer.blobs.put(data)
    picture = Picture(digest=digest, media_type="image/png", width=9, height=9, css_width=9, css_height=9)
    writer.add(PictureTaken(role="read", picture=picture))
    stage = stage_of(open_replay(writer))
    qtbot.waitUntil(lambda: stage.picture.words.startswith(words), timeout=WAIT_MS)
    assert stage.picture.image is None


def test_a_picture_that_is_not_there_is_words(open_replay: OpenReplay, qtbot: QtBot) -> None:
    writer = booking(stop_at_last_ask=True)
    picture = Picture(digest="0" * 64, media_type="image/png", width=9, height=9, css_width=9, css_height=9)
    writer.add(PictureTaken(role="read", picture=picture))
    stage = stage_of(open_replay(writer))
    qtbot.waitUntil(lambda: stage.picture.words.startswith("No picture: "), timeout=WAIT_MS)


def test_one_to_one_where_it_fits(open_replay: OpenReplay, qtbot: QtBot) -> None:
    writer = JournalWriter()
    writer.records = booking(stop_at_last_ask=True).records[:4]
    writer.add(PictureTaken(role="read", picture=writer.picture(booking_page(1, size=(320, 200)))))
    window = open_replay(writer)
    stage = stage_of(window)
    qtbot.waitUntil(lambda: shown_digest(stage) is not None, timeout=WAIT_MS)
    placement = stage.picture.placement
    assert placement is not None
    assert (placement.width, placement.height, placement.exact) == (320, 200, True)


def test_the_tabs_of_the_driven_browser(open_replay: OpenReplay) -> None:
    writer = booking(stop_at_last_ask=True)
    writer.add(PageChanged(kind="tab_opened", tab_id="t2", detail="about:blank"))
    writer.add(PageChanged(kind="navigation", tab_id="t2", detail="https://other.example/\u202etxt"))
    writer.add(PageChanged(kind="tab_switched", tab_id="t2"))
    window = open_replay(writer)
    model = window.model
    assert model is not None
    assert [(tab.tab_id, tab.active) for tab in tabs_at(model.moment)] == [("t1", False), ("t2", True)]
    stage = stage_of(window)
    strip = stage.tabs
    assert not strip.isHidden()
    from app.views.widgets.elided_label import ElidedLabel

    labels = [label.text() for label in strip.findChildren(ElidedLabel) if not label.isHidden()]
    assert labels[-1] == "https://other.example/⟦U+202E⟧txt"
    writer.add(PageChanged(kind="tab_closed", tab_id="t2"))
    model.extend(writer.records[-1:])
    assert [tab.tab_id for tab in tabs_at(model.moment)] == ["t1"]


def test_the_checked_outcome_is_said_apart(open_replay: OpenReplay) -> None:
    window = open_replay(booking())
    stage, model = stage_of(window), window.model
    assert model is not None
    assert stage.outcome.text() == "Checked, and it is as it should be: one booking is saved"
    assert stage.notices.isHidden()
    model.do(Seek(20))
    assert stage.outcome.isHidden()


def test_the_end_is_the_end_again_after_looking_back(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    stage, model = stage_of(window), window.model
    assert model is not None
    newest = model.timeline.frames[-1].picture.digest
    model.do(Seek(3))
    model.do(Follow())
    qtbot.waitUntil(lambda: shown_digest(stage) == newest, timeout=WAIT_MS)
