"""Handing a run on from any window. What it takes is loaded when somebody wants it: a window should not wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.exporting import Exported, Exporter, ExportOrder, Progress

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.evidence import Box


def exporter() -> Exporter:
    """Called beside the window's thread."""
    return Exporter(export=_export, kept_masks=_kept_masks)


def _export(order: ExportOrder, progress: Progress) -> Exported:
    from app.export.write import export_run

    return export_run(order, progress)


def _kept_masks(record: Path) -> tuple[Box, ...]:
    from app.export.masks import kept_masks
    from app.export.record import record_path

    return kept_masks(record_path(record))
