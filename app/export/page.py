"""A run as one page that needs nothing else: no script, no font, no address; a policy in it forbids every load."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from html import escape
from typing import IO

from app.core.describe import DECIDERS, count_words, decision_words, ending_words
from app.core.describe import ask_title as title_of
from app.core.moment import Moment
from app.core.subject import asked_about
from app.core.timeline import Timeline
from app.export.markup import Pictures, code, outside, prose, rows, style_hash
from app.export.record import Record
from app.export.steps import Steps
from app.paths import resource_text

STYLE = "style/export.css"


def write_page(record: Record, out: IO[bytes]) -> None:
    """Write the page, a step at a time."""
    for part in _parts(record):
        # Whatever could not be encoded is already a mark; this is for what nobody thought of.
        out.write(part.encode("utf-8", "backslashreplace"))


def _parts(record: Record) -> Iterator[str]:
    timeline = record.timeline
    yield _head(timeline)
    yield "<body><main>"
    yield f"<h1>{outside(timeline.run.task) if timeline.run is not None else 'No task on record'}</h1>"
    yield _banner("What is wrong with this record", record.notes, wrong=True)
    yield _banner("What was left out of this page", record.left_out, wrong=False)
    yield _about(timeline)
    yield from _decisions(timeline)
    yield from Steps(record, Pictures(record)).parts()
    yield "</main></body></html>\n"


def _head(timeline: Timeline) -> str:
    style = resource_text(STYLE)
    policy = f"default-src 'none'; img-src data:; style-src '{style_hash(style)}'; base-uri 'none'; form-action 'none'"
    # A title of our own words: what a page or a model wrote never stands on a tab or in a list of windows.
    started = _when(timeline.started_wall_ms)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">'
        f"<title>Signalbox run{f', {started}' if started else ''}</title><style>{style}</style></head>"
    )


def _banner(title: str, lines: tuple[str, ...], *, wrong: bool) -> str:
    if not lines:
        return ""
    listed = "".join(f"<li>{outside(line)}</li>" for line in lines)
    kind = "banner wrong" if wrong else "banner"
    return f'<div class="{kind}" role="note"><strong>{escape(title)}</strong><ul>{listed}</ul></div>'


def _deciders(timeline: Timeline) -> str:
    """Whose the decisions were, those of most first: a person was there does not mean that a person decided."""
    counted = Counter(DECIDERS[record.decision.by] for record in timeline.asks if record.decision is not None)
    return " · ".join(f"{name} {count:,}" for name, count in counted.most_common()) or "nobody: nothing was decided"


def _about(timeline: Timeline) -> str:
    run = timeline.run
    if run is None:
        return ""
    ended = timeline.ended[-1] if len(timeline.ended) else None
    moment = Moment(timeline)
    counts = count_words(moment.asked, moment.allowed, moment.denied, moment.answered)
    tokens = timeline.tokens.last(timeline.last_seq)
    return rows(
        (
            ("Run", code(run.run_id)),
            ("Begun", escape(_when(timeline.started_wall_ms))),
            ("Model", code(run.model)),
            ("Origin", escape(run.provenance)),
            ("Who decided", _deciders(timeline)),
            ("Decisions", escape(counts)),
            ("Tokens", f"{tokens:,}" if tokens else ""),
            (
                "End",
                f"{escape(ending_words(ended))}: {outside(ended.reason)}" if ended is not None else "none on record",
            ),
            ("The model says", prose(ended.final_text) if ended is not None and ended.final_text else ""),
            ("Really there", "; ".join(outside(fact) for seen in timeline.outcomes for fact in seen.facts)),
        )
    )


def _decisions(timeline: Timeline) -> Iterator[str]:
    if not len(timeline.asks):
        return
    heads = "".join(f"<th>{words}</th>" for words in ("Ask", "Question", "Decision", "Waited"))
    yield f"<h2>Decisions</h2><table><thead><tr>{heads}</tr></thead>"
    for asked in timeline.asks:
        decision = asked.decision
        words = escape(decision_words(decision, handed_on=True)) if decision is not None else "none on record"
        tone = "" if decision is None else "clear" if decision.allowed else "danger"
        waited = f"{decision.waited_ms / 1000:.1f} s" if decision is not None and decision.by == "person" else ""
        yield (
            f'<tr><td><a href="#ask-{asked.seq}">{escape(asked.ask.ask_id)}</a></td>'
            f"<td>{escape(title_of(asked.ask))} {code(asked.ask.member)} {outside(asked_about(asked.ask))}</td>"
            f'<td class="{tone}">{words}</td><td class="number">{waited}</td></tr>'
        )
    yield "</table>"


def _when(wall_ms: int) -> str:
    return datetime.fromtimestamp(wall_ms / 1000, UTC).strftime("%d %b %Y, %H:%M UTC") if wall_ms else ""
