"""What a run is handed before it begins: the concrete parts that wiring chose, as the session sees them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from app.core.carried import Carried
from app.core.events import Event, OutcomeChecked, Recorded, RunStarted
from app.core.live import LatestFrame
from app.core.ports import Blobs, Clock, Inbox, Journal
from app.runner.code import CodeSandbox
from app.runner.specs import ToolSpec


class RunLedger(Journal, Blobs, Protocol):
    """The run's own ledger, owned by this process."""

    def close(self) -> None:
        """Leave one whole file behind."""


@dataclass
class Environment:
    """What a run acts on, opened for it."""

    browser: Any = None
    computer: Any = None
    desktop: Any = None
    """What the computer tool acts on where that is no browser page: a driver that also tells what is on the screen."""
    functions: tuple[ToolSpec, ...] = ()
    code: dict[str, CodeSandbox] = field(default_factory=dict)
    """By language."""
    files: Any = None
    """The folder that patches stay in."""
    shell: Any = None
    """The sandbox that commands run in."""


@dataclass(frozen=True)
class ModelService:
    """Where the answers come from."""

    model: str
    api_key: str
    base_url: str | None = None


@dataclass(frozen=True)
class LoopBefore:
    """What the console's own loop knows of a conversation that another process, or another run, has begun."""

    tasks: Mapping[str, str] = field(default_factory=dict)
    """How each background task ended, by its handle. No handle is ever free again."""
    tokens: int = 0
    """What the service has counted for the run so far."""
    previous: str | None = None
    """Id of the newest answer that the service keeps and that the run goes on from."""
    sent: int = 0
    """How many items of the history the service has with that answer."""


@dataclass(frozen=True)
class Beginning:
    """Where the run's first segment begins, if not with the task and nothing before it."""

    told: str
    """The user message that the segment begins with."""
    reason: str
    base: dict[str, Any] | None = None
    """The boundary that the SDK goes on from."""
    history: tuple[dict[str, Any], ...] = ()
    """Of a fork: the items before the message."""
    segments: int = 0
    """How many segments the run has had."""
    look: bool = True
    """Whether the message ends with what is open now."""
    loop: LoopBefore = LoopBefore()
    """Of the console's own loop."""
    carried: Carried | None = None
    """Of a decisions run: what its observations say of what was before."""


@dataclass(frozen=True)
class Resumption:
    """A run that another process left. What it did not begin is asked anew; no decision of it is used again."""

    past: Sequence[Recorded]
    """Its journal."""
    opening: tuple[Event, ...]
    """Put on record first."""
    folded: dict[str, Any] | None
    """The boundary that the cut-off answer was folded into; saved after the opening."""
    asked: int
    """How many asks it raised; ids go on from there."""
    standing: int
    """How many rules were made with a press; none is in force any more, and numbers go on from there."""
    holding_all: bool
    """Whether everything is held, whatever rules say."""
    beginning: Beginning


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
    resumption: Resumption | None = None
    """For a run that goes on in its ledger; `started` is then its own header, which is on record already."""
    fork: Beginning | None = None
    """For a new run that begins with another one's history."""
    said: list[str] = field(default_factory=list)
    """What a person has said to the model and it has not been sent yet. Of the run's own loop."""
    check_outcome: Callable[[], OutcomeChecked | None] = field(default=lambda: None)
    """Asks the world what really happened; called after the last action, before the end is recorded."""

    @property
    def beginning(self) -> Beginning | None:
        """Where the first segment begins; None for a run that begins with its task."""
        return self.resumption.beginning if self.resumption is not None else self.fork
