"""Background tasks: kept until they end, cancelled by their owner, and never failing unseen."""

import asyncio
import gc

import pytest

from app.tasks import TaskOwner, spawn
from tests.helpers.log_watch import LogWatch


class PageText(Exception):
    """An exception whose message came from outside."""


async def fail() -> None:
    raise PageText("secret words of a page")


async def test_a_task_has_its_name_and_gives_its_result() -> None:
    owner = TaskOwner("tests")

    async def work() -> int:
        return 7

    task = spawn("adder", work(), owner=owner)
    assert task.get_name() == "adder"
    assert owner.names == ["adder"]
    assert await task == 7
    assert owner.names == []


async def test_a_task_that_nobody_else_holds_is_not_collected() -> None:
    owner, gate, ended = TaskOwner("tests"), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await gate.wait()
        ended.set()

    spawn("kept", work(), owner=owner)
    await asyncio.sleep(0)
    gc.collect()
    gate.set()
    await asyncio.wait_for(ended.wait(), 60)


async def test_a_failure_is_logged_without_its_text_and_handed_on(expected_log: LogWatch) -> None:
    expected_log("app.tasks: the task worker failed")
    owner, seen = TaskOwner("tests"), asyncio.get_running_loop().create_future()
    spawn("worker", fail(), owner=owner, on_failure=lambda name, failure: seen.set_result((name, failure)))
    name, failure = await seen
    assert (name, type(failure)) == ("worker", PageText)
    assert "secret" not in expected_log.records[0].getMessage()


async def test_closing_cancels_waits_and_is_not_a_failure() -> None:
    owner, cleaned = TaskOwner("tests"), []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append("yes")

    spawn("waiter", work(), owner=owner, on_failure=lambda name, failure: cleaned.append("no"))
    await asyncio.sleep(0)
    await owner.aclose()
    await owner.aclose()
    assert cleaned == ["yes"]


async def test_a_closed_owner_starts_nothing() -> None:
    owner = TaskOwner("the run")
    await owner.aclose()
    with pytest.raises(RuntimeError, match="the run is closed, so the task 'late'"):
        spawn("late", fail(), owner=owner)


async def test_one_of_its_tasks_may_close_the_owner() -> None:
    owner = TaskOwner("tests")
    await asyncio.wait_for(spawn("closer", owner.aclose(), owner=owner), 60)
    assert owner.closed


async def test_in_a_group_the_failure_also_ends_the_group(expected_log: LogWatch) -> None:
    expected_log("the task worker failed")
    with pytest.raises(ExceptionGroup) as caught:
        async with asyncio.TaskGroup() as group:
            spawn("worker", fail(), owner=group)
    assert [type(one) for one in caught.value.exceptions] == [PageText]
