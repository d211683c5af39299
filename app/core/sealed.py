"""What is known of a run's seal, in words for a person."""

from dataclasses import dataclass
from typing import Literal

SealState = Literal["not_sealed", "whole", "partly", "altered", "cannot_tell"]
"""`partly`: whole up to where it was sealed, and written on since."""

SHORT: dict[SealState, str] = {
    "not_sealed": "not sealed",
    "whole": "sealed",
    "partly": "sealed in part",
    "altered": "seal broken",
    "cannot_tell": "seal cannot be checked here",
}
"""The same in a few words, for a line that says more."""


@dataclass(frozen=True)
class SealFound:
    """What is known of a ledger's seal."""

    state: SealState
    words: str
    """For a person."""
    key: str = ""
    """The name of the key that it says it was sealed with; tells nothing about the key. Proven only if `good`."""
    sealed_wall_ms: int = 0
    """When that was, by the clock of whoever sealed it; 0 when it is not known."""

    @property
    def bad(self) -> bool:
        """Whether it shows that the record was changed."""
        return self.state == "altered"

    @property
    def good(self) -> bool:
        """Whether it proves that what was sealed is what lies there."""
        return self.state in ("whole", "partly")
