"""The size of a picture from its header, without decoding it."""

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
