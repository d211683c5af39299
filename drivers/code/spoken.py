"""What the process says, be it the worker's words or forged ones of the code's: taken within bounds, or not at all."""

import base64
import binascii
import io
from typing import Any

from drivers.code.result import Variable

MOST_PICTURE_BYTES = 8 * 1024 * 1024
MOST_PICTURE_PIXELS = 64_000_000
MOST_NAME_CHARS = 200


def variables_of(message: dict[str, Any]) -> list[Variable] | None:
    """The variables that a message lists; None when it is another one. What is no variable is left out."""
    found = message.get("variables")
    if not isinstance(found, list):
        return None
    entries = (one for one in found if isinstance(one, list) and len(one) == 3)
    return [Variable(*(part[:MOST_NAME_CHARS] for part in one)) for one in entries if all(map(_is_text, one))]


def shortened(text: str, most_chars: int) -> str:
    """`text`, or its beginning and its end, where an error says what it is."""
    if len(text) <= most_chars:
        return text
    half = most_chars // 2
    return f"{text[:half]}\n({len(text) - 2 * half:,} characters were left out here)\n{text[-half:]}"


def picture_of(message: dict[str, Any]) -> bytes | None:
    """The picture of a message; None for what is no PNG or JPEG file, or too large a one."""
    image = message.get("image")
    if not isinstance(image, str) or len(image) > MOST_PICTURE_BYTES * 4 // 3 + 4:
        return None
    try:
        data = base64.b64decode(image, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if _is_picture(data) else None


def _is_picture(data: bytes) -> bool:
    """By its head alone: nothing of what follows is read here."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as opened:
            width, height = opened.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False
    return 0 < width * height <= MOST_PICTURE_PIXELS


def _is_text(value: object) -> bool:
    return isinstance(value, str)
