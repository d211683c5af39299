"""What the doctor found out about one thing."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How one thing stands; only MISSING keeps Signalbox from its work."""

    OK = "ok"
    NOTE = "note"
    MISSING = "missing"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing, how it stands, and for all but OK what that means and how it is got."""

    what: str
    """The thing in a word or two, as the report's row shows it."""
    state: State
    says: str
    """What was seen and what that means for the person, one or two sentences."""
    get: str = ""
    """How to get it, where no package or download does."""
    packages: tuple[str, ...] = ()
    """Debian packages that bring it, if any; `fix` installs them."""
    wants_browser: bool = False
    """Whether a download of a browser would help; `fix` tries that before any package."""
