"""The window's loop in a program of its own: its result, its signals, its end, and what is loaded before the paint."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def program(body: str) -> "subprocess.Popen[str]":
    """A program that runs `body` and says what happens on standard output."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": ROOT, "PYTHONWARNINGS": "error"}
    return subprocess.Popen(
        [sys.executable, "-u", "-c", textwrap.dedent(body)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def output_of(body: str) -> tuple[list[str], str, int]:
    started = program(body)
    out, err = started.communicate(timeout=300)
    return out.splitlines(), err.replace("This plugin does not support propagateSizeHints()\n", ""), started.returncode


def test_the_result_of_main_is_the_result() -> None:
    out, err, code = output_of(
        """
        from app.views.bridge import run_window
        async def main(qapp):
            return 7
        print(run_window(main))
        """
    )
    assert (out, err, code) == (["7"], "", 0)


def test_nothing_heavy_is_loaded_before_the_first_paint() -> None:
    out, err, _ = output_of(
        """
        import sys
        from app.views.application import first_window
        from app.views.bridge import run_window
        HEAVY = ("pydantic", "asyncio", "qasync", "openai", "playwright", "PIL", "sqlite3")
        def first(qapp):
            window = first_window()
            window.painted.connect(lambda: print("painted", [name for name in HEAVY if name in sys.modules]))
            return window
        async def main(qapp):
            print("furnished", all(one.furnished for one in qapp.topLevelWidgets() if hasattr(one, "furnished")))
            return 0
        run_window(main, first=first)
        """
    )
    assert out[0] == "painted []"
    assert out[-1] == "furnished True"
    assert err == ""


def test_what_main_leaves_running_is_cancelled_and_its_clean_up_runs() -> None:
    out, err, _ = output_of(
        """
        import asyncio
        from app.views.bridge import run_window
        async def forever():
            try:
                await asyncio.Event().wait()
            finally:
                print("cleaned up")
        async def main(qapp):
            main.kept = asyncio.ensure_future(forever())
            await asyncio.sleep(0)
            return 0
        run_window(main)
        """
    )
    assert out == ["cleaned up"]
    assert err == ""


def test_closing_the_last_window_does_not_end_the_loop() -> None:
    out, err, _ = output_of(
        """
        import asyncio
        from app.views.bridge import run_window
        from app.views.window import ConsoleWindow
        async def main(qapp):
            window = ConsoleWindow()
            window.show()
            asyncio.get_running_loop().call_soon(window.close)
            await window.wait_closed()
            await asyncio.sleep(0.01)
            print("still here")
            return 0
        run_window(main)
        """
    )
    assert out == ["still here"]
    assert err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_closes_the_window(number: signal.Signals) -> None:
    started = program(
        """
        from app.views.application import first_window
        from app.views.bridge import run_window
        shown = []
        def first(qapp):
            shown.append(first_window())
            return shown[0]
        async def main(qapp):
            print("ready")
            await shown[0].wait_closed()
            print("closed")
            return 5
        print(run_window(main, first=first))
        """
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    started.send_signal(number)
    out, _ = started.communicate(timeout=300)
    assert out.splitlines() == ["closed", "5"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_second_signal_does_not_wait_for_a_window_that_drains() -> None:
    started = program(
        """
        from app.views.application import first_window
        from app.views.bridge import run_window
        shown = []
        def first(qapp):
            shown.append(first_window())
            return shown[0]
        async def main(qapp):
            shown[0].may_close = lambda: print("draining") or False
            print("ready")
            await shown[0].wait_closed()
        print(run_window(main, first=first))
        """
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    started.send_signal(signal.SIGTERM)
    assert started.stdout.readline() == "draining\n"
    started.send_signal(signal.SIGTERM)
    out, _ = started.communicate(timeout=300)
    assert out.splitlines() == ["1"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_signal_without_a_window_ends_main() -> None:
    started = program(
        """
        import asyncio
        from app.views.bridge import run_window
        async def main(qapp):
            print("ready")
            try:
                await asyncio.Event().wait()
            finally:
                print("cleaned up")
        print(run_window(main))
        """
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    started.send_signal(signal.SIGTERM)
    out, _ = started.communicate(timeout=300)
    assert out.splitlines() == ["cleaned up", "1"]


def test_a_slot_that_fails_is_logged_without_its_words_and_the_program_goes_on() -> None:
    out, err, code = output_of(
        """
        import asyncio, logging, sys
        from PySide6.QtCore import QTimer
        from app import log
        from app.views.bridge import run_window
        log.set_up()
        failed = asyncio.Event()
        def fail():
            failed.set()
            raise ValueError("words of a page")
        async def main(qapp):
            QTimer.singleShot(0, fail)
            await failed.wait()
            print("went on")
            return 0
        run_window(main)
        """
    )
    assert (out, code) == (["went on"], 0)
    assert "ValueError" in err
    assert "words of a page" not in err


def test_an_interrupt_before_the_loop_listens_is_not_lost() -> None:
    """It comes while Qt paints for the first time; raised there, it would be printed and forgotten."""
    out, err, code = output_of(
        """
        import asyncio, os, signal
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from app.views.application import first_window
        from app.views.bridge import run_window
        windows = []
        def first(qapp):
            windows.append(first_window())
            windows[0].painted.connect(lambda: os.kill(os.getpid(), signal.SIGINT))
            return windows[0]
        async def main(qapp):
            closed = asyncio.Event()
            windows[0].closed.connect(closed.set)
            await closed.wait()
            print("closed")
            return 0
        print(run_window(main, first=first))
        """
    )
    assert (out, err, code) == (["closed", "0"], "", 0)
