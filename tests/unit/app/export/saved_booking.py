"""A booking with drawn pictures as a real ledger, with a checkpoint that holds what was read and sent."""

from pathlib import Path
from typing import Any

from app.core.errors import LedgerProblem
from app.core.evidence import Blob
from app.core.exporting import ExportKind, ExportOrder
from app.export.record import named_pictures
from app.export.write import export_run
from app.ledger.store import RunLedger
from tests.helpers.journals import JournalWriter, booking
from tests.unit.app.ledger.made_up import StandingClock, data_url
from tests.unit.app.replay.saved import checkpoint


def save_booking(path: Path, writer: JournalWriter | None = None, *, history: list[Any] | None = None) -> Path:
    """Write the journal into a ledger at `path`, and after its events one checkpoint."""
    writer = writer or booking()
    with RunLedger.create(path, StandingClock()) as ledger:
        for recorded in writer.records:
            if recorded.event.type == "checkpoint_saved":
                continue
            blobs = []
            for digest in named_pictures(recorded.event):
                try:
                    blobs.append(Blob(writer.blobs.blob(digest), "image/png"))
                except LedgerProblem:
                    continue
            if recorded.event.type == "run_ended":
                found = checkpoint(revision=1, run_id="20261129-2105-k7m3qx")
                ledger.save_checkpoint(found if history is None else {**found, "history": history})
            ledger.append(recorded.event, blobs)
    return path


def picture_item(data: bytes) -> dict[str, Any]:
    """A picture as the model was sent it."""
    parts = [{"type": "input_image", "detail": "auto", "image_url": data_url(data)}]
    return {"type": "function_call_output", "call_id": "c1", "output": parts}


def exported(record: Path, kind: ExportKind, out: Path, **more: Any) -> bytes:
    """What an export holds."""
    export_run(ExportOrder(record, kind, out, **more))
    return out.read_bytes()
