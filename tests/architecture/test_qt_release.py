"""Qt for Python loses no references to None: with a release that does, a console on Python 3.11 dies in minutes."""

import sys

import PySide6
import pytest
from PySide6.QtCore import QObject

CALLS = 1000


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_the_installed_release_is_not_the_one_that_ends_this_python() -> None:
    assert not PySide6.__version__.startswith("6.12.")


def test_calls_that_return_none_keep_its_references() -> None:
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        thing.setObjectName("x")
        thing.parent()
    assert abs(sys.getrefcount(None) - before) < CALLS // 10
