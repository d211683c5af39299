"""The run's journal as the run itself sees it: after one failed write every further one fails alike.

The SDK swallows what callbacks raise inside a browser call; the next write brings the failure up again.
"""

from collections.abc import Callable, Sequence
from typing import Any

from app.core.errors import NotDurable
from app.core.events import Event, Recorded
from app.core.evidence import Blob
from app.core.ports import Journal


class FailStopJournal:
    """Hands everything on until a write fails; then nothing more gets through. `on_failure` is called once.

    `saw` hears each event when the run writes it: also one that only goes to disk with the next.
    """

    def __init__(
        self,
        journal: Journal,
        on_failure: Callable[[NotDurable], None],
        saw: Callable[[Recorded], None] = lambda _recorded: None,
    ) -> None:
        self._journal = journal
        self._saw = saw
        self._on_failure = on_failure
        self.failed: NotDurable | None = None

    def append(self, event: Event, blobs: Sequence[Blob] = ()) -> Recorded:
        """See `ports.Journal.append`."""
        return self._write(lambda: self._journal.append(event, blobs))

    def append_soon(self, event: Event, blobs: Sequence[Blob] = ()) -> Recorded:
        """See `ports.Journal.append_soon`."""
        return self._write(lambda: self._journal.append_soon(event, blobs))

    def save_checkpoint(self, checkpoint: dict[str, Any]) -> Recorded:
        """See `ports.Journal.save_checkpoint`."""
        return self._write(lambda: self._journal.save_checkpoint(checkpoint))

    def subscribe(self, listener: Callable[[Recorded], None]) -> None:
        """See `ports.Journal.subscribe`."""
        self._journal.subscribe(listener)

    def _write(self, write: Callable[[], Recorded]) -> Recorded:
        if self.failed is not None:
            raise NotDurable(str(self.failed))
        try:
            recorded = write()
        except NotDurable as failure:
            self.failed = failure
            self._on_failure(failure)
            raise
        self._saw(recorded)
        return recorded
