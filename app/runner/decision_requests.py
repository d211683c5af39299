"""The requests of a decisions run: counted, and each on record with all that it offers before it leaves."""

from collections.abc import Callable
from dataclasses import dataclass

from app.core.events import RequestSent
from app.core.offer import Offer
from app.core.ports import Journal
from app.runner.checkpoints import StoppedBeforeRequest


@dataclass
class DecisionRequests:
    """Counts the run's requests. Each is on record, with all that it offers, before it leaves."""

    journal: Journal
    stopping: Callable[[], str | None]
    requests: int = 0
    """The newest one's number; those of an earlier process count."""
    resumable: bool = True
    """A run held before a request can be gone on with: nothing but its journal is needed for that."""
    answered_calls: tuple[str, ...] = ()
    tell: Callable[[], None] = lambda: None
    """Called when a request leaves: what a person has said goes with it."""
    _next: Offer | None = None

    def admit(self, offer: Offer) -> None:
        """The next request is about to be made of `offer`."""
        self.requests += 1
        self._next = offer

    @property
    def waits_to_leave(self) -> bool:
        """Whether a request is about to be sent that has not left."""
        return self._next is not None

    def leaves(self) -> None:
        """It leaves now. Raises `StoppedBeforeRequest` when the run is to end instead, and `NotDurable`."""
        offer, self._next = self._next, None
        if offer is None:
            return
        if self.stopping() is not None:
            raise StoppedBeforeRequest
        self.tell()
        self.journal.append(RequestSent(turn=self.requests, revision=0, offer=offer))
        if self.stopping() is not None:
            raise StoppedBeforeRequest
