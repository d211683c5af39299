"""Only known formats of sane size become pictures; everything else is refused in words."""

import io
import struct
import zlib

import pytest
from PIL import Image
from PySide6.QtCore import QSize

from app.views.stage.reading import UnsafePicture, read_picture


def encoded(kind: str, size: tuple[int, int] = (64, 40)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "#24403A").save(out, kind)
    return out.getvalue()


def png_that_claims(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_known_formats(kind: str) -> None:
    image, size = read_picture(encoded(kind))
    assert (image.width(), image.height()) == (64, 40)
    assert size == QSize(64, 40)


def test_decoded_no_larger_than_asked_for_and_told_the_full_size() -> None:
    image, size = read_picture(encoded("JPEG", (1280, 800)), QSize(320, 320))
    assert (image.width(), image.height()) == (320, 200)
    assert size == QSize(1280, 800)


def test_never_enlarged() -> None:
    assert read_picture(encoded("PNG"), QSize(6400, 4000))[0].width() == 64


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (encoded("GIF"), "not a PNG"),
        (encoded("BMP"), "not a PNG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "not a PNG"),
        (b"", "not a PNG"),
        (png_that_claims(60_000, 60_000), "too large"),
        (png_that_claims(16_000, 16_000), "too large"),
        (encoded("PNG")[:60], "damaged"),
    ],
    ids=["gif", "bmp", "svg", "nothing", "side", "area", "cut"],
)
def test_refused_in_words(data: bytes, words: str) -> None:
    with pytest.raises(UnsafePicture, match=words):
        read_picture(data)
