"""The saved run as every form of export reads it: redacted, its pictures covered, with what must be said at the top."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.errors import LedgerProblem
from app.core.events import CallAnswered, Event, PictureTaken
from app.core.evidence import Picture
from app.core.exporting import ExportOrder, ExportStopped, box_words
from app.core.redact import Redactor
from app.core.timeline import Timeline
from app.core.value import Json
from app.export.masks import Cover, Covered
from app.ledger.pictures import why_not_shown
from app.ledger.reader import LedgerReader
from app.ledger.verify import pictures_of, verify
from app.replay.source import ReplaySource, open_source

MADE_FOR_PICTURE = "screenshot"
"""The browser member whose picture shows the whole viewport; a zoom shows a part of it."""

MOST_FINDINGS = 10

Tick = Callable[[int], None]
"""Called with how many further events or pictures are done."""


@dataclass
class Record:
    """One saved run, open. All text that leaves here is redacted, all pictures are covered."""

    source: ReplaySource
    timeline: Timeline
    cover: Cover
    redactor: Redactor
    notes: tuple[str, ...]
    """What is wrong or unusual about the record."""
    left_out: tuple[str, ...]
    tick: Tick
    pages: dict[str, Picture]
    """Pictures of which it is known what part of a page they show."""

    @property
    def hides_something(self) -> bool:
        """Whether anything is covered or left out, so that the record itself must not go along."""
        return bool(self.cover.masks or self.redactor.count)

    def picture(self, digest: str) -> Covered:
        """A stored picture as it is handed on. Raises `LedgerProblem` with the reason why it is not."""
        return self.cover.picture(self.source.blobs.blob(digest), self.pages.get(digest))

    def digests(self) -> Iterator[str]:
        """Every picture that the record names, in order of first use."""
        seen: set[str] = set()
        for recorded in self.timeline.events:
            for digest in named_pictures(recorded.event):
                if digest not in seen:
                    seen.add(digest)
                    yield digest


def open_record(order: ExportOrder, cover: Cover, redactor: Redactor, tick: Tick) -> Record:
    """Read all of the run that `order` names. Raises `LedgerProblem`."""
    source = open_source(order.record)
    try:
        timeline = Timeline()
        timeline.cut_off = "cut_off" in source.flags
        for recorded in source.events:
            timeline.apply(redactor.recorded(recorded))
            tick(1)
        record = Record(source, timeline, cover, redactor, (), left_out_words(cover, redactor), tick, {})
        record.pages = pages_of(timeline)
        said = (*_notes(source), *_findings(source, tick), *_missing_pictures(record))
        # Where the record lies on this machine is nobody's affair who gets the export.
        folder = f"{source.path.parent}{os.sep}"
        record.notes = tuple(redactor.text(note.replace(folder, "")) for note in said)
        return record
    except BaseException:
        source.close()
        raise


def left_out_words(cover: Cover, redactor: Redactor) -> tuple[str, ...]:
    """What was covered or left out, for the top of an export."""
    words = []
    if cover.masks:
        places = "; ".join(box_words(mask) for mask in cover.masks)
        plural = "region is" if len(cover.masks) == 1 else "regions are"
        words.append(f"{len(cover.masks)} {plural} covered in every picture (x,y,width,height on the page): {places}")
        words.append("pictures of which it is not known what part of the page they show are covered as a whole")
    if redactor.count:
        plural = "text of a list is" if redactor.count == 1 else "texts of a list are"
        words.append(f"{redactor.count} {plural} left out of all text; each place reads [redacted]")
        if not cover.masks:
            words.append("text that can be seen in pictures is still there: no region is covered")
    return tuple(words)


def _notes(source: ReplaySource) -> list[str]:
    notes = list(source.notes)
    if "cut_off" in source.flags:
        notes.insert(0, "the run was cut off: its end is not on record")
    return notes


def _findings(source: ReplaySource, tick: Tick) -> list[str]:
    """What a check of the whole ledger finds: reading it shows only what is in the way of reading."""
    if not isinstance(source.blobs, LedgerReader) or "running" in source.flags:
        return []

    def goes_on() -> bool:
        try:
            tick(0)
        except ExportStopped:
            return False
        return True

    try:
        found = verify(source.path, goes_on=goes_on, shown=source.blobs.newest_read).findings
    except LedgerProblem as problem:
        # Stopped by a person, the next look ends the export; else the record cannot be read any more.
        tick(0)
        return [str(problem)]
    said = "; ".join(source.notes)
    return [f"the check found: {words}" for words in found[:MOST_FINDINGS] if words not in said]


def _missing_pictures(record: Record) -> list[str]:
    missing = 0
    for digest in record.digests():
        try:
            missing += why_not_shown(record.source.blobs.blob(digest)) is not None
        except LedgerProblem:
            missing += 1
        record.tick(1)
    if not missing:
        return []
    return ["1 picture is missing or damaged" if missing == 1 else f"{missing} pictures are missing or damaged"]


def pages_of(timeline: Timeline) -> dict[str, Picture]:
    """Which viewport each picture shows, where the record is sure of it."""
    pages: dict[str, Picture] = {}
    for frame in timeline.frames:
        pages.setdefault(frame.picture.digest, frame.picture)
    for recorded in timeline.events:
        event = recorded.event
        if isinstance(event, PictureTaken) and event.role == "read" and not _of_whole_page(timeline, event):
            pages.pop(event.picture.digest, None)
    return pages


def _of_whole_page(timeline: Timeline, event: PictureTaken) -> bool:
    call = timeline.call(event.call_id) if event.call_id is not None else None
    if call is None:
        # A decisions run looks at the page by itself; its looks are no calls of the model.
        return timeline.run is not None and timeline.run.engine == "decisions"
    proposed = call.proposed
    return proposed.source == "computer" or (proposed.source == "browser" and proposed.member == MADE_FOR_PICTURE)


def named_pictures(event: Event) -> list[str]:
    """Digests of all pictures that an event names, those in outputs and observations included."""
    found = list(pictures_of(event))
    match event:
        case CallAnswered():
            pass
        case _ if event.type == "ask_raised":
            replaced = event.ask.replaces
            if replaced is not None and replaced.evidence.picture is not None:
                found.append(replaced.evidence.picture.digest)
            found += _in_value(event.ask.offer.observation if event.ask.offer is not None else None)
        case _ if event.type == "request_sent" and event.offer is not None:
            found += _in_value(event.offer.observation)
    return [digest for digest in found if len(digest) == 64 and digest.isalnum()]


def _in_value(value: Json) -> list[str]:
    if isinstance(value, dict):
        if len(value) == 1 and isinstance(digest := value.get("picture"), str):
            return [digest]
        return [found for item in value.values() for found in _in_value(item)]
    if isinstance(value, list):
        return [found for item in value for found in _in_value(item)]
    return []


def record_path(path: Path) -> Path:
    """The file itself, whatever link leads to it: its side files lie beside it."""
    return path.resolve()


def plain(event: Event) -> dict[str, Any]:
    """An event as JSON."""
    found: dict[str, Any] = event.model_dump(mode="python")
    return found
