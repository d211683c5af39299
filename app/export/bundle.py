"""Everything of a run in one archive: the ledger itself where nothing is hidden, each form of export, check values."""

import hashlib
import re
import shutil
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO

from app.core.errors import LedgerProblem
from app.export.animation import write_animation
from app.export.checkpoint import HandedOn
from app.export.json_file import write_checkpoint, write_json
from app.export.page import write_page
from app.export.record import Record
from app.export.table import write_table
from app.ledger.reader import LedgerReader
from app.ledger.schema import SUFFIX as LEDGER
from app.ledger.seal import SUFFIX as SEAL

Writer = Callable[[Record, IO[bytes]], None]

PARTS: dict[str, Writer] = {
    "run.html": write_page,
    "run.json": write_json,
    "decisions.csv": write_table,
    "pictures.webp": write_animation,
}
CHECK_VALUES = "SHA256SUMS"
_LOG = "-wal"
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
"""A name that is only a name on every system; any other file is called `run` in the archive."""


def write_bundle(record: Record, out: IO[bytes]) -> None:
    """Write the archive. Raises `LedgerProblem` for a run that is still written to."""
    if "running" in record.source.flags:
        raise LedgerProblem(f"a run that is in use cannot be put into an archive: {record.source.path}")
    sums: dict[str, str] = {}
    with zipfile.ZipFile(out, "w") as archive:
        name = record.source.path.name
        plain = name if _PLAIN.fullmatch(name) else f"run{LEDGER}"
        for path in _evidence(record):
            with path.open("rb") as opened:
                place = f"ledger/{plain}{path.name.removeprefix(name)}"
                _add(archive, place, sums, partial(shutil.copyfileobj, opened))
        for name, write in PARTS.items():
            if name != "pictures.webp" or len(record.timeline.frames):
                _add(archive, name, sums, partial(write, record))
        checkpoint = HandedOn(record)
        if checkpoint.there:
            _add(archive, "checkpoint.json", sums, lambda part: write_checkpoint(checkpoint, part))
        _add(
            archive, "READ-ME.txt", sums, lambda part: part.write(_read_me(record).encode("utf-8", "backslashreplace"))
        )
        listed = "".join(f"{value}  {name}\n" for name, value in sums.items())
        archive.writestr(_entry(CHECK_VALUES), listed)


class _Summed:
    """A file that is written to once, from its beginning to its end, and knows its check value."""

    def __init__(self, part: IO[bytes]) -> None:
        self._part = part
        self.sum = hashlib.sha256()

    def write(self, data: bytes) -> int:
        """Write on."""
        self.sum.update(data)
        return self._part.write(data)


def _add(archive: zipfile.ZipFile, name: str, sums: dict[str, str], write: Callable[[IO[bytes]], object]) -> None:
    with archive.open(_entry(name), "w", force_zip64=True) as part:
        summed = _Summed(part)
        write(summed)  # type: ignore[arg-type]
    sums[name] = summed.sum.hexdigest()


def _entry(name: str) -> zipfile.ZipInfo:
    # Stored as they are: nearly all of it is pictures, which do not get smaller and would take minutes.
    entry = zipfile.ZipInfo(name, time.gmtime()[:6])
    entry.external_attr = 0o600 << 16
    return entry


def _evidence(record: Record) -> list[Path]:
    """The run's own files, where nothing of them is to be hidden."""
    if record.hides_something:
        return []
    path = record.source.path
    beside = (path.with_name(path.name + end) for end in (_LOG, SEAL))
    return [path, *(one for one in beside if one.is_file() and not one.is_symlink() and one.stat().st_size)]


def _read_me(record: Record) -> str:
    lines = ["A run of Signalbox.", ""]
    if record.notes:
        lines += ["What is wrong with this record:", *(f"- {note}" for note in record.notes), ""]
    if record.left_out:
        lines += ["What was left out:", *(f"- {words}" for words in record.left_out)]
        lines += ["- the ledger itself is not in this archive, since it holds what was left out", ""]
    lines += [
        "run.html         to read in any browser; it loads nothing",
        "run.json         events, pictures and the SDK's newest checkpoint",
        "checkpoint.json  that checkpoint alone, in the SDK's form",
        "decisions.csv    the decisions as a table",
        "pictures.webp    the pictures as an animation",
        f"{CHECK_VALUES}       check values of all these files: sha256sum -c {CHECK_VALUES}",
    ]
    if not record.hides_something:
        lines.append("ledger/          the record itself: signalbox verify, signalbox replay")
    blobs = record.source.blobs
    if isinstance(blobs, LedgerReader):
        last = blobs.last_seq()
        lines += ["", f"Check value of the ledger's last event ({last}): {blobs.chain_at(last).hex()}"]
    return "\n".join(lines) + "\n"
