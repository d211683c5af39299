"""What a run is handed before it begins: the concrete parts that wiring chose, as the session sees them."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from app.core.events import OutcomeChecked, RunStarted
from app.core.live import LatestFrame
from app.core.ports import Blobs, Clock, Inbox, Journal
from app.runner.specs import FunctionSpec


class RunLedger(Journal, Blobs, Protocol):
    """The run's own ledger, owned by this process."""

    def close(self) -> None:
        """Leave one whole file behind."""


@dataclass
class Environment:
    """What a run acts on, opened for it."""

    browser: Any = None
    computer: Any = None
    functions: tuple[FunctionSpec, ...] = ()


@dataclass(frozen=True)
class ModelService:
    """Where the answers come from."""

    model: str
    api_key: str
    base_url: str | None = None


@dataclass
class SessionPorts:
    """Everything concrete that wiring chose for a run."""

    ledger: RunLedger
    ledger_path: Path
    inbox: Inbox
    clock: Clock
    service: ModelService
    open_environment: Callable[[LatestFrame, Clock], AbstractAsyncContextManager[Environment]]
    started: RunStarted
    check_outcome: Callable[[], OutcomeChecked | None] = field(default=lambda: None)
    """Asks the world what really happened; called after the last action, before the end is recorded."""
