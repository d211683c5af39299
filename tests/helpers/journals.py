"""Plausible journals without a run: a booking in eight calls with drawn pictures, and stored bytes in memory."""

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from app.core.ask import Ask, AskKind
from app.core.decision import Decision
from app.core.errors import LedgerProblem
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CallAnswered,
    CheckpointSaved,
    DecisionMade,
    DiagnosticReported,
    Event,
    OutcomeChecked,
    PageChanged,
    PageRead,
    PictureTaken,
    ProposedCall,
    Recorded,
    RequestSent,
    RunEnded,
    RunStarted,
    SegmentStarted,
    TurnAnswered,
)
from app.core.evidence import Box, Evidence, Page, Picture, Target
from app.core.timeline import Timeline
from app.core.value import Json, call_digest

WIDTH, HEIGHT = 1280, 800
START_WALL_MS = 1_764_450_000_000
SITE = "http://127.0.0.1:8000"
RESERVE_BOX = Box(x=104, y=676, width=260, height=70)


class MemoryBlobs:
    """Bytes by digest, as a ledger would hand them out; thumbnails are made when a picture is put in."""

    def __init__(self) -> None:
        self._blobs: dict[str, bytes] = {}
        self._thumbnails: dict[str, bytes] = {}
        self.reads: list[str] = []
        """Digests in the order in which they were asked for."""

    def put(self, data: bytes) -> str:
        """Store `data`; returns its digest."""
        digest = hashlib.sha256(data).hexdigest()
        self._blobs[digest] = data
        return digest

    def put_picture(self, data: bytes) -> str:
        """Store a picture with its thumbnail."""
        digest = self.put(data)
        small = Image.open(io.BytesIO(data)).convert("RGB")
        small.thumbnail((192, 120))
        out = io.BytesIO()
        small.save(out, "JPEG", quality=80)
        self._thumbnails[digest] = out.getvalue()
        return digest

    def blob(self, digest: str) -> bytes:
        """The bytes of that digest."""
        self.reads.append(digest)
        try:
            return self._blobs[digest]
        except KeyError:
            raise LedgerProblem(f"no stored bytes of the digest {digest[:12]}") from None

    def thumbnail(self, digest: str) -> bytes | None:
        """The thumbnail made when it was put in."""
        return self._thumbnails.get(digest)


@dataclass
class JournalWriter:
    """Numbers events and gives them times, 400 ms apart unless told otherwise."""

    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    records: list[Recorded] = field(default_factory=list)
    now_ms: int = 0
    asks: int = 0

    def add(self, event: Event, *, after_ms: int = 400) -> Recorded:
        """Append one event."""
        self.now_ms += after_ms
        wall_ms, mono_ns = START_WALL_MS + self.now_ms, self.now_ms * 1_000_000
        recorded = Recorded(len(self.records) + 1, wall_ms, mono_ns, event)
        self.records.append(recorded)
        return recorded

    def picture(self, data: bytes) -> Picture:
        """Store a picture of the booking site."""
        digest = self.blobs.put_picture(data)
        return Picture(
            digest=digest, media_type="image/png", width=WIDTH, height=HEIGHT, css_width=WIDTH, css_height=HEIGHT
        )

    def ask(self, call: ProposedCall, turn: int, kind: AskKind, evidence: Evidence) -> Ask:
        """Raise an ask about `call`."""
        self.asks += 1
        ask = Ask(
            ask_id=f"a{self.asks:04d}",
            kind=kind,
            source=call.source,
            call_id=call.call_id,
            turn=turn,
            member=call.member,
            arguments=call.arguments,
            digest=call_digest(call.member, call.arguments),
            evidence=evidence,
        )
        self.add(AskRaised(ask=ask))
        return ask

    def decide(self, ask: Ask, *, allow: bool = True, note: str = "") -> None:
        """A person answers `ask`."""
        self.add(
            DecisionMade(
                decision=Decision(
                    ask_id=ask.ask_id,
                    verdict="allow" if allow else "deny",
                    by="person",
                    note=note,
                    digest=ask.digest,
                    waited_ms=2100,
                )
            ),
            after_ms=2100,
        )


@cache
def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


