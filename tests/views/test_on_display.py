"""The window on a real display with a window manager: keyboard, modality and closing differ there from offscreen."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.desktop.xserver import XServer

NEEDED = ("Xvfb", "openbox", "xdotool")
MANAGED_SECS = 60.0
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or any(shutil.which(name) is None for name in NEEDED),
    reason="needs " + ", ".join(NEEDED),
)


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A display of its own with a window manager on it."""
    with a_display("1600x1000") as name:
        yield name


@pytest.fixture
def low_display() -> Iterator[str]:
    """A display that is just as large as a first window would be without its frame."""
    with a_display("1440x900") as name:
        yield name


@contextlib.contextmanager
def a_display(size: str) -> Iterator[str]:
    """A display of its own with a window manager on it, of so many pixels."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as told:
        name = f":{told.readline().strip()}"
    manager = subprocess.Popen(["openbox"], env={**os.environ, "DISPLAY": name}, stderr=subprocess.DEVNULL)
    try:
        # A window that is shown before may never get the keys.
        looking = XServer(name)
        managed = looking.has_manager(MANAGED_SECS)
        looking.close()
        assert managed, "the window manager did not come"
        yield name
    finally:
        for one in (manager, server):
            one.terminate()
            one.wait()


def told_by(display: str, body: str) -> dict[str, object]:
    """What a program with a window on `display` found out."""
    start = """
        import asyncio, json, subprocess
        from PySide6.QtWidgets import QApplication
        from app.views.application import first_window, open_live_window, open_replay_window
        from app.views.bridge import run_window
        from tests.helpers.journals import booking, folded
        from tests.helpers.played_run import PlayedRun
        from app.gate.inbox import AskInbox

        def xdotool(*words):
            subprocess.run(["xdotool", *words], check=True)

        async def until(condition):
            loop = asyncio.get_running_loop()
            end = loop.time() + 60
            while not condition():
                if loop.time() > end:
                    raise TimeoutError("never came")
                await asyncio.sleep(0.02)

        shown = []
        def first(qapp):
            shown.append(first_window())
            return shown[0]
    """
    code = textwrap.dedent(start) + textwrap.dedent(body) + "\nrun_window(main, first=first)\n"
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": ROOT}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=240)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_keys_move_the_cursor_from_anywhere_in_the_window(display: str) -> None:
    told = told_by(
        display,
        """
        async def main(qapp):
            writer = booking()
            window = open_replay_window(folded(writer.records), writer.blobs, settings_path=None, window=shown[0])
            await until(window.isActiveWindow)
            seqs = [window.model.seq]
            for keys in ("ctrl+Left", "ctrl+Up", "ctrl+Right", "ctrl+End"):
                before = (window.model.seq, window.model.following)
                xdotool("key", keys)
                await until(lambda: (window.model.seq, window.model.following) != before)
                seqs.append(window.model.seq)
            asked = window.model.timeline.asks[-1].seq
            xdotool("key", "F6")
            await until(lambda: window.focusWidget() is not window)
            print(json.dumps({"seqs": seqs, "last": window.model.timeline.last_seq, "asked": asked}))
            window.close()
            return 0
        """,
    )
    last, asked = told["last"], told["asked"]
    assert isinstance(last, int)
    assert isinstance(asked, int)
    assert told["seqs"] == [last, last - 1, asked, asked + 1, last]


def test_the_window_manager_closing_the_window_denies_drains_and_closes(display: str) -> None:
    told = told_by(
        display,
        """
        async def main(qapp):
            inbox = AskInbox()
            run = PlayedRun(booking(), inbox)
            window = open_live_window(run, inbox, settings_path=None, window=shown[0])
            from app.views.live_run import LiveRun
            live = window.findChild(LiveRun)
            run.start()
            await until(lambda: live.presenter.card is not None and live.presenter.card.isVisible())
            modal = QApplication.activeModalWidget() is live.presenter.card
            run.drain.clear()
            window.close()
            said = window.header.state.text()
            run.drain.set()
            await window.wait_closed()
            run.join()
            print(json.dumps({"modal": modal, "said": said, "stops": run.stops, "answers": len(run.answers)}))
            return 0
        """,
    )
    assert told == {"modal": True, "said": "stopping", "stops": ["window_closed"], "answers": 0}


def test_keys_of_the_window_do_nothing_while_a_card_is_open(display: str) -> None:
    told = told_by(
        display,
        """
        async def main(qapp):
            inbox = AskInbox()
            run = PlayedRun(booking(), inbox)
            window = open_live_window(run, inbox, settings_path=None, window=shown[0])
            from app.views.live_run import LiveRun
            live = window.findChild(LiveRun)
            run.start()
            await until(lambda: live.presenter.card is not None and live.presenter.card.deny_button.isEnabled())
            for keys in ("Return", "space", "y", "a", "ctrl+Left", "ctrl+shift+x", "F11", "ctrl+w"):
                xdotool("key", keys)
            # Keys come in order: once Esc has denied, all of the others have been through.
            xdotool("key", "Escape")
            await until(lambda: run.answers)
            told = {
                "stops": list(run.stops),
                "answers": [answer.verdict for answer in run.answers],
                "following": window.model.following,
                "docks": sum(dock.isVisible() for dock in window.docks.values()),
            }
            print(json.dumps(told))
            window.close()
            await window.wait_closed()
            run.join()
            return 0
        """,
    )
    docks = told.pop("docks")
    assert isinstance(docks, int)
    assert docks >= 6
    assert told == {"stops": [], "answers": ["deny"], "following": True}


def test_a_first_window_fits_a_screen_of_its_own_size_with_its_frame(low_display: str) -> None:
    told = told_by(
        low_display,
        """
        async def main(qapp):
            writer = booking()
            window = open_replay_window(folded(writer.records), writer.blobs, settings_path=None, window=shown[0])
            await until(lambda: window.frameGeometry().height() > window.height())
            room, taken = window.screen().availableGeometry(), window.frameGeometry()
            print(json.dumps({"fits": room.height() >= taken.height(), "shows": window.height() > 800}))
            window.close()
            return 0
        """,
    )
    assert told == {"fits": True, "shows": True}


def test_a_first_window_is_as_low_as_its_panels_let_it_be() -> None:
    """A small screen at one and a half times its scale: 600 pixels are more than it has."""
    with a_display("853x580") as low:
        told = told_by(
            low,
            """
            async def main(qapp):
                writer = booking()
                window = open_replay_window(folded(writer.records), writer.blobs, settings_path=None, window=shown[0])
                await until(window.isActiveWindow)
                room = window.screen().availableGeometry()
                print(json.dumps({"fits": room.height() > window.height()}))
                window.close()
                return 0
            """,
        )
    assert told == {"fits": True}


@pytest.mark.parametrize("size", ["1280x720", "853x480"])
def test_dialogs_of_a_saved_run_leave_a_low_screen_room_for_their_frames(size: str) -> None:
    with a_display(size) as low:
        told = told_by(
            low,
            """
            from pathlib import Path
            from PySide6.QtGui import QImage
            from app.core.exporting import Exporter
            from app.views.compare.action_pictures import ActionPictures
            from app.views.export.export_dialog import ExportDialog, PageShot

            async def main(qapp):
                writer = booking()
                window = open_replay_window(folded(writer.records), writer.blobs, settings_path=None, window=shown[0])
                await until(window.isActiveWindow)
                shot = PageShot(QImage(1280, 800, QImage.Format.Format_RGB32), 1280, 800)
                exporter = Exporter(export=lambda order, progress: None, kept_masks=lambda record: ())
                fit = {}
                for name, opened in (
                    ("export", ExportDialog(Path("run.signalbox"), exporter, window, shot=shot)),
                    ("pictures", ActionPictures(window.model, window)),
                ):
                    opened.show()
                    # When a frame is told of is the window manager's affair; the room for it is left before.
                    room = opened.screen().availableGeometry()
                    fit[name] = room.height() > opened.height() and room.width() >= opened.width()
                    opened.close()
                print(json.dumps(fit))
                window.close()
                return 0
            """,
        )
    assert told == {"export": True, "pictures": True}


OTHER_PROGRAM = """
import sys
from PySide6.QtWidgets import QApplication, QLineEdit
qapp = QApplication([])
field = QLineEdit()
field.setWindowTitle("another program")
field.textChanged.connect(lambda text: open(sys.argv[1], "w").write(text))
# An empty file: keys come here from now on.
qapp.focusChanged.connect(lambda _old, new: new is field and open(sys.argv[1], "a").close())
field.show()
field.activateWindow()
qapp.exec()
"""


def test_a_question_takes_no_key_from_another_program(display: str, tmp_path: Path) -> None:
    told = told_by(
        display,
        f"""
        OTHER = {OTHER_PROGRAM!r}
        TYPED = {str(tmp_path / "typed")!r}
        """
        """
        import pathlib, sys
        async def main(qapp):
            inbox = AskInbox()
            run = PlayedRun(booking(), inbox)
            window = open_live_window(run, inbox, settings_path=None, window=shown[0])
            from app.views.live_run import LiveRun
            live = window.findChild(LiveRun)
            await until(window.isActiveWindow)
            typed = pathlib.Path(TYPED)
            other = subprocess.Popen([sys.executable, "-c", OTHER, TYPED])
            await until(lambda: typed.exists() and not window.isActiveWindow())
            xdotool("type", "--delay", "5", "before ")
            await until(lambda: typed.read_text() == "before ")
            run.start()
            await until(lambda: live.presenter.card is not None and live.presenter.card.isVisible())
            xdotool("type", "--delay", "5", "y a12 while")
            await until(lambda: typed.read_text() == "before y a12 while")
            quiet = not live.presenter.card.isActiveWindow() and not live.presenter.card.isModal()
            other.kill()
            other.wait()
            card = live.presenter.card
            xdotool("windowactivate", str(int(window.winId())))
            await until(card.isModal)
            answers = len(run.answers)
            window.close()
            await window.wait_closed()
            run.join()
            print(json.dumps({"quiet": quiet, "answers": answers}))
            return 0
        """,
    )
    assert told == {"quiet": True, "answers": 0}
