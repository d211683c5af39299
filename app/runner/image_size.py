"""The size and the kind of a picture from its header, without decoding it."""

import io

from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP")
"""The only formats that drivers hand over and that the console decodes."""


def image_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels, or None for other or broken formats."""
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
            return picture.size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None


def media_type_of(data: bytes) -> str:
    """By its first bytes; ``application/octet-stream`` for what is no picture that the console knows."""
    if data.startswith(b"\xff\xd8"):
        return "image/jpeg"
    if data.startswith(b"\x89PNG"):
        return "image/png"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else "application/octet-stream"
