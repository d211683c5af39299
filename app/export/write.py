"""Carries out an export: into a new file beside its place, put there when it is whole. It may take minutes."""

import contextlib
import stat
from collections.abc import Callable
from pathlib import Path
from typing import IO

from app.core.errors import SignalboxError
from app.core.exporting import Exported, ExportKind, ExportOrder, ExportStopped, Progress
from app.core.redact import Redactor
from app.export.animation import write_animation
from app.export.bundle import write_bundle
from app.export.json_file import write_json
from app.export.masks import SUFFIX as MASKS
from app.export.masks import Cover, keep_masks, kept_masks
from app.export.page import write_page
from app.export.record import Record, open_record, record_path
from app.export.table import write_table
from app.ledger.beside import must_be_file
from app.ledger.schema import SUFFIX as LEDGER
from app.whole_file import written_whole

WRITERS: dict[ExportKind, Callable[[Record, IO[bytes]], None]] = {
    "html": write_page,
    "json": write_json,
    "csv": write_table,
    "webp": write_animation,
    "bundle": write_bundle,
}
UNFINISHED = ".signalbox-export-"
TOO_DEEP = "cannot be handed on: values in it are nested too deeply"
FIRST_GUESS = 1000
"""Steps of an export before it is known how many there are."""


class ExportFailed(SignalboxError):
    """Nothing was written; says why, and where it was to be."""


def export_run(order: ExportOrder, progress: Progress = lambda _done, _whole: None) -> Exported:
    """Write one export and return what it says.

    Raises:
        LedgerProblem: the run cannot be read.
        ExportFailed: the place cannot be written to, or must not.
        ExportStopped: `progress` raised it; nothing is left.
    """
    source = record_path(order.record)
    _check_place(order.out, source)
    kept = () if order.forget_masks else kept_masks(source)
    masks = tuple(dict.fromkeys((*kept, *order.masks)))
    if order.masks or order.forget_masks:
        must_be_file(source)
        keep_masks(source, masks)
    steps = _Steps(progress)
    try:
        record = open_record(order, Cover(masks), Redactor(order.redactions), steps)
    except RecursionError as error:
        raise ExportFailed(f"{TOO_DEEP}: {order.record}") from error
    try:
        steps.expect(record, order.kind)
        size = _written(order.out, lambda out: WRITERS[order.kind](record, out))
    except RecursionError as error:
        raise ExportFailed(f"{TOO_DEEP}: {order.record}") from error
    finally:
        record.source.close()
    steps.finish()
    return Exported(order.out, size, record.notes, record.left_out)


class _Steps:
    """Counts what is done; what there is to do is known once the record has been read."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._done = 0
        self._whole = FIRST_GUESS

    def __call__(self, more: int) -> None:
        self._done += more
        self._progress(self._done, max(self._whole, self._done))

    def expect(self, record: Record, kind: ExportKind) -> None:
        """Events, pictures and items once, and once more for each form that a bundle holds."""
        once = len(record.timeline.events) + 2 * len(record.timeline.frames)
        self._whole = self._done + once * {"csv": 0, "webp": 0, "html": 1, "json": 1, "bundle": 3}[kind]
        self._whole += {"csv": len(record.timeline.asks), "webp": len(record.timeline.frames)}.get(kind, 0)

    def finish(self) -> None:
        """All of it is done."""
        with contextlib.suppress(ExportStopped):
            self._progress(self._done, self._done)


def _written(out: Path, write: Callable[[IO[bytes]], None]) -> int:
    try:
        with written_whole(out, prefix=UNFINISHED) as opened:
            write(opened)
            size = opened.tell()
    except OSError as error:
        raise ExportFailed(f"cannot be written ({error.strerror}): {out}") from error
    return size


def _check_place(out: Path, source: Path) -> None:
    """An export never takes the place of a record, of a file beside one, or of anything that is no file."""
    place = out.parent.resolve() / out.name
    known = place.name.endswith(LEDGER) or f"{LEDGER}-" in place.name or place.name.startswith(source.name + MASKS)
    if place == source or known:
        raise ExportFailed(f"an export must not take the place of a record: {out}")
    try:
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(place.stat().st_mode):
                raise ExportFailed(f"there is something else than a file: {out}")
        if not place.parent.is_dir():
            raise ExportFailed(f"there is no such folder: {out.parent}")
    except OSError as error:
        raise ExportFailed(f"cannot be written ({error.strerror}): {out}") from error
