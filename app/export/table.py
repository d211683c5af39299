"""The decisions of a run as a table (CSV) that no spreadsheet takes for anything but text."""

import csv
import io
import re
from datetime import UTC, datetime
from typing import IO

from app.core.describe import CALL_STATES, ask_title, decision_words
from app.core.moment import Moment
from app.core.timeline import AskRecord, Timeline
from app.core.untrusted import shown
from app.core.value import canonical_json, json_to_read
from app.export.record import Record

COLUMNS = (
    "ask",
    "event",
    "asked_at_utc",
    "turn",
    "question",
    "kind",
    "source",
    "member",
    "arguments",
    "address",
    "target_role",
    "target_label",
    "decision",
    "decided_by",
    "rule",
    "reason",
    "note",
    "waited_ms",
    "what_became_of_the_call",
    "digest",
)
MOST_CELL_CHARS = 32_000
"""Spreadsheets cut a longer cell without a word."""

_FORMULA = "=+\\-@\t\r\n|%＝＋－＠"
_FIRST = re.compile(rf"\A[\s\"']*[{_FORMULA}]")
_AFTER_SEPARATOR = re.compile(rf"([;,\t|])([\s\"']*[{_FORMULA}])")


def write_table(record: Record, out: IO[bytes]) -> None:
    """One line an ask; above the heading what is wrong with the record or was left out, if anything."""
    # Spreadsheets take a file for UTF-8 only with this mark at its beginning.
    out.write(b"\xef\xbb\xbf")
    for words in (*record.notes, *record.left_out):
        out.write(line_of(("note", cell(words))))
    out.write(line_of(COLUMNS))
    for asked in record.timeline.asks:
        out.write(line_of(_cells(asked, record.timeline)))
        record.tick(1)


def cell(text: str) -> str:
    """Outside text as a cell: hidden characters named, and nothing that a spreadsheet would compute.

    A separator inside a cell counts as well: a reader that expects another one begins a new cell there.
    """
    named = shown(text[:MOST_CELL_CHARS]) if text else ""
    if len(text) > MOST_CELL_CHARS:
        named += f" … ({len(text) - MOST_CELL_CHARS} characters more)"
    guarded = _AFTER_SEPARATOR.sub(r"\1'\2", named)
    return f"'{guarded}" if _FIRST.match(guarded) else guarded


def line_of(cells: tuple[str, ...]) -> bytes:
    """One line of the table."""
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerow(cells)
    return written.getvalue().encode("utf-8", "backslashreplace")


def _cells(asked: AskRecord, timeline: Timeline) -> tuple[str, ...]:
    ask, decision = asked.ask, asked.decision
    page, target = ask.evidence.page, ask.evidence.target
    call = timeline.call(ask.call_id)
    return (
        ask.ask_id,
        str(asked.seq),
        datetime.fromtimestamp(asked.wall_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S") if asked.wall_ms else "",
        str(ask.turn),
        ask_title(ask),
        ask.kind,
        ask.source,
        cell(ask.member),
        cell(_arguments(ask.arguments)),
        cell(ask.url if ask.url is not None else page.url if page is not None else ""),
        cell(target.role if target is not None else ""),
        cell(target.label if target is not None else ""),
        decision.verdict if decision is not None else "none on record",
        decision_words(decision, handed_on=True) if decision is not None else "",
        cell(decision.rule) if decision is not None else "",
        cell(decision.reason) if decision is not None else "",
        cell(decision.note) if decision is not None else "",
        str(decision.waited_ms) if decision is not None else "",
        CALL_STATES[Moment(timeline).state_of(call)] if call is not None else "",
        ask.digest,
    )


def _arguments(value: object) -> str:
    try:
        return canonical_json(value).decode("ascii")
    except (ValueError, TypeError):
        return json_to_read(value)
