"""The seams that other parts implement: the clock, the journal, the inbox, the stored pictures."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.events import Event, Recorded
from app.core.evidence import Blob


class Clock(Protocol):
    """Time, injected so that tests need not wait."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970, UTC."""

    def mono_ns(self) -> int:
        """Monotonic nanoseconds."""


class Journal(Protocol):
    """The append-only record of one run. Every method blocks until what it wrote is durable.

    All calls come from the one thread that owns the run.
    """

    def append(self, event: Event, blobs: Sequence[Blob] = ()) -> Recorded:
        """Write one event with the bytes it names.

        Raises:
            NotDurable: the write did not reach the disk; nothing may happen after it.
        """

    def append_soon(self, event: Event, blobs: Sequence[Blob] = ()) -> Recorded:
        """Write one event together with the next that is waited for, or when the journal is closed.

        Only for what nothing irreversible follows before that next write; listeners hear of it then. Raises
        `NotDurable` as `append` does.
        """

    def save_checkpoint(self, checkpoint: dict[str, Any]) -> Recorded:
        """Write an SDK checkpoint and its `CheckpointSaved` event together. Raises `NotDurable`."""

    def subscribe(self, listener: Callable[[Recorded], None]) -> None:
        """`listener` gets each event right after it is durable, in the writing thread; it must not block or raise."""


class InboxClosed(Exception):
    """Nobody is there to answer; the gate turns it into a denial by the console."""


class Inbox(Protocol):
    """Where an ask waits for its answer."""

    async def hold(self, ask: Ask) -> Answer:
        """Wait for the answer, however long it takes. Cancelling withdraws the ask. Raises `InboxClosed`."""

    def close(self, reason: str) -> None:
        """Whatever waits and whatever comes later ends as `InboxClosed`. From any thread."""


@runtime_checkable
class Announced(Protocol):
    """An inbox that is told of asks before they are held, so that they can be shown while they are being written."""

    def announce(self, ask: Ask) -> None:
        """`ask` will be held soon. It is not on record yet: it may be shown, and takes no answer before it is held."""

    def recall(self, ask_id: str) -> None:
        """Of an ask that was announced: unless it has been held it never will be, and nothing was asked."""


class Blobs(Protocol):
    """Stored bytes by content digest."""

    def blob(self, digest: str) -> bytes:
        """The bytes. Raises `LedgerProblem` when they are not there or do not match their digest."""

    def thumbnail(self, digest: str) -> bytes | None:
        """A JPEG of at most 192 by 120 pixels made when the picture was stored, or None."""
