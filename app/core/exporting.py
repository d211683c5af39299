"""What is ordered when a saved run is to be handed on: in which form, to where, with what left out."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.core.evidence import Box

ExportKind = Literal["html", "json", "csv", "webp", "bundle"]

SUFFIXES: dict[ExportKind, str] = {"html": ".html", "json": ".json", "csv": ".csv", "webp": ".webp", "bundle": ".zip"}

KIND_WORDS: dict[ExportKind, str] = {
    "html": "A page to read in any browser",
    "json": "Events and the SDK's checkpoint, as JSON",
    "csv": "A table of the decisions",
    "webp": "The pictures, as an animation",
    "bundle": "Everything in one archive, with check values",
}

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is; raising `ExportStopped` in it ends the export."""


class ExportStopped(Exception):
    """Somebody has had enough of waiting; nothing is left of the export."""


@dataclass(frozen=True)
class ExportOrder:
    """One export. Nothing of the run's own record is ever changed by it."""

    record: Path
    """A ledger, or a bare SDK checkpoint."""
    kind: ExportKind
    out: Path
    masks: tuple[Box, ...] = ()
    """Regions to be covered in every picture, in CSS pixels of the page's viewport; kept for later exports."""
    forget_masks: bool = False
    """Drop the regions that were kept before."""
    redactions: tuple[str, ...] = ()
    """Texts to be left out wherever they stand, in whatever spelling."""


@dataclass(frozen=True)
class Exported:
    """What was written."""

    out: Path
    size_bytes: int
    notes: tuple[str, ...]
    """What is wrong with the run's record, as it stands at the top of the export."""
    left_out: tuple[str, ...]
    """What was covered or left out, as it stands there too."""


@dataclass(frozen=True)
class Exporter:
    """What a window needs to hand runs on; both may be called from any thread."""

    export: Callable[[ExportOrder, Progress], Exported]
    """Write one; takes minutes, and raises `SignalboxError` or what `Progress` raises."""
    kept_masks: Callable[[Path], tuple[Box, ...]]
    """The regions that are covered in every export of this run. Raises `LedgerProblem`."""


def box_of(text: str) -> Box:
    """``X,Y,WIDTH,HEIGHT`` as a region. Raises `ValueError` with words for a person."""
    try:
        x, y, width, height = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"a region is X,Y,WIDTH,HEIGHT in pixels of the page, not {text!r}") from None
    sound = all(abs(number) < 100_000 for number in (x, y, width, height))
    if not sound or width <= 0 or height <= 0:
        raise ValueError(f"a region has a width and a height above 0, within 100,000 pixels; not {text!r}")
    return Box(x=x, y=y, width=width, height=height)


def box_words(box: Box) -> str:
    """``80,40,200,30``."""
    return ",".join(f"{number:g}" for number in (box.x, box.y, box.width, box.height))
