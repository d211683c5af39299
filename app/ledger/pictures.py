"""What a stored picture is by its own first bytes, and its small version. Only three formats are ever decoded."""

import io
import struct
from dataclasses import dataclass

from PIL import Image

THUMB_WIDTH, THUMB_HEIGHT = 192, 120
"""In pixels; a thumbnail fits into this."""

LARGEST_SIDE = 16_384
LARGEST_AREA = 40_000_000
"""Pixels of a picture that is decoded at all; its memory is four bytes for each."""

LARGEST_BYTES = 32 * 1024 * 1024

_MOST_SEGMENTS = 1000

FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}


@dataclass(frozen=True)
class Header:
    """What the first bytes of a picture say, in picture pixels."""

    media_type: str
    width: int
    height: int

    @property
    def small_enough(self) -> bool:
        """Whether decoding it is safe."""
        sides = 0 < self.width <= LARGEST_SIDE and 0 < self.height <= LARGEST_SIDE
        return sides and self.width * self.height <= LARGEST_AREA


def header(data: bytes) -> Header | None:
    """Format and size, read without decoding; None for everything that is not PNG, JPEG or WebP."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR" and len(data) >= 24:
        return Header("image/png", *struct.unpack(">II", data[16:24]))
    if data[:3] == b"\xff\xd8\xff":
        return _jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    return None


def _jpeg(data: bytes) -> Header | None:
    place = 2
    for _ in range(_MOST_SEGMENTS):
        if place + 9 > len(data) or data[place] != 0xFF:
            return None
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return Header("image/jpeg", width, height)
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            place += 2
        else:
            place += 2 + struct.unpack(">H", data[place + 2 : place + 4])[0]
    return None


def _webp(data: bytes) -> Header | None:
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return Header("image/webp", width, height)
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return Header("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return Header("image/webp", width & 0x3FFF, height & 0x3FFF)
    return None


def why_not_shown(data: bytes) -> str | None:
    """Why a picture is not decoded, in words for a person; None when it may be."""
    if len(data) > LARGEST_BYTES:
        return f"picture of {len(data) // 1_000_000} MB, not shown"
    if (found := header(data)) is None:
        return "not a PNG, JPEG or WebP picture, not shown"
    if not found.small_enough:
        return f"picture of {found.width} by {found.height} pixels, not shown"
    return None


def thumbnail(data: bytes) -> bytes | None:
    """A JPEG of at most 192 by 120 pixels, or None for what is not decoded or is damaged."""
    found = header(data)
    if found is None or why_not_shown(data) is not None:
        return None
    try:
        with Image.open(io.BytesIO(data), formats=[FORMATS[found.media_type]]) as opened:
            if opened.size != (found.width, found.height):
                return None
            opened.draft("RGB", (THUMB_WIDTH, THUMB_HEIGHT))
            # Made small first: converting the whole picture would double its memory.
            opened.thumbnail((THUMB_WIDTH, THUMB_HEIGHT), Image.Resampling.BILINEAR, reducing_gap=2.0)
            written = io.BytesIO()
            opened.convert("RGB").save(written, "JPEG", quality=70)
            return written.getvalue()
    except (OSError, ValueError, SyntaxError, MemoryError, Image.DecompressionBombError):
        return None
