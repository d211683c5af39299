"""The SDK's ledger port: each checkpoint it hands over is durable before `save` returns, and the newest is at hand."""

from collections.abc import Callable
from typing import Any, Literal, cast

from openai.lib.responses_tool_runner import AsyncResponsesToolLedger, ResponsesToolCheckpoint

from app.core.events import RequestSent
from app.core.ports import Journal


class StoppedBeforeRequest(Exception):
    """The run is to end and its next request has not left."""


class Checkpoints:
    """The checkpoints of one run, over all its segments."""

    def __init__(
        self,
        run_id: str,
        journal: Journal,
        stopping: Callable[[], str | None],
        base: ResponsesToolCheckpoint | None = None,
    ) -> None:
        """`base` is the newest checkpoint on record of a run that goes on."""
        self._run_id = run_id
        self._journal = journal
        self._stopping = stopping
        self.newest: ResponsesToolCheckpoint | None = base
        self._admitted: RequestSent | None = None

    async def save(self, checkpoint: ResponsesToolCheckpoint) -> None:
        """Write `checkpoint`. The run's loop waits for the disk: nothing of this run may overtake it.

        Raises:
            StoppedBeforeRequest: it admits a request although the run is to end; the request must not leave.
            NotDurable: it did not reach the disk.
        """
        admits = checkpoint["consumed_requests"] > self.requests
        self._go_on_or_stop(admits=admits)
        self._journal.save_checkpoint(cast(dict[str, Any], checkpoint))
        self.newest = checkpoint
        # With server tools declared the SDK asks nobody between this save and the request, and the service would act.
        self._go_on_or_stop(admits=admits and checkpoint["phase"] == "pending")
        if admits:
            self._admitted = RequestSent(turn=checkpoint["consumed_requests"], revision=checkpoint["revision"])

    @property
    def waits_to_leave(self) -> bool:
        """Whether a request was admitted that has not left."""
        return self._admitted is not None

    def leaves(self) -> None:
        """The admitted request leaves now.

        Raises:
            StoppedBeforeRequest: the run is to end; it must not leave.
            NotDurable: that it leaves could not be put on record.
        """
        admitted, self._admitted = self._admitted, None
        if admitted is not None:
            self._go_on_or_stop(admits=True)
            self._journal.append(admitted)

    def _go_on_or_stop(self, *, admits: bool) -> None:
        if admits and self._stopping() is not None:
            raise StoppedBeforeRequest

    def ledger(self, resume_from: ResponsesToolCheckpoint | None) -> AsyncResponsesToolLedger:
        """The SDK's ledger for the next segment."""
        return AsyncResponsesToolLedger(self._run_id, self.save, resume_from=resume_from)

    @property
    def requests(self) -> int:
        """How many requests the run has used; the number of the turn in progress."""
        return self.newest["consumed_requests"] if self.newest else 0

    @property
    def revision(self) -> int:
        """The newest revision, 0 before the first save."""
        return self.newest["revision"] if self.newest else 0

    @property
    def phase(self) -> Literal["boundary", "pending", "final"] | None:
        """The newest phase; the SDK resumes from a boundary only."""
        return self.newest["phase"] if self.newest else None

    @property
    def resumable(self) -> bool:
        """Whether the SDK could resume from the newest checkpoint."""
        return self.phase == "boundary"

    @property
    def answered_calls(self) -> tuple[str, ...]:
        """Ids of the calls whose outputs the whole conversation holds."""
        items = self.newest["history"] if self.newest else []
        outputs = (cast(dict[str, Any], item) for item in items)
        return tuple(str(item["call_id"]) for item in outputs if "output" in item and "call_id" in item)

    @property
    def call_in_progress(self) -> str | None:
        """The call whose effect comes next: attempted, not yet returned.

        The SDK gives a function's executor no call id; the save right before the effect names it.
        """
        if self.newest is None:
            return None
        returned = set(self.newest["returned_call_ids"])
        waiting = [call_id for call_id in self.newest["attempted_call_ids"] if call_id not in returned]
        return waiting[-1] if waiting else None
