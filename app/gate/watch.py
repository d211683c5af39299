"""A question held while the page under it is watched: whichever speaks first, and a change beats an Allow."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from app.core.ask import Ask
from app.core.changes import Change
from app.core.decision import Answer
from app.core.ports import Inbox
from app.tasks import spawn

T = TypeVar("T")


class PageWatch(Protocol):
    """Compares the page with what one question was shown with."""

    async def changed(self) -> tuple[Change, ...]:
        """Wait until there is a change, and say what it is."""

    async def last_look(self) -> tuple[Change, ...]:
        """What has changed by now of what nobody checks again at the act."""


async def held_and_watched(inbox: Inbox, ask: Ask, watch: PageWatch | None) -> Answer | tuple[Change, ...]:
    """The answer, or what changed on the page before an Allow could count.

    Raises:
        InboxClosed: nobody can answer. So is everything else that the inbox or the watch raises handed on.
    """
    if watch is None:
        return await inbox.hold(ask)
    async with asyncio.TaskGroup() as group:
        holding = spawn(f"asking {ask.ask_id}", _outcome(inbox.hold(ask)), owner=group)
        watching = spawn(f"watching {ask.ask_id}", _outcome(watch.changed()), owner=group)
        await asyncio.wait((holding, watching), return_when=asyncio.FIRST_COMPLETED)
        answer = holding.result() if holding.done() else ()
        changes = watching.result() if watching.done() else ()
        holding.cancel()
        watching.cancel()
    if isinstance(answer, BaseException):
        raise answer
    if isinstance(changes, BaseException):
        raise changes
    if isinstance(answer, tuple) or answer.verdict != "allow":
        return answer or changes
    return changes or await watch.last_look() or answer


async def _outcome(work: Coroutine[Any, Any, T]) -> T | BaseException:
    # A group would wrap what its child raises, and the log would call a closed window a failure.
    outcomes = await asyncio.gather(work, return_exceptions=True)
    return outcomes[0]
