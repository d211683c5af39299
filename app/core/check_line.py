"""One line of what was looked at before a run starts: how it stands, why, and what to do about it."""

from dataclasses import dataclass
from typing import Literal

CheckState = Literal["ok", "note", "not ok"]
"""`note` does not keep the run from starting; `not ok` says that it would fail."""


@dataclass(frozen=True)
class CheckLine:
    """One thing. `outside` is the run file's own text that it is about: an address, a name."""

    what: str
    state: CheckState
    says: str
    mend: str = ""
    """What to do; empty where there is nothing to be done."""
    outside: str = ""
