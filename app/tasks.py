"""The one way to start a background task: it has a name, an owner that keeps and ends it, and its failure is seen."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")
FailureSeen = Callable[[str, BaseException], None]


class TaskOwner:
    """Holds each of its tasks until that task has ended; after `aclose` none is left and none can be started."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def names(self) -> list[str]:
        """The names of the tasks that have not ended, sorted."""
        return sorted(task.get_name() for task in self._tasks)

    def adopt(self, task: asyncio.Task[Any]) -> None:
        """Keep `task` until it has ended. Only `spawn` calls this."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def closed(self) -> bool:
        """Whether `aclose` has begun."""
        return self._closed

    async def aclose(self) -> None:
        """Cancel what still runs and wait until each task has ended; may be called twice, or from one of its tasks."""
        self._closed = True
        caller = asyncio.current_task()
        left = [task for task in self._tasks if task is not caller]
        for task in left:
            task.cancel(f"{self.name} is closing")
        await asyncio.gather(*left, return_exceptions=True)


def spawn(
    name: str,
    work: Coroutine[Any, Any, T],
    *,
    owner: TaskOwner | asyncio.TaskGroup,
    on_failure: FailureSeen | None = None,
) -> asyncio.Task[T]:
    """Start `work` as a task called `name` that `owner` keeps.

    A failure is logged (its type and place, never its text) and handed to `on_failure`; in a `TaskGroup` it also ends
    the group, as always there. Cancellation is not a failure.

    Raises:
        RuntimeError: the owner has been closed; `work` is closed unrun.
    """
    if isinstance(owner, asyncio.TaskGroup):
        task = owner.create_task(work, name=name)
    else:
        if owner.closed:
            work.close()
            raise RuntimeError(f"{owner.name} is closed, so the task {name!r} cannot start")
        task = asyncio.get_running_loop().create_task(work, name=name)
        owner.adopt(task)
    task.add_done_callback(lambda ended: _see(name, ended, on_failure))
    return task


def _see(name: str, task: asyncio.Task[Any], on_failure: FailureSeen | None) -> None:
    if task.cancelled():
        return
    failure = task.exception()
    if failure is None:
        return
    logger.error("the task %s failed", name, exc_info=failure)
    if on_failure is not None:
        on_failure(name, failure)
