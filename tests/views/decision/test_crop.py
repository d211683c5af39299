"""The picture on the card: what is marked is where the action goes."""

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.core.evidence import Blob, Box, Point
from app.views.decision.crop import MAX_HEIGHT, CropView, CutReader, cut_for, decode
from app.views.theme import TARGET_BOX
from tests.views.decision.samples import evidence, page_picture, picture_of, target

VIEW = 572


def _crop(qtbot: QtBot, blob: Blob, scale: float = 1.0, **changes: object) -> CropView:
    seen = evidence(picture_of(blob, scale), **changes)
    cut = cut_for(seen, VIEW - 2)
    assert cut is not None
    view = CropView()
    view.frame(seen, cut)
    qtbot.addWidget(view)
    view.setFixedWidth(VIEW)
    view.set_image(decode(blob.data, cut))
    view.show()
    qtbot.waitUntil(lambda: view.was_painted)
    return view


def test_a_target_is_cut_out_at_one_to_one_with_its_box_around_it(qtbot: QtBot) -> None:
    view = _crop(qtbot, page_picture())
    assert view.cut.scale == 1
    assert view.cut.words == "1 : 1"
    image = view.grab().toImage()
    corner = view.place_of(Point(x=72, y=444))
    left_edge = image.pixelColor(round(corner.x() - 5), round(corner.y()))
    inside = image.pixelColor(round(corner.x() + 8), round(corner.y()))
    assert left_edge == QColor(TARGET_BOX)
    assert inside == QColor("#24403B")


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.25, 1.5, 2.0])
def test_a_mark_stands_where_the_action_goes_at_any_scale(qtbot: QtBot, scale: float) -> None:
    blob = page_picture(round(1280 * scale), round(800 * scale))
    point = Point(x=300.0, y=500.0)
    view = _crop(qtbot, blob, scale, target=None, points=(point,))
    place = view.place_of(point)
    left = view._frame().left() + 1
    in_picture = QPointF(
        (place.x() - left) / view.cut.scale + view.cut.left, (place.y() - 1) / view.cut.scale + view.cut.top
    )
    assert abs(in_picture.x() - point.x * scale) <= 1
    assert abs(in_picture.y() - point.y * scale) <= 1
    assert view.rect().contains(place.toPoint())


def test_without_a_place_the_whole_picture_is_shown_smaller(qtbot: QtBot) -> None:
    view = _crop(qtbot, page_picture(), target=None)
    assert (view.cut.width, view.cut.height) == (1280, 800)
    assert view.cut.height * view.cut.scale <= MAX_HEIGHT
    assert view.cut.words == "1 : 3.4"


def test_a_target_at_the_edge_or_larger_than_the_view_stays_in_the_picture(qtbot: QtBot) -> None:
    picture = picture_of(page_picture())
    for box in (Box(x=0, y=0, width=10, height=10), Box(x=1270, y=790, width=10, height=10)):
        cut = cut_for(evidence(picture, target=target(box=box)), VIEW)
        assert cut is not None
        assert cut.left >= 0
        assert cut.top >= 0
        assert cut.left + cut.width <= 1280
        assert cut.top + cut.height <= 800
    large = cut_for(evidence(picture, target=target(box=Box(x=0, y=0, width=1280, height=780))), VIEW)
    assert large is not None
    assert large.scale < 1
    assert large.height * large.scale <= MAX_HEIGHT + 1


@pytest.mark.parametrize("box", [None, Box(x=5000, y=5000, width=10, height=10)])
def test_a_target_out_of_the_picture_marks_nothing_in_it(box: Box | None) -> None:
    cut = cut_for(evidence(picture_of(page_picture()), target=target(box=box)), VIEW)
    assert cut is not None
    assert cut.width == 1280
    assert cut_for(evidence(None), VIEW) is None


def test_bytes_that_are_no_picture_give_a_null_image() -> None:
    cut = cut_for(evidence(picture_of(page_picture())), VIEW)
    assert cut is not None
    assert decode(b"not a picture", cut).isNull()
    assert decode(page_picture(100, 100).data, cut).isNull()


def test_a_picture_is_read_in_another_thread(qtbot: QtBot) -> None:
    blob = page_picture()
    cut = cut_for(evidence(picture_of(blob)), VIEW)
    assert cut is not None
    images: list[QImage] = []
    reader = CutReader({blob.digest: blob.data}.__getitem__, blob.digest, cut)
    reader.ready.connect(images.append)
    with qtbot.waitSignal(reader.ready):
        reader.start()
    qtbot.waitUntil(lambda: bool(images))
    assert (images[0].width(), images[0].height()) == (cut.width, cut.height)
