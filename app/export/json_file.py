"""A run as one JSON document: what is wrong with it, its pictures, its events, and the SDK's newest checkpoint."""

import base64
import hashlib
import json
import math
from collections.abc import Iterator
from typing import IO, Any

from app.core.errors import LedgerProblem
from app.core.value import Json
from app.export.checkpoint import HandedOn
from app.export.record import Record, plain

FORMAT = 1
LONGEST_INT_BITS = 8192
"""Python and many others refuse to read longer numbers."""


def write_json(record: Record, out: IO[bytes]) -> None:
    """Write the document, a picture, event or item at a time."""
    checkpoint = HandedOn(record)
    notes = [*record.notes, *([checkpoint.problem] if checkpoint.problem else [])]
    head = {"signalbox_export": FORMAT, "notes": notes, "left_out": record.left_out, "run_id": _run_id(record)}
    out.write(_text(head)[:-1].encode("ascii"))
    out.write(b',\n"pictures":{')
    handed_on = _write_pictures(record, out)
    out.write(b'},\n"events":[')
    for number, recorded in enumerate(record.timeline.events):
        entry = {"seq": recorded.seq, "wall_ms": recorded.wall_ms, "mono_ns": recorded.mono_ns}
        entry["event"] = _renamed(plain(recorded.event), handed_on)
        out.write((",\n" if number else "\n").encode() + _text(entry).encode("ascii"))
        record.tick(1)
    out.write(b'],\n"checkpoint":')
    if checkpoint.there:
        write_checkpoint(checkpoint, out)
    else:
        out.write(b"null")
    out.write(b"}\n")


def write_checkpoint(checkpoint: HandedOn, out: IO[bytes]) -> None:
    """Write the checkpoint alone, in the SDK's own form."""
    out.write(b"{")
    for number, (key, value) in enumerate(checkpoint.fields()):
        out.write((",\n" if number else "").encode() + _text(key).encode("ascii") + b":")
        if not isinstance(value, Iterator):
            out.write(_text(value).encode("ascii"))
            continue
        out.write(b"[")
        for place, item in enumerate(value):
            out.write((",\n" if place else "").encode() + _text(item).encode("ascii"))
        out.write(b"]")
    out.write(b"}")


def _write_pictures(record: Record, out: IO[bytes]) -> dict[str, str]:
    """Returns under which digest each picture was written that is not the one on record."""
    renamed: dict[str, str] = {}
    written: set[str] = set()
    for digest in record.digests():
        record.tick(1)
        name, entry = digest, _no_picture("")
        try:
            covered = record.picture(digest)
            name = hashlib.sha256(covered.data).hexdigest()
            entry = {"media_type": covered.media_type, "base64": base64.b64encode(covered.data).decode("ascii")}
        except LedgerProblem as problem:
            entry = _no_picture(str(problem))
        if name != digest:
            renamed[digest] = name
        if name not in written:
            comma = ",\n" if written else "\n"
            out.write(f"{comma}{_text(name)}:{_text(entry)}".encode("ascii"))
            written.add(name)
    return renamed


def _no_picture(reason: str) -> dict[str, str]:
    return {"reason": reason}


def _renamed(value: Json, names: dict[str, str]) -> Json:
    """`value` with each picture under the digest that it was written under."""
    if not names:
        return value
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list | tuple):
        return [_renamed(item, names) for item in value]
    if isinstance(value, dict):
        return {key: _renamed(item, names) for key, item in value.items()}
    return value


def _run_id(record: Record) -> str:
    return record.timeline.run.run_id if record.timeline.run is not None else ""


def _text(value: Json) -> str:
    """ASCII, so that text which is not valid Unicode is not lost either."""
    return json.dumps(_writable(value), ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def _writable(value: Any) -> Json:
    """Numbers that JSON has no word for, or that readers refuse, as objects that name them."""
    if isinstance(value, list | tuple):
        return [_writable(item) for item in value]
    if isinstance(value, dict):
        return {key: _writable(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": repr(value)}
    if isinstance(value, int) and value.bit_length() > LONGEST_INT_BITS:
        return {"$int": hex(value)}
    return value
