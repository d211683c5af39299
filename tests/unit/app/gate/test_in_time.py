"""A time limit by the clock: what comes too late does not count, though no timer of the loop has fired."""

import asyncio

import pytest

from app.clock import SystemClock, mono_ns
from app.gate.in_time import NANOS_PER_SEC, TooLate, in_time


class Jumping(SystemClock):
    """A machine that sleeps when told to."""

    def __init__(self) -> None:
        self.slept_ns = 0

    def sleep(self, secs: float) -> None:
        """The loop's own time stands still meanwhile."""
        self.slept_ns += round(secs * NANOS_PER_SEC)

    def mono_ns(self) -> int:
        return super().mono_ns() + self.slept_ns


async def test_an_answer_that_comes_after_the_limit_does_not_count() -> None:
    """Both were due when the process went on: whichever the loop takes first, the answer came too late."""
    clock = Jumping()
    came: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def person() -> str:
        return await came

    waiting = asyncio.create_task(in_time(clock, 60, person()))
    await asyncio.sleep(0)
    clock.sleep(61)
    came.set_result("allow")
    with pytest.raises(TooLate):
        await waiting


async def test_the_limit_ends_a_wait_through_which_the_machine_slept() -> None:
    clock, ended = Jumping(), asyncio.Event()

    async def nobody() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    waiting = asyncio.create_task(in_time(clock, 3600, nobody()))
    await asyncio.sleep(0)
    clock.sleep(3601)
    with pytest.raises(TooLate):
        await waiting
    assert ended.is_set()


async def test_what_comes_in_time_is_given_and_leaves_no_timer() -> None:
    async def soon() -> str:
        await asyncio.sleep(0)
        return "here"

    assert await in_time(Jumping(), 3600, soon()) == "here"
    assert await in_time(Jumping(), None, soon()) == "here"


async def test_a_cancellation_and_a_failure_of_the_work_are_handed_on() -> None:
    async def failing() -> None:
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        await in_time(Jumping(), 3600, failing())
    waiting = asyncio.create_task(in_time(Jumping(), 3600, asyncio.Event().wait()))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


def test_the_console_s_clock_is_not_the_one_on_the_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set to another day in either direction, it changes no duration and no time limit."""
    before = mono_ns()
    monkeypatch.setattr("time.time_ns", lambda: 0)
    assert SystemClock().wall_ms() == 0
    assert 0 <= SystemClock().mono_ns() - before < 60 * NANOS_PER_SEC
