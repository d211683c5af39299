"""Failures tell whether anything can have happened, and no wait lasts for ever."""

import asyncio

import pytest

from drivers.errors import BrowserCancelledError, BrowserError, NotDone, PageStuck, bounded, stop_if


def test_only_a_refusal_before_the_effect_is_not_done() -> None:
    assert issubclass(NotDone, BrowserError)
    assert not issubclass(PageStuck, NotDone)


async def test_a_wait_ends_at_its_limit_and_says_what_was_waited_for() -> None:
    with pytest.raises(PageStuck, match=r"The answer took longer than 0\.01 s"):
        await bounded(asyncio.Event().wait(), secs=0.01, what="The answer")
    assert await bounded(asyncio.sleep(0, "done"), secs=1, what="It") == "done"


def test_a_stop_is_asked_for_by_the_callers_predicate() -> None:
    stop_if(None)
    stop_if(lambda: False)
    with pytest.raises(BrowserCancelledError):
        stop_if(lambda: True)
