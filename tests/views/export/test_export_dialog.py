"""The export dialog: what it orders, what it shows while it works and afterwards, and that it can be stopped."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.errors import LedgerProblem
from app.core.evidence import Box
from app.core.exporting import Exported, Exporter, ExportOrder, Progress, box_words
from app.export.masks import keep_masks, kept_masks
from app.export.write import export_run
from app.views.export.export_dialog import COVERED_SINCE, THERE_IS_ONE, ExportDialog, PageShot
from tests.helpers.log_watch import LogWatch
from tests.unit.app.export.saved_booking import save_booking

WAIT_MS = 60_000
OpenDialog = Callable[..., ExportDialog]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return save_booking(tmp_path / "run.signalbox")


@pytest.fixture
def open_dialog(qtbot: QtBot, record: Path) -> Iterator[OpenDialog]:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    opened: list[ExportDialog] = []

    def make(exporter: Exporter, **more: PageShot) -> ExportDialog:
        dialog = ExportDialog(record, exporter, parent, **more)
        dialog.open()
        opened.append(dialog)
        return dialog

    yield make
    for dialog in opened:
        dialog.close_down()


REAL = Exporter(export=export_run, kept_masks=kept_masks)


def test_it_writes_what_was_chosen_and_says_what_was_left_out(
    qtbot: QtBot, open_dialog: OpenDialog, record: Path, tmp_path: Path
) -> None:
    dialog = open_dialog(REAL)
    assert dialog.place.text().endswith("run.html")
    dialog.kinds["csv"].setChecked(True)
    assert dialog.place.text().endswith("run.csv")
    dialog.place.setText(str(tmp_path / "out.csv"))
    dialog.masks.setPlainText("1,2,30,40\n\n5,6,7,8")
    dialog.texts.setPlainText("Party of two\n")
    dialog.export_button.click()
    qtbot.waitUntil(lambda: "Written" in dialog.said.text(), timeout=WAIT_MS)
    assert "2 regions are covered" in dialog.said.text()
    assert "1 text of a list is left out" in dialog.said.text()
    assert b"Party of two" not in (tmp_path / "out.csv").read_bytes()
    assert [box_words(mask) for mask in kept_masks(record)] == ["1,2,30,40", "5,6,7,8"]
    assert dialog.export_button.isEnabled()


def test_a_file_that_is_there_is_written_over_only_when_asked_twice(
    qtbot: QtBot, open_dialog: OpenDialog, tmp_path: Path
) -> None:
    (mine := tmp_path / "mine.csv").write_text("mine")
    (other := tmp_path / "other.csv").write_text("other")
    dialog = open_dialog(REAL)
    dialog.kinds["csv"].setChecked(True)
    for place in (mine, other):
        # What was agreed to for one file holds for no other one.
        dialog.place.setText(str(place))
        assert dialog.export_button.text() == "Export"
        dialog.export_button.click()
        assert dialog.said.text() == THERE_IS_ONE
        assert dialog.export_button.text() == "Write over it"
    assert (mine.read_text(), other.read_text()) == ("mine", "other")
    dialog.export_button.click()
    qtbot.waitUntil(lambda: "Written" in dialog.said.text(), timeout=WAIT_MS)
    assert mine.read_text() == "mine"
    assert other.read_text() != "other"
    dialog.export_button.click()
    assert dialog.said.text() == THERE_IS_ONE, "nor does it hold for a second time"


def test_what_another_console_has_covered_meanwhile_is_not_uncovered(
    qtbot: QtBot, open_dialog: OpenDialog, record: Path, tmp_path: Path
) -> None:
    mine, other = Box(x=1, y=2, width=3, height=4), Box(x=5, y=6, width=7, height=8)
    keep_masks(record, [mine])
    dialog = open_dialog(REAL)
    dialog.kinds["csv"].setChecked(True)
    dialog.place.setText(str(tmp_path / "out.csv"))
    keep_masks(record, [mine, other])
    dialog.export_button.click()
    assert dialog.said.text() == COVERED_SINCE
    assert dialog.masks.toPlainText().splitlines() == ["1,2,3,4", "5,6,7,8"]
    # What a person takes out of the list now is taken out.
    dialog.masks.setPlainText("5,6,7,8")
    dialog.export_button.click()
    qtbot.waitUntil(lambda: "Written" in dialog.said.text(), timeout=WAIT_MS)
    assert list(kept_masks(record)) == [other]


def test_regions_are_drawn_on_the_picture_and_kept_ones_stand_there(
    qtbot: QtBot, open_dialog: OpenDialog, tmp_path: Path, record: Path
) -> None:
    image = QImage(1280, 800, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    kept = Exporter(export=export_run, kept_masks=lambda _record: (Box(x=1, y=2, width=3, height=4),))
    dialog = open_dialog(kept, shot=PageShot(image, 640, 400))
    view = dialog.view
    assert view is not None
    qtbot.waitUntil(lambda: view.width() > 100 and view.isVisible(), timeout=WAIT_MS)
    # What is drawn on has more room than what is written.
    assert view.height() > 2 * max(dialog.masks.height(), dialog.texts.height())
    placement = view.placement
    corners = [
        QPoint(round(placement.x + x * placement.scale_x), round(placement.y + y * placement.scale_y))
        for x, y in ((100, 50), (300, 150))
    ]
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=corners[0])
    QTest.mouseMove(view, corners[1])
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=corners[1])
    first, drawn = dialog.masks.toPlainText().splitlines()
    assert first == "1,2,3,4"
    x, y, width, height = (int(part) for part in drawn.split(","))
    assert abs(x - 100) <= 1 and abs(y - 50) <= 1 and abs(width - 200) <= 2 and abs(height - 100) <= 2  # noqa: PT018
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=corners[0])
    assert len(dialog.masks.toPlainText().splitlines()) == 2
    # The region is dark on the picture, as it will be in the export.
    middle = QPoint(round(placement.x + 200 * placement.scale_x), round(placement.y + 100 * placement.scale_y))
    assert view.grab().toImage().pixelColor(middle * view.devicePixelRatio()).lightness() < 90


@pytest.mark.parametrize("line", ["1,2,3", "1,2,3,-4", "everything"])
def test_a_region_that_is_none_is_named_and_nothing_is_written(
    open_dialog: OpenDialog, tmp_path: Path, line: str
) -> None:
    dialog = open_dialog(REAL)
    dialog.place.setText(str(tmp_path / "out.html"))
    dialog.masks.setPlainText(f"1,2,3,4\n{line}")
    dialog.export_button.click()
    assert "a region" in dialog.said.text()
    assert not (tmp_path / "out.html").exists()


def test_it_can_be_stopped_and_then_closed(qtbot: QtBot, open_dialog: OpenDialog, tmp_path: Path) -> None:
    begun, stopped = threading.Event(), threading.Event()

    def endless(order: ExportOrder, progress: Progress) -> Exported:
        try:
            done = 0
            while True:
                done += 1
                progress(done, 10_000_000)
                begun.set()
        finally:
            stopped.set()

    dialog = open_dialog(Exporter(export=endless, kept_masks=kept_masks))
    dialog.place.setText(str(tmp_path / "out.html"))
    dialog.export_button.click()
    assert begun.wait(WAIT_MS / 1000)
    assert dialog.close_button.text() == "Stop"
    assert not dialog.export_button.isEnabled()
    dialog.close()
    assert dialog.isVisible()
    with qtbot.waitSignal(dialog.finished, timeout=WAIT_MS):
        pass
    assert stopped.is_set()


def test_what_goes_wrong_is_said(qtbot: QtBot, open_dialog: OpenDialog, tmp_path: Path, expected_log: LogWatch) -> None:
    expected_log("an export failed")

    def fails(order: ExportOrder, progress: Progress) -> Exported:
        raise RuntimeError("secret words")

    for exporter, words in (
        (Exporter(export=fails, kept_masks=kept_masks), "RuntimeError"),
        (REAL, "no such folder"),
    ):
        dialog = open_dialog(exporter)
        dialog.place.setText(str(tmp_path / "nowhere" / "out.html"))
        dialog.export_button.click()
        work = dialog._work
        assert work is not None
        with qtbot.waitSignal(work.ended, timeout=WAIT_MS):
            pass
        assert words in dialog.said.text()
        assert "secret" not in dialog.said.text()
        dialog.close()


def test_without_the_kept_regions_nothing_can_be_exported(open_dialog: OpenDialog) -> None:
    def unreadable(_record: Path) -> tuple[Box, ...]:
        raise LedgerProblem("the regions to be covered cannot be read")

    dialog = open_dialog(Exporter(export=export_run, kept_masks=unreadable))
    assert not dialog.export_button.isEnabled()
    assert "cannot be read" in dialog.said.text()
