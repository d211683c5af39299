"""One gesture ends every run, whatever becomes of one of them."""

from collections.abc import Iterator

import pytest

from app.views import stop_all
from tests.helpers.log_watch import LogWatch


@pytest.fixture
def stopped() -> Iterator[list[str]]:
    """Which of two runs were asked to end."""
    told: list[str] = []
    leave = [stop_all.joined(lambda: told.append("one")), stop_all.joined(lambda: told.append("two"))]
    yield told
    for one in leave:
        one()
    assert stop_all.stop_all() == 0, "a run that has ended is asked no more"


def test_one_run_that_fails_keeps_no_other_going(stopped: list[str], expected_log: LogWatch) -> None:
    def fail() -> None:
        raise RuntimeError("its window is going")

    expected_log("could not be asked to end")
    leave = stop_all.joined(fail)
    assert stop_all.stop_all() == 3
    leave()
    assert stopped == ["one", "two"]
