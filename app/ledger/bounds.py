"""How much of a stranger's ledger is taken into memory at once, and in all."""

from collections.abc import Callable

from app.core.errors import LedgerProblem

ROWS_AT_ONCE = 512

SHORT_CHARS = 128 * 1024
"""A longer text is read alone, not with the rows around it."""

MOST_PARTS_OF_EVENT = 500_000
MOST_BYTES_OF_EVENT = 48 * 1024 * 1024
"""Texts and pictures that one event may bring with it."""

MOST_PARTS = 1_500_000
MOST_BYTES = 96 * 1024 * 1024
"""Of all events of a ledger that was not made here. Each part takes about a hundred bytes of memory."""

LATEST_MS = 253_370_764_800_000
"""The end of the year 9998: in any time zone calendars reach so far."""


def on_calendar(wall_ms: object) -> int:
    """A time on record as people are told it; 0, which is *not on record*, for one that no calendar has."""
    return wall_ms if isinstance(wall_ms, int) and 0 < wall_ms < LATEST_MS else 0


def parts_of(text: str) -> int:
    """How many values a JSON text holds, roughly."""
    return text.count(",") + text.count("[") + text.count("{")


class Allowance:
    """Counts what reading a ledger brought into memory."""

    def __init__(self) -> None:
        self.parts = 0
        self.bytes = 0

    @property
    def spent(self) -> bool:
        """Whether a ledger from elsewhere has brought as much as it may."""
        return self.parts > MOST_PARTS or self.bytes > MOST_BYTES

    def body(self, text: str) -> None:
        """One event's own text. Raises `LedgerProblem` when it alone is too much."""
        parts = parts_of(text)
        if parts > MOST_PARTS_OF_EVENT:
            raise LedgerProblem("it is too large to show")
        self.parts += parts
        self.bytes += len(text)

    def loading(self, load: Callable[[str], bytes]) -> Callable[[str], bytes]:
        """`load` for one event, which may name the same large text many times."""
        brought = 0

        def bounded(digest: str) -> bytes:
            nonlocal brought
            data = load(digest)
            brought += len(data)
            self.bytes += len(data)
            if brought > MOST_BYTES_OF_EVENT:
                raise LedgerProblem("it is too large to show")
            return data

        return bounded
