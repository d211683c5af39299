"""What the list of saved runs knows of each, and the words it says about it. No Qt, no files."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from app.core import describe
from app.views.theme import Tone


class Unsettled(Protocol):
    """One action of a cut-off run and the console's words about it."""

    @property
    def source(self) -> str:
        """The toolset it belongs to."""

    @property
    def member(self) -> str:
        """Its name there; outside text."""

    @property
    def about(self) -> str:
        """Which element, candidate or address; outside text."""

    @property
    def words(self) -> str:
        """What became of it, as far as the record says."""


class RunRow(Protocol):
    """One saved run, as the ledger's shelf describes it."""

    @property
    def path(self) -> Path:
        """The ledger file."""

    @property
    def run_id(self) -> str:
        """Its id; outside text."""

    @property
    def status(self) -> str:
        """How it ended, or `running`, `cut_off`, `unreadable`."""

    @property
    def task(self) -> str:
        """Outside text."""

    @property
    def provenance(self) -> str:
        """`live`, `demo`, `rehearsal` or `imported`."""

    @property
    def forked_from(self) -> str:
        """The id of the run that it was forked from; outside text, empty for a run that is no fork."""

    @property
    def started_wall_ms(self) -> int:
        """Milliseconds since 1970; 0 when not on record."""

    @property
    def asked(self) -> int:
        """How many asks were raised."""

    @property
    def allowed(self) -> int:
        """How many were allowed."""

    @property
    def denied(self) -> int:
        """How many were denied."""

    @property
    def answered(self) -> int:
        """How many calls a person answered in a function's place."""

    @property
    def uncertain(self) -> Sequence[Unsettled]:
        """Of a cut-off run: each action whose end is not on record."""

    @property
    def lost_requests(self) -> int:
        """Requests that left and brought no answer on record."""

    @property
    def notes(self) -> Sequence[str]:
        """What is wrong with the file."""


STATUS_WORDS: dict[str, str] = {
    **{str(status): words for status, words in describe.RUN_STATUSES.items()},
    "running": "running",
    "cut_off": "cut off",
    "unreadable": "cannot be read",
}
STATUS_TONES: dict[str, Tone] = {
    "finished": "clear",
    "stopped": "dim",
    "failed": "danger",
    "needs_reconciling": "hold",
    "running": "accent",
    "cut_off": "hold",
    "unreadable": "danger",
}
MOST_ID_CHARS = 60
PROVENANCES = {"live": "live run", "demo": "demo", "rehearsal": "rehearsal", "imported": "imported"}


def status_words(row: RunRow) -> str:
    """``finished``, ``cut off``."""
    return STATUS_WORDS.get(row.status, row.status)


def count_words(row: RunRow) -> str:
    """``6 asked · 5 allowed · 1 denied``."""
    return describe.count_words(row.asked, row.allowed, row.denied, row.answered)


def origin_words(row: RunRow) -> str:
    """``live run``, ``demo, fork of 20261129-2105-k7m3qx``; outside text."""
    kind = PROVENANCES.get(row.provenance, "unknown origin")
    return f"{kind}, fork of {row.forked_from[:MOST_ID_CHARS]}" if row.forked_from else kind


def started_words(row: RunRow) -> str:
    """``29 Nov 2026, 21:05`` by this machine's clock; empty when not on record."""
    if not row.started_wall_ms:
        return ""
    return datetime.fromtimestamp(row.started_wall_ms / 1000, UTC).astimezone().strftime("%d %b %Y, %H:%M")


def left_words(row: RunRow) -> list[str]:
    """What a person should know before opening it: what was cut off and what became of it; what is wrong."""
    said = [describe.left_words(one.source, one.member, one.words, one.about) for one in row.uncertain]
    if row.lost_requests:
        plural = "request" if row.lost_requests == 1 else "requests"
        said.append(f"{row.lost_requests} {plural} to the model left without an answer on record")
    if row.status == "cut_off" and not said:
        said.append("cut off between two steps: nothing was left half done")
    return [*said, *row.notes]


def spoken(row: RunRow) -> str:
    """The whole row for those who cannot see it."""
    of_a_fork = [origin_words(row)] if row.forked_from else []
    parts = [
        row.task or row.run_id,
        status_words(row),
        started_words(row),
        count_words(row),
        *of_a_fork,
        *left_words(row),
    ]
    return "; ".join(part for part in parts if part)
