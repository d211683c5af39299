"""The window shows the fold, remembers itself, can be used by keyboard and by ear, and closes once."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLineEdit, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.replay.cursor import Follow, Seek
from app.views.application import open_replay_window
from app.views.commands import ACTIONS
from app.views.docks import DOCKS
from app.views.window import GHOSTS_GO_MS, ConsoleWindow
from tests.helpers.journals import booking, folded
from tests.views.conftest import OpenReplay


def header_words(window: ConsoleWindow) -> list[str]:
    header = window.header
    return [label.text() for label in (header.task, header.state, header.turn, header.counts, header.tokens)]


def test_the_header_says_how_the_run_stands(open_replay: OpenReplay) -> None:
    window = open_replay(booking(stop_at_last_ask=True))
    assert header_words(window) == [
        "Book a table for two on 3 May",
        "waiting for you",
        "turn 8 of 20",
        "6 asked · 5 allowed · 0 denied",
        "18,360 tokens",
    ]


def test_the_header_follows_the_cursor(open_replay: OpenReplay) -> None:
    window = open_replay(booking(deny_last=True))
    assert window.model is not None
    assert header_words(window)[1:4] == ["finished", "turn 9 of 20", "6 asked · 5 allowed · 1 denied"]
    window.model.do(Seek(1))
    assert header_words(window)[1:4] == ["starting", "turn 0 of 20", "0 asked · 0 allowed · 0 denied"]
    window.model.do(Follow())
    assert header_words(window)[1] == "finished"


def test_a_cut_off_run_says_what_became_of_its_last_call(open_replay: OpenReplay) -> None:
    window = open_replay(booking(stop_at_last_ask=True), cut_off=True)
    assert window.header.state.text() == "cut off"
    assert window.stage is not None
    said = window.stage.notices.text()
    assert "Click on a page element: no decision was made, nothing was done" in said


def test_the_task_cannot_draw_itself(open_replay: OpenReplay) -> None:
    window = open_replay(booking(task="<b>Verified</b> \u202eevil"))
    assert window.header.task.text() == "<b>Verified</b> ⟦U+202E⟧evil"
    assert window.header.task.textFormat() == Qt.TextFormat.PlainText


@pytest.mark.parametrize("size", [(1440, 900), (1100, 700), (800, 600)])
def test_the_picture_is_the_largest_thing(open_replay: OpenReplay, qtbot: QtBot, size: tuple[int, int]) -> None:
    window = open_replay(booking())
    window.resize(*size)
    with qtbot.waitExposed(window):
        pass
    window.default_layout()
    qtbot.waitUntil(lambda: window.docks["timeline"].width() > 100)
    stage = window.stage
    assert stage is not None
    seen = {key: dock.visibleRegion().boundingRect() for key, dock in window.docks.items()}
    areas = {key: one.width() * one.height() for key, one in seen.items()}
    assert stage.width() * stage.height() > max(areas.values())


def test_the_window_keeps_its_size_when_the_panels_are_put_back(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    window.resize(1280, 700)
    with qtbot.waitExposed(window):
        pass
    window.default_layout()
    assert (window.width(), window.height()) == (1280, 700)


def test_no_tab_of_a_first_window_is_cut_short(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    window.resize(1440, 900)
    with qtbot.waitExposed(window):
        pass
    window.default_layout()
    wanted = {spec.title for spec in DOCKS if spec.behind}

    def seen() -> dict[str, int]:
        bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return {
            bar.tabText(at): bar.tabRect(at).width() - bar.fontMetrics().horizontalAdvance(bar.tabText(at))
            for bar in bars
            if bar.isVisible()
            for at in range(bar.count())
        }

    qtbot.waitUntil(lambda: wanted <= set(seen()))
    assert {title: spare for title, spare in seen().items() if spare < 0} == {}


def test_the_timeline_takes_no_more_height_than_it_needs(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    with qtbot.waitExposed(window):
        pass
    assert window.stage is not None
    assert window.docks["timeline"].height() < 260 < window.stage.height()


def test_no_panel_lies_over_another(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    window.resize(900, 600)
    with qtbot.waitExposed(window):
        pass
    window.default_layout()
    places: list[QWidget] = [dock for dock in window.docks.values() if dock.visibleRegion().boundingRect().isValid()]
    centre = window.centralWidget()
    assert centre is not None
    places.append(centre)
    for index, one in enumerate(places):
        for other in places[index + 1 :]:
            assert not one.geometry().intersects(other.geometry()), (one.objectName(), other.objectName())


def test_everything_that_can_be_used_has_a_name(open_replay: OpenReplay) -> None:
    window = open_replay(booking())
    nameless = [
        f"{type(widget).__name__} {widget.objectName()}"
        for widget in window.findChildren(QWidget)
        if isinstance(widget, (QAbstractButton, QAbstractItemView, QLineEdit))
        and not widget.objectName().startswith("qt_")
        and not isinstance(widget.parent(), QLineEdit)
        if not (widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()))
    ]
    assert nameless == []


def test_each_button_can_be_reached_by_keyboard(open_replay: OpenReplay) -> None:
    window = open_replay(booking())
    unreachable = [
        button.accessibleName() or button.text()
        for button in window.findChildren(QAbstractButton)
        if not button.objectName().startswith("qt_")
        and not isinstance(button.parent(), QLineEdit)
        and not button.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert unreachable == []


def test_no_two_actions_share_a_key_and_none_is_on_a_plain_key(open_replay: OpenReplay) -> None:
    window = open_replay(booking())
    keys = [action.shortcut().toString() for action in window.actions() if not action.shortcut().isEmpty()]
    assert len(keys) == len(set(keys)) > 15
    assert all("+" in key or key.startswith("F") for key in keys)
    assert len({spec.key for spec in ACTIONS}) == len(ACTIONS)


def test_nothing_has_the_keyboard_when_the_window_opens(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    with qtbot.waitActive(window):
        pass
    assert window.focusWidget() is window


def test_f6_goes_from_panel_to_panel(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    with qtbot.waitActive(window):
        pass
    visited = []
    for _ in DOCKS:
        window.views.next_panel()
        focus = window.focusWidget()
        visited.append(next((key for key, dock in window.docks.items() if focus in dock.findChildren(QWidget)), ""))
    assert len(set(visited)) == len(visited) >= 3
    assert "" not in visited


def test_stage_alone_and_back(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    with qtbot.waitExposed(window):
        pass
    window.docks["ledger"].close()
    window.views.stage_alone()
    assert [key for key, dock in window.docks.items() if dock.isVisible()] == []
    window.views.stage_alone()
    assert [key for key, dock in window.docks.items() if not dock.isVisible()] == ["ledger"]


def test_the_theme_is_chosen_and_remembered(windows: list[ConsoleWindow], tmp_path: Path) -> None:
    writer, settings = booking(), tmp_path / "window.ini"
    first = open_replay_window(folded(writer.records), writer.blobs, settings_path=settings)
    windows.append(first)
    first.views.choose_theme("dark")
    assert first.looks.theme.name == "dark"
    first.close()
    first.looks.choose("light")
    second = open_replay_window(folded(writer.records), writer.blobs, settings_path=settings)
    windows.append(second)
    assert second.looks.theme.name == "dark"
    second.views.toggle_theme()
    assert second.looks.choice == "light"


def test_the_layout_is_remembered(windows: list[ConsoleWindow], tmp_path: Path) -> None:
    writer, settings = booking(), tmp_path / "window.ini"
    first = open_replay_window(folded(writer.records), writer.blobs, settings_path=settings)
    windows.append(first)
    first.resize(900, 650)
    first.docks["ledger"].close()
    first.close()
    second = open_replay_window(folded(writer.records), writer.blobs, settings_path=settings)
    windows.append(second)
    assert second.docks["ledger"].isHidden()
    assert not second.docks["events"].isHidden()
    assert second.height() == 650


def test_panels_keep_their_width_from_one_start_to_the_next(
    windows: list[ConsoleWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    writer, settings = booking(), tmp_path / "window.ini"
    seen: list[tuple[int, int]] = []
    for _ in range(5):
        window = open_replay_window(folded(writer.records), writer.blobs, settings_path=settings)
        windows.append(window)
        with qtbot.waitExposed(window):
            pass
        qtbot.wait(3 * GHOSTS_GO_MS)
        seen.append((window.docks["page_read"].width(), window.docks["ask"].width()))
        window.close()
    # The first one does not fit the made-up screen that there is without a display.
    assert seen[1:] == [seen[1]] * 4


@pytest.mark.parametrize(
    "broken",
    [
        b"\x00\xff\xfe not an ini file",
        b"[run_window]\nstate=AAAA\ngeometry=AAAA\n[looks]\ntheme=purple\n",
        b"[run_window]\nstate=@Variant(\\0\\0\\0\\x1c\\0\\0)\ngeometry=@ByteArray(\\xff\\xff)\n",
        b"[run_window]\nstate=" + b"QUJD" * 60_000 + b"\n",
    ],
    ids=["bytes", "nonsense", "variants", "huge"],
)
def test_a_broken_layout_is_forgotten(windows: list[ConsoleWindow], tmp_path: Path, broken: bytes) -> None:
    settings = tmp_path / "window.ini"
    settings.write_bytes(broken)
    writer = booking()
    window = open_replay_window(folded(writer.records), writer.blobs, settings_path=settings)
    windows.append(window)
    assert not any(dock.isHidden() for dock in window.docks.values())
    assert window.looks.choice == "system"
    assert window.width() >= 720


def test_a_window_remembered_off_every_screen_comes_back(windows: list[ConsoleWindow], tmp_path: Path) -> None:
    settings = tmp_path / "window.ini"
    lost = ConsoleWindow(settings_path=settings)
    windows.append(lost)
    lost.furnish()
    lost.move(90_000, 90_000)
    lost.close()
    assert QSettings(str(settings), QSettings.Format.IniFormat).contains("run_window/geometry")
    found = ConsoleWindow(settings_path=settings)
    windows.append(found)
    assert any(screen.geometry().intersects(found.frameGeometry()) for screen in QApplication.screens())


def test_a_folder_that_cannot_be_written_costs_only_the_memory(windows: list[ConsoleWindow], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    writer = booking()
    window = open_replay_window(folded(writer.records), writer.blobs, settings_path=tmp_path / "file" / "window.ini")
    windows.append(window)
    window.close()
    assert window.is_closed


def test_closing_emits_closed_once(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    closings = []
    window.closed.connect(lambda: closings.append(1))
    window.close()
    window.close()
    assert closings == [1]


def test_a_window_that_may_not_close_stays(open_replay: OpenReplay) -> None:
    window = open_replay(booking())
    window.may_close = lambda: False
    window.close()
    assert not window.is_closed
    window.may_close = lambda: True
    window.close()
    assert window.is_closed
