"""``signalbox export``: a saved run as one file to hand on."""

import re
from pathlib import Path

from app.cli.terminal import say
from app.core.errors import UsageProblem
from app.core.exporting import SUFFIXES, ExportKind, ExportOrder, box_of
from app.core.untrusted import shown

WRITTEN = 0


def export_ledger(
    ledger: Path, kind: ExportKind, out: Path | None, *, masks: tuple[str, ...], unmask: bool, redact: Path | None
) -> int:
    """Write it; what is wrong with the record and what was left out goes to standard error too."""
    from app.export.write import export_run

    try:
        regions = tuple(box_of(mask) for mask in masks)
    except ValueError as problem:
        raise UsageProblem(f"--mask: {problem}") from problem
    order = ExportOrder(
        record=ledger,
        kind=kind,
        out=out or Path(f"{_plain_name(ledger)}{SUFFIXES[kind]}"),
        masks=regions,
        forget_masks=unmask,
        redactions=_texts_of(redact) if redact is not None else (),
    )
    exported = export_run(order)
    for words in (*exported.notes, *exported.left_out):
        say(shown(words), err=True)
    say(f"Written: {exported.out} ({exported.size_bytes:,} bytes)")
    return WRITTEN


def _plain_name(ledger: Path) -> str:
    return re.sub(r"[^\w.-]", "_", ledger.stem) or "run"


def _texts_of(path: Path) -> tuple[str, ...]:
    """One text a line. An empty list is a mistake: who gives one wants something left out."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageProblem(f"--redact: cannot be read ({reason}): {path}") from error
    texts = tuple(line.strip() for line in lines if line.strip())
    if not texts:
        raise UsageProblem(f"--redact: there is no text in it: {path}")
    return texts
