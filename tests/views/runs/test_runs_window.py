"""The list of saved runs: what each row says, what can be opened, and that reading never blocks the window."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.settle import NO_DECISION
from app.ledger.shelf import RunSummary, list_runs
from app.views.application import open_runs_window
from app.views.runs.run_row import RunRow, left_words, origin_words, spoken, started_words
from app.views.runs.runs_panel import EMPTY, RunsPanel
from app.views.runs.runs_window import RunsWindow
from tests.helpers.log_watch import LogWatch
from tests.views.reading_screen import texts

WAIT_MS = 60_000


@dataclass(frozen=True)
class Cut:
    source: str = "browser"
    member: str = "click"
    words: str = NO_DECISION
    about: str = ""


@dataclass(frozen=True)
class Row:
    path: Path = Path("one.signalbox")
    run_id: str = "20261129-2105-k7m3qx"
    status: str = "finished"
    task: str = "Book a table"
    provenance: str = "demo"
    forked_from: str = ""
    started_wall_ms: int = 1_764_450_000_000
    asked: int = 6
    allowed: int = 5
    denied: int = 1
    answered: int = 0
    uncertain: Sequence[Cut] = ()
    lost_requests: int = 0
    notes: Sequence[str] = field(default_factory=tuple)


@pytest.fixture
def runs_windows() -> Iterator[list[RunsWindow]]:
    opened: list[RunsWindow] = []
    yield opened
    for window in opened:
        window.close()


def shown_panel(qtbot: QtBot, opened: list[RunsWindow], rows: Sequence[RunRow]) -> RunsPanel:
    window = open_runs_window(lambda: rows, settings_path=None)
    opened.append(window)
    panel = window.panel
    assert panel is not None
    qtbot.waitUntil(lambda: panel.view.isVisible() or panel.words.text() == EMPTY, timeout=WAIT_MS)
    return panel


def test_a_cut_off_run_says_what_became_of_its_last_call(qtbot: QtBot, runs_windows: list[RunsWindow]) -> None:
    panel = shown_panel(qtbot, runs_windows, [Row(status="cut_off", uncertain=(Cut(),))])
    cell = panel.runs.index(0, 0).data()
    assert "cut off" in cell
    assert "Click on a page element: no decision was made, nothing was done" in cell


@pytest.mark.parametrize(
    ("status", "resumed", "forked"),
    [
        ("cut_off", True, True),
        ("stopped", True, True),
        ("needs_reconciling", True, True),
        ("finished", False, True),
        ("running", False, False),
        ("unreadable", False, False),
    ],
)
def test_what_can_be_gone_on_with_is_offered(
    qtbot: QtBot, runs_windows: list[RunsWindow], status: str, resumed: bool, forked: bool
) -> None:
    panel = shown_panel(qtbot, runs_windows, [Row(status=status)])
    wanted: list[tuple[str, object]] = []
    panel.resume_wanted.connect(lambda path: wanted.append(("resume", path)))
    panel.fork_wanted.connect(lambda path: wanted.append(("fork", path)))
    QTest.mouseClick(panel.resume_button, Qt.MouseButton.LeftButton)
    QTest.mouseClick(panel.fork_button, Qt.MouseButton.LeftButton)
    path = Path("one.signalbox")
    assert wanted == [("resume", path)] * resumed + [("fork", path)] * forked


def test_words_for_every_kind_of_trouble() -> None:
    assert left_words(Row()) == []
    assert left_words(Row(status="cut_off")) == ["cut off between two steps: nothing was left half done"]
    assert left_words(Row(status="cut_off", lost_requests=1)) == [
        "1 request to the model left without an answer on record"
    ]
    assert left_words(Row(status="cut_off", uncertain=(Cut(about="button “Cancel”: done"),))) == [
        f"Click on a page element: {NO_DECISION} · button “Cancel”: done"
    ], "what a page calls itself stands last, where it cannot pass for the verdict"
    assert left_words(Row(status="unreadable", notes=("not a ledger",))) == ["not a ledger"]
    assert started_words(Row(started_wall_ms=0)) == ""
    assert spoken(Row(task="", started_wall_ms=0)).startswith("20261129-2105-k7m3qx; finished; 6 asked")
    assert spoken(Row(forked_from="older")).endswith("1 denied; demo, fork of older")
    assert origin_words(Row(provenance="live", forked_from="x" * 99)) == f"live run, fork of {'x' * 60}"
    assert origin_words(Row()) == "demo"


def test_hidden_characters_of_a_task_are_named(qtbot: QtBot, runs_windows: list[RunsWindow]) -> None:
    panel = shown_panel(qtbot, runs_windows, [Row(task="<b>x</b>\u202e")])
    assert "<b>x</b>⟦U+202E⟧" in panel.runs.index(0, 0).data()


def test_enter_and_open_open_the_chosen_run(qtbot: QtBot, runs_windows: list[RunsWindow]) -> None:
    rows = [Row(), Row(path=Path("two.signalbox"))]
    panel = shown_panel(qtbot, runs_windows, rows)
    opened: list[Path] = []
    runs_windows[0].open_wanted.connect(opened.append)
    with qtbot.waitActive(runs_windows[0]):
        pass
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_Down)
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    panel.open_button.click()
    assert opened == [Path("two.signalbox")] * 2


def test_what_cannot_be_read_cannot_be_opened(qtbot: QtBot, runs_windows: list[RunsWindow]) -> None:
    panel = shown_panel(qtbot, runs_windows, [Row(status="unreadable", notes=("not a ledger",))])
    assert not panel.open_button.isEnabled()


def test_an_empty_shelf_says_what_will_appear(qtbot: QtBot, runs_windows: list[RunsWindow]) -> None:
    panel = shown_panel(qtbot, runs_windows, [])
    assert EMPTY in texts(panel)["labels"]
    assert not panel.open_button.isEnabled()


def test_reading_does_not_block_the_window(qtbot: QtBot, runs_windows: list[RunsWindow]) -> None:
    go_on = threading.Event()

    def slow() -> list[Row]:
        go_on.wait()
        return [Row()]

    window = open_runs_window(slow, settings_path=None)
    runs_windows.append(window)
    panel = window.panel
    assert panel is not None
    with qtbot.waitExposed(window):
        pass
    panel.refresh()
    assert panel.runs.rowCount() == 0
    with qtbot.waitSignal(panel.refreshed, timeout=WAIT_MS):
        go_on.set()
    assert panel.runs.rowCount() == 1


def test_a_shelf_that_fails_says_so(qtbot: QtBot, runs_windows: list[RunsWindow], expected_log: LogWatch) -> None:
    expected_log("could not be listed")

    def broken() -> list[Row]:
        raise OSError("no")

    window = open_runs_window(broken, settings_path=None)
    runs_windows.append(window)
    panel = window.panel
    assert panel is not None
    qtbot.waitUntil(lambda: "could not be listed" in panel.words.text(), timeout=WAIT_MS)


def test_why_the_shelf_cannot_be_read_stands_in_the_window(
    qtbot: QtBot, runs_windows: list[RunsWindow], tmp_path: Path
) -> None:
    (tmp_path / "runs").touch()
    window = open_runs_window(lambda: list_runs(tmp_path / "runs"), settings_path=None)
    runs_windows.append(window)
    panel = window.panel
    assert panel is not None
    qtbot.waitUntil(lambda: "cannot be listed" in panel.words.text(), timeout=WAIT_MS)
    assert panel.words.text().endswith(str(tmp_path / "runs"))


def test_the_ledgers_own_list_fits(qtbot: QtBot, runs_windows: list[RunsWindow], tmp_path: Path) -> None:
    (tmp_path / "20261129-2105-aaaaaa.signalbox").write_bytes(b"not a ledger")
    rows: list[RunSummary] = list_runs(tmp_path)
    panel = shown_panel(qtbot, runs_windows, rows)
    assert "cannot be read" in panel.runs.index(0, 0).data()


def test_the_chosen_run_stays_chosen_over_a_refresh(qtbot: QtBot, runs_windows: list[RunsWindow]) -> None:
    rows = [Row(), Row(path=Path("two.signalbox"))]
    panel = shown_panel(qtbot, runs_windows, rows)
    panel.view.setCurrentIndex(panel.runs.index(1, 0))
    rows.insert(0, Row(path=Path("newer.signalbox")))
    with qtbot.waitSignal(panel.refreshed, timeout=WAIT_MS):
        panel.refresh_button.click()
    assert panel.view.currentIndex().row() == 2
