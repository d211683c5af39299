"""Regions that are covered in every picture that is handed on; they lie in a side file and the evidence stays whole."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from app.core.errors import LedgerProblem
from app.core.evidence import Box, Picture
from app.core.exporting import box_of, box_words
from app.ledger.beside import read_beside
from app.ledger.pictures import FORMATS, header, why_not_shown
from app.whole_file import written_whole

SUFFIX = "-masks"
"""Of the side file, after the whole name of the run's own."""

VERSION = 1
MOST_MASKS = 500
_COVER = (20, 20, 20)
_SAME_SHAPE = 0.02
"""A picture whose sides differ more from the page's is one of something else."""


def kept_masks(record: Path) -> tuple[Box, ...]:
    """The regions that were covered in earlier exports of the run at `record`.

    Raises:
        LedgerProblem: the side file cannot be understood; without it nothing must be handed on.
    """
    side = record.with_name(record.name + SUFFIX)
    try:
        found = json.loads(read_beside(side, MOST_MASKS * 100))
        masks = found["masks"]
        if found["version"] != VERSION or not isinstance(masks, list) or len(masks) > MOST_MASKS:
            raise ValueError("not what this version writes")
        return tuple(box_of(text) for text in masks)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise LedgerProblem(f"the regions to be covered cannot be read ({type(error).__name__}): {side}") from error


def keep_masks(record: Path, masks: Sequence[Box]) -> None:
    """Write down what is to be covered from now on; no file for no region. Raises `LedgerProblem`."""
    side = record.with_name(record.name + SUFFIX)
    try:
        if not masks:
            side.unlink(missing_ok=True)
            return
        kept = {"version": VERSION, "masks": [box_words(mask) for mask in masks]}
        with written_whole(side, prefix=f"{side.name}-") as opened:
            opened.write(json.dumps(kept).encode("ascii"))
    except OSError as error:
        raise LedgerProblem(f"the regions to be covered cannot be kept ({error.strerror}): {side}") from error


@dataclass(frozen=True)
class Covered:
    """A picture as it is handed on."""

    data: bytes
    media_type: str


class Cover:
    """Covers the regions. Where it is not known which part of the page a picture shows, all of it is covered."""

    def __init__(self, masks: Sequence[Box]) -> None:
        self.masks = tuple(masks)

    def picture(self, data: bytes, page: Picture | None) -> Covered:
        """`page` says which viewport the picture shows, if that is known.

        Raises:
            LedgerProblem: it is not a picture that may be decoded; says why.
        """
        found, reason = header(data), why_not_shown(data)
        if found is None or reason is not None:
            raise LedgerProblem(reason or "not a picture")
        if not self.masks:
            return Covered(data, found.media_type)
        image = opened(data)
        regions = self._regions(image.size, page)
        draw = ImageDraw.Draw(image)
        for region in regions:
            draw.rectangle(region, fill=_COVER)
        # Only pixels go on: no comment, no profile, no thumbnail of the picture as it was.
        image.info = {}
        written = io.BytesIO()
        if found.media_type == "image/jpeg":
            image.save(written, "JPEG", quality=88)
        else:
            image.save(written, "PNG", compress_level=3)
        return Covered(written.getvalue(), "image/jpeg" if found.media_type == "image/jpeg" else "image/png")

    def _regions(self, size: tuple[int, int], page: Picture | None) -> list[tuple[float, float, float, float]]:
        width, height = size
        if page is None or page.css_width <= 0 or page.css_height <= 0:
            return [(0, 0, width, height)]
        across, down = width / page.css_width, height / page.css_height
        if abs(across - down) > _SAME_SHAPE * max(across, down):
            return [(0, 0, width, height)]
        # One pixel more on each side: a region that ends within a pixel covers it.
        return [
            (
                mask.x * across - 1,
                mask.y * down - 1,
                (mask.x + mask.width) * across + 1,
                (mask.y + mask.height) * down + 1,
            )
            for mask in self.masks
        ]


def opened(data: bytes, *, for_size: tuple[int, int] | None = None) -> Image.Image:
    """The picture's pixels, decoded as exactly what its first bytes say it is.

    `for_size`: it is made to fit into that later; where the format allows it, fewer pixels are decoded then.

    Raises:
        LedgerProblem: it is damaged, or none that is decoded.
    """
    found = header(data)
    if found is None or why_not_shown(data) is not None:
        raise LedgerProblem("not a picture that is decoded")
    try:
        with Image.open(io.BytesIO(data), formats=[FORMATS[found.media_type]]) as image:
            if image.size != (found.width, found.height):
                raise LedgerProblem("a damaged picture")
            if for_size is not None:
                image.draft("RGB", for_size)
            return image.convert("RGB")
    except (OSError, ValueError, SyntaxError, MemoryError, Image.DecompressionBombError) as error:
        raise LedgerProblem("a damaged picture") from error
