"""The program's log: where it goes, what it never holds, and the hooks for what nobody caught."""

import asyncio
import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import log, paths
from tests.helpers.log_watch import LogWatch

SECRET = "words from a page"


@pytest.fixture(autouse=True)
def _own_logging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    yield
    for ours in [one for one in root.handlers if one not in handlers]:
        root.removeHandler(ours)
        ours.close()
    root.setLevel(level)


def chained() -> Exception:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as inner:
            raise ExceptionGroup(SECRET, [ValueError(SECRET)]) from inner
    except ExceptionGroup as group:
        return group


def test_an_exception_is_described_by_types_and_places_only() -> None:
    described = log.describe_failure(chained())
    assert "KeyError" in described
    assert "ValueError" in described
    assert f"{__file__}:" in described
    assert SECRET not in described


def test_a_missing_module_and_a_systems_error_are_named() -> None:
    assert log.describe_failure(ModuleNotFoundError(SECRET, name="app.views.gone")).endswith(" app.views.gone")
    described = log.describe_failure(OSError(28, SECRET, "/downloads/" + SECRET))
    assert described == "builtins.OSError No space left on device"


def test_the_file_holds_what_was_logged_and_no_message_of_an_exception(tmp_path: Path, expected_log: LogWatch) -> None:
    expected_log("went wrong")
    target = log.set_up(tmp_path)
    logging.getLogger("signalbox.test").info("quiet fact")
    logging.getLogger("signalbox.test").error("went wrong", exc_info=chained())
    text = target.read_text(encoding="utf-8")
    assert "quiet fact" in text
    assert "ValueError" in text
    assert SECRET not in text


def test_setting_up_twice_writes_each_record_once(tmp_path: Path) -> None:
    log.set_up(tmp_path)
    target = log.set_up(tmp_path)
    logging.getLogger("signalbox.test").info("only once")
    assert target.read_text(encoding="utf-8").count("only once") == 1


def test_a_folder_that_cannot_be_made_is_named_and_not_fatal(
    tmp_path: Path, expected_log: LogWatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected_log("app.log: no log file")
    (tmp_path / "log").write_text("a file where the folder should be")
    target = log.set_up(tmp_path)
    assert str(target) in capsys.readouterr().err


def test_what_a_thread_did_not_catch_is_logged(expected_log: LogWatch) -> None:
    expected_log("app.log: nobody caught this in the thread worker")
    log.install_hooks()

    def work() -> None:
        raise ValueError(SECRET)

    thread = threading.Thread(target=work, name="worker")
    thread.start()
    thread.join()
    assert SECRET not in expected_log.records[0].getMessage()


def test_what_nobody_caught_is_logged_but_a_keyboard_interrupt_is_not(expected_log: LogWatch) -> None:
    expected_log("app.log: nobody caught this$")
    log.install_hooks()
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    sys.excepthook(ValueError, ValueError(SECRET), None)
    assert len(expected_log.records) == 1


async def test_what_a_loop_did_not_catch_is_logged(expected_log: LogWatch) -> None:
    expected_log("nobody caught this in the event loop, in a callback")
    loop = asyncio.get_running_loop()
    log.watch_loop(loop)

    def slip() -> None:
        raise ValueError(SECRET)

    loop.call_soon(slip)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert SECRET not in expected_log.records[0].getMessage()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full is there on Linux only")
def test_a_full_disk_is_said_once_and_shows_nothing_of_what_failed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], expected_log: LogWatch
) -> None:
    expected_log("app.log: the run failed$")
    expected_log("app.log: the log file cannot be written")
    target = paths.log_file(tmp_path)
    target.parent.mkdir(parents=True)
    target.symlink_to("/dev/full")
    log.set_up(tmp_path)
    for _ in range(2):
        log.logger.warning("the run failed", exc_info=chained())
    said = capfd.readouterr().err
    assert said.count("the log file cannot be written (No space left on device): ") == 1
    assert str(target) in said
    assert SECRET not in said
    assert "Logging error" not in said
    (file,) = [one for one in logging.getLogger().handlers if isinstance(one, log.LogFile)]
    logging.getLogger().removeHandler(file)
    with pytest.raises(OSError, match="No space left"):
        file.close()
