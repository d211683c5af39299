"""A saved run fills its window part by part; until all of it was read and checked it says that it is checking."""

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from pytestqt.qtbot import QtBot

from app.core.events import PageChanged
from app.core.sealed import SealFound
from app.ledger.seal import SUFFIX, check_seal, key_id, seal_run
from app.ledger.store import RunLedger
from app.replay.cursor import Seek
from app.replay.reading import FIRST_EVENTS, Reading, begin_reading
from app.views import saved_run
from app.views.inspector.ledger import LedgerPanel
from app.views.saved_run import CHECKING, IN_USE, NOT_WHOLE, UNPROVEN, WHOLE, SavedRun
from app.views.window import ConsoleWindow
from tests.unit.app.ledger.made_up import StandingClock, run_ended, run_started
from tests.unit.app.ledger.test_recordings import RECORDINGS
from tests.unit.app.replay.saved import checkpoint, write_json
from tests.views.reading_screen import texts

WAIT_MS = 60_000
EVENTS = 1000

KEY = b"k" * 32
Seal = Callable[[Reading], SealFound]


class Open(Protocol):
    """Opens a file in a window of its own."""

    def __call__(self, path: Path, seal: Seal | None = None) -> SavedRun:
        """`seal` looks at the seal of what was checked."""


@pytest.fixture
def open_saved(windows: list[ConsoleWindow], qtbot: QtBot) -> Iterator[Open]:
    """Opens a file in a window of its own; the file is closed after the window."""
    readings: list[Reading] = []

    def open_it(path: Path, seal: Seal | None = None) -> SavedRun:
        readings.append(begin_reading(path))
        window = ConsoleWindow(settings_path=None)
        windows.append(window)
        window.furnish()
        return SavedRun(window, readings[-1], seal=seal)

    yield open_it
    for window in windows:
        if not window.is_closed:
            window.close()
    for reading in readings:
        reading.close()


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A finished run of many small events."""
    path = tmp_path / "run.signalbox"
    with RunLedger.create(path, StandingClock()) as written:
        written.append(run_started())
        for number in range(2, EVENTS):
            written.append(PageChanged(kind="navigation", tab_id="1", detail=f"http://127.0.0.1/{number}"))
        written.append(run_ended())
    return path


def window_of(saved: SavedRun) -> ConsoleWindow:
    window = saved.parent()
    assert isinstance(window, ConsoleWindow)
    return window


def test_the_beginning_is_there_at_once_and_the_rest_comes(
    open_saved: Open, ledger: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_run, "PART_EVENTS", 100)
    saved = open_saved(ledger)
    window = window_of(saved)
    assert saved.model.timeline.last_seq == FIRST_EVENTS
    assert window.header.mode.text() == CHECKING
    said: list[str] = []
    saved.model.changed.connect(lambda: said.append(window.header.mode.text()))
    with qtbot.waitSignals([saved.read_whole, saved.checked], timeout=WAIT_MS, order="strict"):
        window.show()
    assert saved.model.timeline.last_seq == EVENTS
    assert saved.model.following
    assert len(said) > 5
    assert set(said) == {CHECKING}
    assert window.header.mode.text() == WHOLE
    assert all(dock.panel is not None for dock in window.docks.values())


def test_it_shows_what_a_window_shows_that_was_given_all_at_once(
    open_saved: Open, ledger: Path, qtbot: QtBot, windows: list[ConsoleWindow]
) -> None:
    from app.replay.source import open_source
    from app.views.application import open_replay_window

    saved = open_saved(ledger)
    window = window_of(saved)
    with qtbot.waitSignal(saved.checked, timeout=WAIT_MS):
        window.show()
    source = open_source(ledger)
    windows.append(open_replay_window(source.timeline(), source.blobs, settings_path=None))
    windows[-1].header.say_record(WHOLE, "clear")
    qtbot.waitUntil(lambda: texts(window) == texts(windows[-1]), timeout=WAIT_MS)
    source.close()


def test_who_has_moved_the_cursor_meanwhile_keeps_the_place(open_saved: Open, ledger: Path, qtbot: QtBot) -> None:
    saved = open_saved(ledger)
    saved.model.do(Seek(7))
    with qtbot.waitSignal(saved.read_whole, timeout=WAIT_MS):
        window_of(saved).show()
    assert saved.model.seq == 7


def test_a_record_that_was_changed_is_never_called_whole(open_saved: Open, ledger: Path, qtbot: QtBot) -> None:
    with sqlite3.connect(ledger) as connection:
        connection.execute("UPDATE events SET body = replace(body, '/900', '/901') WHERE seq = 900")
    connection.close()
    saved = open_saved(ledger)
    window = window_of(saved)
    with qtbot.waitSignal(saved.checked, timeout=WAIT_MS):
        window.show()
    assert saved.model.timeline.last_seq == 899
    assert window.header.mode.text() == NOT_WHOLE
    assert window.stage is not None
    assert "readable up to event 899 of 1000" in window.stage.notices.text()


def test_one_from_the_future_says_so_above_the_picture(open_saved: Open, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "from-the-future.signalbox"
    shutil.copy(RECORDINGS / path.name, path)
    saved = open_saved(path)
    window = window_of(saved)
    with qtbot.waitSignal(saved.checked, timeout=WAIT_MS):
        window.show()
    assert window.header.mode.text() == NOT_WHOLE
    assert window.stage is not None
    assert "made by a newer Signalbox (format 2): to be looked at only" in window.stage.notices.text()
    assert "the rest needs a newer Signalbox" in window.stage.notices.text()


def test_a_bare_checkpoint_is_never_called_checked(open_saved: Open, tmp_path: Path, qtbot: QtBot) -> None:
    saved = open_saved(write_json(tmp_path / "c.json", checkpoint()))
    with qtbot.waitSignal(saved.checked, timeout=WAIT_MS):
        window_of(saved).show()
    assert window_of(saved).header.mode.text() == UNPROVEN


def test_a_run_in_use_is_said_to_be_shown_as_it_was(open_saved: Open, tmp_path: Path, qtbot: QtBot) -> None:
    with RunLedger.create(tmp_path / "run.signalbox", StandingClock()) as written:
        written.append(run_started())
        saved = open_saved(written.path)
        window = window_of(saved)
        with qtbot.waitSignal(saved.checked, timeout=WAIT_MS):
            window.show()
        written.append(run_ended())
    # True also now that its owner has gone.
    assert window.header.mode.text() == IN_USE
    assert window.stage is not None
    assert "when it was read: what came later is not in it" in window.stage.notices.text()


def test_a_window_that_is_closed_ends_the_reading(
    open_saved: Open, ledger: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_run, "PART_EVENTS", 10)
    saved = open_saved(ledger)
    with qtbot.waitSignal(saved.model.changed, timeout=WAIT_MS):
        window_of(saved).show()
    last = saved.model.timeline.last_seq
    window_of(saved).close()
    qtbot.wait(0)
    assert saved.model.timeline.last_seq == last < EVENTS


def seal_by(key: bytes | None) -> Seal:
    """Looks at seals with the key of this machine."""

    def look(reading: Reading) -> SealFound:
        assert reading.report is not None
        return check_seal(reading.report, key)

    return look


def write_on(path: Path) -> None:
    with RunLedger.open_owned(path, StandingClock()) as written:
        written.append(PageChanged(kind="navigation", tab_id="1", detail="http://127.0.0.1/"))
        written.append(run_ended())


def break_it(path: Path) -> None:
    side = path.with_name(path.name + SUFFIX)
    side.write_text(side.read_text().replace('"events":', '"events":1'))


def take_it_away(path: Path) -> None:
    path.with_name(path.name + SUFFIX).unlink()


@pytest.mark.parametrize(
    ("then", "key", "short", "tone"),
    [
        (None, KEY, "sealed", "clear"),
        (None, b"x" * 32, "seal cannot be checked here", "hold"),
        (None, None, "seal cannot be checked here", "hold"),
        (write_on, KEY, "sealed in part", "hold"),
        (break_it, KEY, "seal broken", "danger"),
        (take_it_away, KEY, "not sealed", "clear"),
    ],
)
def test_the_header_and_the_ledger_panel_say_what_is_known_of_the_seal(
    then: Callable[[Path], None] | None,
    key: bytes | None,
    short: str,
    tone: str,
    open_saved: Open,
    ledger: Path,
    qtbot: QtBot,
) -> None:
    seal_run(ledger, KEY, wall_ms=1_764_450_000_000)
    if then is not None:
        then(ledger)
    saved = open_saved(ledger, seal_by(key))
    window = window_of(saved)
    with qtbot.waitSignal(saved.seal_seen, timeout=WAIT_MS):
        window.show()
    assert window.header.mode.text() == f"{WHOLE} · {short}"
    assert window.header.mode.property("tone") == tone
    assert saved.model.seal is not None
    window.docks["ledger"].raise_()
    panel = window.docks["ledger"].panel
    assert isinstance(panel, LedgerPanel)

    qtbot.waitUntil(lambda: panel.rows.rowCount() > 0 and panel.rows.row(0).word == "seal", timeout=WAIT_MS)
    assert saved.model.seal.words in panel.rows.row(0).words
    assert (key_id(KEY) in panel.rows.row(1).words) == (short != "not sealed")
    # A seal that is broken is said above the picture, as everything is that is wrong with a record.
    assert window.stage is not None
    assert ("The seal:" in window.stage.notices.text()) == (short == "seal broken")


def test_a_key_store_that_never_answers_keeps_no_window_open(open_saved: Open, ledger: Path, qtbot: QtBot) -> None:
    asked, answer = threading.Event(), threading.Event()

    def wait(reading: Reading) -> SealFound:
        asked.set()
        answer.wait()
        return SealFound("whole", "sealed and whole")

    saved = open_saved(ledger, wait)
    window = window_of(saved)
    with qtbot.waitSignal(saved.checked, timeout=WAIT_MS):
        window.show()
    assert asked.wait(WAIT_MS / 1000)
    looking = next(one for one in threading.enumerate() if one.name == "seal")
    assert window.header.mode.text() == WHOLE
    window.close()
    assert window.is_closed
    answer.set()
    looking.join(WAIT_MS / 1000)
