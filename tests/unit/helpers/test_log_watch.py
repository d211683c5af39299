"""An unexpected record is a complaint, and so is an expected one that did not come."""

import logging

from tests.helpers.log_watch import LogWatch

logger = logging.getLogger("signalbox.test")


def watched(watch: LogWatch, *messages: str) -> str:
    with watch:
        for message in messages:
            logger.warning(message)
        logger.info("never of interest")
    return watch.complaint()


def test_silence_is_fine(expected_log: LogWatch) -> None:
    assert watched(LogWatch()) == ""


def test_what_was_not_expected_is_a_complaint(expected_log: LogWatch) -> None:
    expected_log("disk full")
    assert watched(LogWatch(), "disk full") == "logged and not expected: signalbox.test: disk full"


def test_what_was_expected_is_fine_however_often(expected_log: LogWatch) -> None:
    expected_log("disk full")
    watch = LogWatch()
    watch("signalbox.test: disk")
    assert watched(watch, "disk full", "disk full") == ""


def test_what_was_expected_and_did_not_come_is_a_complaint() -> None:
    watch = LogWatch()
    watch("disk full")
    assert watched(watch) == "expected and not logged: disk full"