@cache
def booking_page(filled: int, *, shade: int = 0, note: str = "", size: tuple[int, int] = (WIDTH, HEIGHT)) -> bytes:
    """A PNG of a booking form with its first `filled` fields filled in; `shade` makes pictures differ."""
    image = Image.new("RGB", size, "#FFFFFF")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, size[0], 78), fill="#24403A")
    draw.text((40, 24), "Harbour Table", font=_font(28), fill="#FFFFFF")
    draw.text((900, 30), "Tables    Opening hours    Help", font=_font(20), fill="#FFFFFF")
    draw.text((104, 132), "Book a table", font=_font(38), fill="#1B1F24")
    fields = (("Name", "Party of two"), ("Guests", "2"), ("Date", "3 May"), ("Time", "19:00"))
    for row, (label, value) in enumerate(fields):
        top = 222 + row * 108
        draw.text((104, top), label, font=_font(20), fill="#5B6570")
        draw.rounded_rectangle((104, top + 28, 674, top + 88), 8, outline="#CCD3DA", width=2, fill="#FAFBFC")
        if row < filled:
            draw.text((124, top + 44), value, font=_font(26), fill="#1B1F24")
    draw.rounded_rectangle((104, 676, 364, 746), 10, fill="#24403A")
    draw.text((146, 694), "Reserve table", font=_font(26), fill="#FFFFFF")
    draw.text((760, 250), note or "The kitchen closes at 22:00.", font=_font(20), fill="#5B6570")
    draw.point((0, size[1] - 1), fill=(shade % 256, shade // 256 % 256, 0))
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def read_report() -> Json:
    """What a read of the booking form reports."""
    elements = [
        {"ref": "e37", "role": "textbox", "label": "Name", "value": "Party of two"},
        {"ref": "e38", "role": "listbox", "label": "Guests", "options": [{"label": "2", "value": "2"}]},
        {"ref": "e39", "role": "textbox", "label": "Date", "value": "3 May"},
        {"ref": "e40", "role": "listbox", "label": "Time", "options": [{"label": "19:00", "value": "19:00"}]},
        {"ref": "e41", "role": "button", "label": "Reserve table"},
    ]
    text = "Book a table. The kitchen closes at 22:00. Bookings can be changed until noon of the same day."
    return {"version": 1, "text": text, "elements": elements, "omitted": ["private", "frame_limit"]}


READ_BOXES = {f"e{37 + row}": Box(x=104, y=250 + row * 108, width=570, height=60) for row in range(4)} | {
    "e41": RESERVE_BOX
}


def _started(task: str) -> RunStarted:
    return RunStarted(
        run_id="20261129-2105-k7m3qx",
        task=task,
        model="scripted",
        engine="responses",
        max_steps=20,
        provenance="demo",
        unattended=False,
        plan={},
        versions={"openai": "3.57.0"},
    )


def _steps() -> Iterator[tuple[str, Json, AskKind | None, int]]:
    yield "navigate", {"url": f"{SITE}/book", "tab_id": None}, "navigation", 0
    yield "read_page", {"tab_id": None}, None, 0
    yield "type", {"target": "e37", "text": "Party of two", "tab_id": None}, "browser_action", 1
    yield "select_option", {"target": "e38", "value": "2", "tab_id": None}, "browser_action", 2
    yield "type", {"target": "e39", "text": "3 May", "tab_id": None}, "browser_action", 3
    yield "select_option", {"target": "e40", "value": "19:00", "tab_id": None}, "browser_action", 4
    yield "get_page_text", {"tab_id": None}, None, 4
    yield "click", {"target": "e41", "tab_id": None}, "browser_action", 4


def booking(
    *, stop_at_last_ask: bool = False, deny_last: bool = False, task: str = "Book a table for two on 3 May"
) -> JournalWriter:
    """A whole run of eight calls; `stop_at_last_ask` leaves the last question open, as a live run would stand."""
    writer = JournalWriter()
    writer.add(_started(task), after_ms=0)
    writer.add(SegmentStarted(number=1, base_revision=0, reason="start"))
    writer.add(PageChanged(kind="tab_opened", tab_id="t1", detail="about:blank"))
    writer.add(PageChanged(kind="navigation", tab_id="t1", detail=f"{SITE}/book"))
    revision = 0
    steps = list(_steps())
    for turn, (member, arguments, kind, filled) in enumerate(steps, start=1):
        call = ProposedCall(call_id=f"c{turn}", source="browser", member=member, arguments=arguments)
        writer.add(RequestSent(turn=turn, revision=revision))
        words = ("I filled in the form and will now reserve the table.",) if turn == len(steps) else ()
        follow_up = (ProposedCall(call_id="c9", source="functions", member="lookup", arguments={"reference": "HT-3"}),)
        writer.add(
            TurnAnswered(
                turn=turn,
                response_id=f"resp_{turn}",
                calls=(call, *(follow_up if turn == len(steps) else ())),
                messages=words,
                final=False,
                input_tokens=2100 + 30 * turn,
                output_tokens=60,
                total_tokens=2160 + 30 * turn,
            ),
            after_ms=1204,
        )
        writer.add(DiagnosticReported(api="responses", stage="request", reason="completed", duration_ms=1204.0))
        last = turn == len(steps)
        asked = _ask_for(writer, call, turn, kind, filled)
        if asked is not None:
            if last and stop_at_last_ask:
                return writer
            writer.decide(
                asked, allow=not (last and deny_last), note="Not today, please." if last and deny_last else ""
            )
        revision = _effect(writer, call, asked, filled, revision, done=not (last and deny_last))
    _finish(writer, len(steps) + 1, revision, booked=not deny_last)
    return writer


def _ask_for(writer: JournalWriter, call: ProposedCall, turn: int, kind: AskKind | None, filled: int) -> Ask | None:
    if kind is None:
        return None
    picture = writer.picture(booking_page(max(0, filled - 1) if call.member != "click" else filled, shade=turn))
    page = Page(tab_id="t1", url=f"{SITE}/book", origin=SITE, title="Book a table")
    ref = call.arguments.get("target")
    target = (
        Target(
            ref=ref,
            role="button" if ref == "e41" else "textbox",
            label="Reserve table" if ref == "e41" else "Name",
            frame_origin=SITE,
            box=READ_BOXES[ref],
            covered_by=None,
        )
        if ref is not None
        else None
    )
    evidence = Evidence(page=page, target=target, picture=picture)
    return writer.ask(call, turn, kind, evidence)


def _effect(
    writer: JournalWriter, call: ProposedCall, ask: Ask | None, filled: int, revision: int, *, done: bool
) -> int:
    if done:
        writer.add(
            ActionStarted(
                call_id=call.call_id,
                source=call.source,
                member=call.member,
                digest=call_digest(call.member, call.arguments),
                ask_id=ask.ask_id if ask else None,
                reads_only=ask is None,
            )
        )
        if call.member in ("read_page", "get_page_text"):
            writer.add(
                PageRead(
                    call_id=call.call_id,
                    member=call.member,
                    report=read_report(),
                    tab_id="t1",
                    url=f"{SITE}/book",
                    boxes=READ_BOXES,
                )
            )
        note = "Your table is reserved." if call.member == "click" else ""
        after = writer.picture(booking_page(filled, shade=100 + revision, note=note))
        writer.add(ActionEnded(call_id=call.call_id, outcome="done", duration_ms=42, picture=after))
    writer.add(
        DiagnosticReported(api="browser", stage="action", reason="completed", duration_ms=42.0, member=call.member)
    )
    writer.add(CallAnswered(call_id=call.call_id, ok=done, output={"ok": done}))
    writer.add(
        CheckpointSaved(
            revision=revision + 1,
            phase="boundary",
            consumed_requests=revision + 1,
            attempted_call_ids=(call.call_id,),
            returned_call_ids=(call.call_id,),
            save_ms=0.4,
        )
    )
    return revision + 1


def _finish(writer: JournalWriter, turn: int, revision: int, *, booked: bool) -> None:
    said = "The table is booked for two on 3 May at 19:00." if booked else "I did not book, as you asked."
    writer.add(RequestSent(turn=turn, revision=revision))
    writer.add(
        TurnAnswered(
            turn=turn,
            response_id=f"resp_{turn}",
            calls=(),
            messages=(said,),
            final=True,
            total_tokens=2500,
        )
    )
    writer.add(OutcomeChecked(ok=booked, facts=("one booking is saved" if booked else "no booking is saved",)))
    writer.add(RunEnded(status="finished", reason="the model gave its final message", final_text=said))


def long_run(pictures: int) -> JournalWriter:
    """A run with so many pictures, each a `PictureTaken` of its own; small ones, so that making them is quick."""
    writer = JournalWriter()
    writer.add(_started("Look at many pages"), after_ms=0)
    for number in range(pictures):
        writer.add(PictureTaken(role="read", picture=writer.picture(booking_page(2, shade=number, size=(320, 200)))))
    return writer


def folded(records: list[Recorded]) -> Timeline:
    """The timeline of `records`."""
    timeline = Timeline()
    for recorded in records:
        timeline.apply(recorded)
    return timeline
