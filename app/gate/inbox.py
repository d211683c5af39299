"""Asks held for a person. A run's loop and the window's meet here: asks cross one way, answers the other."""

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.ports import InboxClosed

log = logging.getLogger(__name__)


class InboxListener(Protocol):
    """Is told, in the thread of whoever caused it, and must not block or raise."""

    def ask_held(self, ask: Ask) -> None:
        """`ask` waits for a person."""

    def ask_settled(self, ask_id: str) -> None:
        """It no longer waits: answered, withdrawn, announced and not held, or the inbox was closed."""


@dataclass
class _Held:
    ask: Ask
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Answer]


class AskInbox:
    """Holds asks in the order they came. An ask is settled exactly once, whoever is first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[str, _Held] = {}
        self._listeners: list[InboxListener] = []
        self._announced: list[Callable[[Ask], None]] = []
        self._coming: set[str] = set()
        """Asks that were announced and neither held nor recalled yet."""
        self._closed: str | None = None

    def subscribe(self, listener: InboxListener) -> None:
        """Tell `listener` about every ask from now on."""
        self._listeners.append(listener)

    def hear_announced(self, listener: Callable[[Ask], None]) -> None:
        """Tell `listener` of each ask that comes soon, in the run's thread; it takes no answer before it is held.

        Of one that does not come after all every listener is told that it no longer waits.
        """
        self._announced.append(listener)

    def announce(self, ask: Ask) -> None:
        """See `ports.Announced.announce`."""
        with self._lock:
            if self._closed is not None:
                return
            self._coming.add(ask.ask_id)
        for listener in self._announced:
            try:
                listener(ask)
            except Exception:
                log.exception("a question cannot be made ready ahead")

    def recall(self, ask_id: str) -> None:
        """See `ports.Announced.recall`."""
        with self._lock:
            if ask_id not in self._coming:
                return
            self._coming.remove(ask_id)
        self._tell_settled(ask_id)

    @property
    def waiting(self) -> list[Ask]:
        """The asks that stand unanswered, oldest first."""
        with self._lock:
            return [held.ask for held in self._held.values()]

    async def hold(self, ask: Ask) -> Answer:
        """Wait for a person's answer, however long it takes. Cancelling withdraws the ask.

        Raises:
            InboxClosed: the window has gone, before or while the ask waited.
        """
        loop = asyncio.get_running_loop()
        held = _Held(ask, loop, loop.create_future())
        with self._lock:
            if self._closed is not None:
                raise InboxClosed(self._closed)
            if ask.ask_id in self._held:
                # Two questions of one name: an answer could go to the wrong one.
                raise ValueError(f"an ask of this id is held already: {ask.ask_id}")
            self._held[ask.ask_id] = held
            self._coming.discard(ask.ask_id)
        self._tell_held(ask)
        try:
            return await held.future
        finally:
            if self._take(ask.ask_id) is not None:
                self._tell_settled(ask.ask_id)

    def answer(self, ask_id: str, answer: Answer) -> bool:
        """Settle an ask, from any thread. False when it was settled before: the press counts for nothing then."""
        held = self._take(ask_id)
        if held is None:
            return False
        self._settle(held, answer)
        self._tell_settled(ask_id)
        return True

    def refuse(self, ask_id: str, reason: str) -> bool:
        """Let one ask end as `InboxClosed`: it could not be put to a person. False when it was settled before."""
        held = self._take(ask_id)
        if held is None:
            return False
        self._settle(held, InboxClosed(reason))
        self._tell_settled(ask_id)
        return True

    def close(self, reason: str) -> None:
        """Let nothing wait any more: every held ask and every later one ends as `InboxClosed`. From any thread."""
        with self._lock:
            self._closed = reason
            held_asks, self._held = list(self._held.values()), {}
        for held in held_asks:
            self._settle(held, InboxClosed(reason))
            self._tell_settled(held.ask.ask_id)

    def _take(self, ask_id: str) -> _Held | None:
        with self._lock:
            return self._held.pop(ask_id, None)

    @staticmethod
    def _settle(held: _Held, result: Answer | InboxClosed) -> None:
        def finish() -> None:
            if held.future.done():
                return
            if isinstance(result, InboxClosed):
                held.future.set_exception(result)
            else:
                held.future.set_result(result)

        try:
            held.loop.call_soon_threadsafe(finish)
        except RuntimeError:
            # The run's loop is closed: its task is gone and with it the action; nothing is left to deny.
            log.info("an answer came after its run had ended")

    def _tell_held(self, ask: Ask) -> None:
        for listener in self._listeners:
            listener.ask_held(ask)

    def _tell_settled(self, ask_id: str) -> None:
        for listener in self._listeners:
            listener.ask_settled(ask_id)
