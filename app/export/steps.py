"""The steps of a run on the exported page: what was said, asked, decided and done, in the order of the journal."""

from collections import defaultdict
from collections.abc import Iterator
from html import escape

from app.core.decision import verdict_word
from app.core.describe import CALL_STATES, ask_title, decision_words, member_phrase, withdrawn_words
from app.core.events import (
    ActionEnded,
    EffectReconciled,
    FailureSeen,
    Origin,
    PageChanged,
    PageRead,
    PictureTaken,
    Recorded,
    RunEnded,
    RunResumed,
    RunStarted,
    SegmentStarted,
    StopRequested,
    TurnAnswered,
    UserTextAdded,
)
from app.core.evidence import Picture
from app.core.moment import Moment
from app.core.settle import FOUND_WORDS
from app.core.timeline import AskRecord, CallRecord, CallState
from app.export.markup import Pictures, code, data, folded, outside, prose, rows
from app.export.record import Record

TONES: dict[CallState, str] = {
    "done": "clear",
    "allowed": "clear",
    "denied": "danger",
    "answered": "clear",
    "may_have_happened": "hold",
    "partly_done": "hold",
    "running": "hold",
}


class Steps:
    """One pass over a run's journal; each call stands where it was first heard of, with all that belongs to it."""

    def __init__(self, record: Record, pictures: Pictures) -> None:
        self._timeline = record.timeline
        self._tick = record.tick
        self._pictures = pictures
        self._calls: dict[int, list[CallRecord]] = defaultdict(list)
        self._reads: dict[str, list[PageRead]] = defaultdict(list)
        self._seen: dict[str, list[tuple[str, Picture]]] = defaultdict(list)
        frame = self._timeline.frames.last(self._timeline.last_seq)
        self._last_frame = frame.seq if frame is not None else 0
        for call in self._timeline.calls:
            self._calls[call.seq].append(call)
        for recorded in self._timeline.events:
            self._sort(recorded)

    def _sort(self, recorded: Recorded) -> None:
        event = recorded.event
        match event:
            case PageRead():
                self._reads[event.call_id].append(event)
            case PictureTaken(call_id=str(call_id)):
                words = "What the model was sent" if event.role == "read" else "The screen"
                self._seen[call_id].append((words, event.picture))
            case ActionEnded() if event.picture is not None:
                self._seen[event.call_id].append(("The screen as it ended", event.picture))
            case _:
                pass

    def parts(self) -> Iterator[str]:
        """The page's text, a step at a time."""
        yield "<h2>What happened</h2>"
        for recorded in self._timeline.events:
            self._tick(1)
            yield self._event(recorded)
            for call in self._calls.get(recorded.seq, ()):
                yield from self._call(call)

    def _event(self, recorded: Recorded) -> str:
        event = recorded.event
        match event:
            case TurnAnswered():
                said = "".join(f"<blockquote>{prose(text)}</blockquote>" for text in event.messages)
                label = '<p class="dim small">The model says:</p>' if said else ""
                return f"<h2>Turn {event.turn}</h2>{label}{said}"
            case RunStarted(origin=Origin() as origin):
                place = "request" if event.engine == "decisions" else "checkpoint"
                return _line("Forked from", f"{code(origin.run_id)}, {place} {origin.revision}")
            case RunResumed():
                changed = "; ".join(outside(change) for change in event.changes) or "nothing had changed"
                return _line("Resumed by another process", changed, tone="hold")
            case EffectReconciled():
                return _line("Found", f"{code(event.member)} {escape(FOUND_WORDS[event.found])}", tone="hold")
            case SegmentStarted() if event.number > 1:
                return _line("Continued as a new segment", outside(event.reason))
            case UserTextAdded():
                return _line("Said to the model", prose(event.text))
            case PageChanged():
                return _line(f"The page: {event.kind}".replace("_", " ") if event.kind.isidentifier() else "The page",
                             code(event.detail) if event.detail else "")  # fmt: skip
            case FailureSeen():
                causes = "".join(f" ← {outside(cause)}" for cause in event.causes)
                return _line("Failure", f"{code(event.error)} {outside(event.detail)}{causes}", tone="danger")
            case PictureTaken(role="live") if recorded.seq == self._last_frame:
                return self._pictures.figure(event.picture, "The last live picture")
            case StopRequested():
                return _line(
                    "Stop", f"{escape(event.by.replace('_', ' '))} {outside(event.detail) if event.detail else ''}"
                )
            case RunEnded():
                return _line("The end", outside(event.reason))
            case _:
                return ""

    def _call(self, call: CallRecord) -> Iterator[str]:
        proposed = call.proposed
        state = Moment(self._timeline).state_of(call)
        phrase = member_phrase(proposed.source, proposed.member) or "Call"
        tone = TONES.get(state, "dim")
        yield (
            f'<article class="card"><header><h3>{escape(phrase)}</h3>{code(proposed.member)}'
            f'<span class="dim small">{escape(proposed.source)}</span>'
            f'<span class="state {tone}">{escape(CALL_STATES[state])}</span></header>'
        )
        yield data(proposed.arguments)
        for asked in call.asks:
            yield self._ask(asked)
        if call.detail:
            yield f"<p>{outside(call.detail)}</p>"
        for words, picture in self._seen.pop(proposed.call_id, ()):
            yield self._pictures.figure(picture, words)
        for read in self._reads.pop(proposed.call_id, ()):
            report = read.report if isinstance(read.report, dict) else {}
            text = report.get("text")
            inside = rows((("Address", code(read.url) if read.url else ""),))
            inside += f"<pre>{outside(text, 'block')}</pre>" if isinstance(text, str) else ""
            yield folded("What the model read", inside + data(report.get("elements", report)))
        if call.answer is not None:
            yield folded("What the model was told", data(call.answer.output))
        yield "</article>"

    def _ask(self, asked: AskRecord) -> str:
        ask, decision = asked.ask, asked.decision
        page, target = ask.evidence.page, ask.evidence.target
        name = f"{outside(target.label)} ({code(target.role)}, {code(target.ref)})" if target is not None else ""
        shown = rows(
            (
                ("Address asked for", code(ask.url) if ask.url is not None else ""),
                ("Page", f"{code(page.url)} {outside(page.title)}" if page is not None else ""),
                ("Target", name),
                ("Lies on top of it", outside(target.covered_by) if target is not None and target.covered_by else ""),
                ("Server", code(ask.server_label) if ask.server_label is not None else ""),
                (
                    "Safety checks",
                    "; ".join(f"{code(check.code or '')} {outside(check.message or '')}" for check in ask.checks),
                ),
                ("Not to be had", "; ".join(outside(missing) for missing in ask.evidence.missing)),
            )
        )
        differs = ask.arguments if ask.parts > 1 else None
        figure = ""
        if ask.evidence.picture is not None:
            box = target.box if target is not None else None
            figure = self._pictures.figure(
                ask.evidence.picture, "What was shown with the question", box=box, points=ask.evidence.points
            )
        answer = '<p class="decision">no decision on record</p>'
        if decision is not None:
            tone = TONES[verdict_word(decision)]
            answer = f'<p class="decision {tone}">{escape(decision_words(decision, handed_on=True))}</p>' + rows(
                (
                    ("Reason", outside(decision.reason) if decision.reason else ""),
                    ("Told to the model", prose(decision.note) if decision.note else ""),
                    ("Answered in its place", prose(decision.value) if decision.value is not None else ""),
                    ("Withdrawn", escape(withdrawn_words(decision.withdrawn)) if decision.withdrawn else ""),
                    ("Waited", f"{decision.waited_ms / 1000:.1f} s" if decision.by == "person" else ""),
                )
            )
        part = f", part {ask.part} of {ask.parts}" if ask.parts > 1 else ""
        return (
            f'<section class="ask" id="ask-{asked.seq}"><p><strong>{escape(ask_title(ask))}?</strong> '
            f'<span class="dim small">{escape(ask.ask_id)}{part}</span></p>'
            f"{data(differs) if differs is not None else ''}{shown}{figure}{answer}</section>"
        )


def _line(words: str, value: str, *, tone: str = "") -> str:
    return f'<p class="small {tone}"><span class="dim">{escape(words)}:</span> {value}</p>'
