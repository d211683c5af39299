"""The own loop's checkpoints: the SDK's fields in the same ledger, under phases of their own that no SDK resumes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.events import Phase, RequestSent
from app.core.ports import Journal
from app.runner.checkpoints import StoppedBeforeRequest
from app.runner.programs.items import Wire


@dataclass
class LoopCheckpoints:
    """The newest one, and what the next will hold. Each is durable when `save` returns."""

    run_id: str
    journal: Journal
    max_steps: int
    tools: Sequence[str]
    """Names of the tools; their declarations may hold secrets."""
    stopping: Callable[[], str | None]
    requests: int = 0
    revision: int = 0
    history: list[Wire] = field(default_factory=list)
    """All items of the conversation but those of the answer that is being acted on."""
    pending: list[Wire] = field(default_factory=list)
    outputs: list[Wire] = field(default_factory=list)
    attempted: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    waits_to_leave: bool = False
    """Whether a request was admitted that has not left."""

    def take_up(self, base: Mapping[str, Any]) -> None:
        """Go on from the boundary `base`, which is the newest checkpoint on record."""
        self.requests, self.revision = base["consumed_requests"], base["revision"]
        self.history = list(base["history"])
        self.attempted, self.returned = list(base["attempted_call_ids"]), list(base["returned_call_ids"])

    def admit(self) -> None:
        """Count one more request; it leaves when `leaves` says so."""
        self.requests += 1
        self.save("programs_boundary")
        self.waits_to_leave = True

    def leaves(self) -> None:
        """As `leaving.Admitted`: put on record that the request leaves now.

        Raises:
            StoppedBeforeRequest: the run is to end; it must not leave.
        """
        self.waits_to_leave = False
        if self.stopping() is not None:
            raise StoppedBeforeRequest
        self.journal.append(RequestSent(turn=self.requests, revision=self.revision))

    @property
    def call_in_progress(self) -> str | None:
        """The call that is being acted on; the newest one, since they run one after another."""
        return self.attempted[-1] if self.attempted else None

    @property
    def resumable(self) -> bool:
        """Whether the SDK could go on from the newest one: never."""
        return False

    @property
    def answered_calls(self) -> tuple[str, ...]:
        """Nothing is ever left out of a request of this loop."""
        return ()

    def close_turn(self) -> None:
        """The answer and its outputs become part of the conversation."""
        self.history += [*self.pending, *self.outputs]
        self.pending, self.outputs = [], []
        self.save("programs_boundary")

    def save(self, phase: Phase, final_response: dict[str, Any] | None = None) -> None:
        """Write the next checkpoint. Raises `NotDurable`."""
        checkpoint = {
            "version": 1,
            "run_id": self.run_id,
            "revision": self.revision + 1,
            "phase": phase,
            "max_steps": self.max_steps,
            "consumed_requests": self.requests,
            "tools": list(self.tools),
            "output_override_names": [],
            "history": list(self.history),
            "attempted_call_ids": list(self.attempted),
            "returned_call_ids": list(self.returned),
            "pending_items": list(self.pending),
            "returned_outputs": list(self.outputs),
        }
        if final_response is not None:
            checkpoint["final_response"] = final_response
        self.journal.save_checkpoint(checkpoint)
        self.revision += 1
