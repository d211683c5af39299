"""Only PNG, JPEG and WebP of a bearable size reach a decoder; everything else is a placeholder with a reason."""

import hashlib
import io
import struct
import zlib

import pytest
from PIL import Image

from app.core.errors import LedgerProblem
from app.replay.frames import HELD_BYTES, Frames, Placeholder, SafePicture
from tests.unit.app.ledger.made_up import png


class Held:
    """Bytes in memory, and how often they were asked for."""

    def __init__(self, *data: bytes) -> None:
        self.bytes = {hashlib.sha256(one).hexdigest(): one for one in data}
        self.digests = list(self.bytes)
        self.reads = 0
        self.thumbs: dict[str, bytes] = {}

    def blob(self, digest: str) -> bytes:
        self.reads += 1
        if digest not in self.bytes:
            raise LedgerProblem("no bytes on record")
        return self.bytes[digest]

    def thumbnail(self, digest: str) -> bytes | None:
        return self.thumbs.get(digest)


def encoded(kind: str, mode: str = "RGB") -> bytes:
    written = io.BytesIO()
    Image.new(mode, (33, 21)).save(written, kind)
    return written.getvalue()


def png_header(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))
    data = zlib.compress(bytes((width // 8 + 1) * min(height, 8000)))
    return head + struct.pack(">I", len(data)) + b"IDAT" + data + struct.pack(">I", zlib.crc32(b"IDAT" + data))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_the_three_formats_are_shown_as_what_they_are(kind: str) -> None:
    held = Held(encoded(kind))
    shown = Frames(held).picture(held.digests[0])
    assert isinstance(shown, SafePicture)
    assert (shown.header.media_type, shown.header.width, shown.header.height) == (f"image/{kind.lower()}", 33, 21)


@pytest.mark.parametrize("options", [{"lossless": True}, {"lossless": False}, {"exact": True, "lossless": True}])
@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_each_kind_of_webp_says_its_size(options: dict[str, bool], mode: str) -> None:
    written = io.BytesIO()
    Image.new(mode, (300, 7), (9, 9, 9, 9)[: len(mode)]).save(written, "WEBP", **options)
    held = Held(written.getvalue())
    shown = Frames(held).picture(held.digests[0])
    assert isinstance(shown, SafePicture)
    assert (shown.header.width, shown.header.height) == (300, 7)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a PNG"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>', "not a PNG"),
        (b"%PDF-1.7\n", "not a PNG"),
        (encoded("TIFF"), "not a PNG"),
        (encoded("ICNS", "RGBA"), "not a PNG"),
        (encoded("TGA"), "not a PNG"),
        (b'/* XPM */ static char *x[] = {"1 1 1 1"};', "not a PNG"),
        (b"\x00\x00\x08\x08" + bytes(8), "not a PNG"),
        (b"\xff\xd8\xff" + b"\xff" * 5000, "not a PNG"),
        (b"\xff\xd8\xff\xe0\x00\x00" * 9, "not a PNG"),
        (png_header(8000, 8000), "8000 by 8000"),
        (png_header(46000, 46000), "46000 by 46000"),
        (png_header(0, 5), "0 by 5"),
        (b"\x89PNG\r\n\x1a\n" + bytes(33 * 1024 * 1024), "34 MB"),
    ],
)
def test_everything_else_is_a_placeholder_that_says_why(data: bytes, reason: str) -> None:
    held = Held(data)
    frames = Frames(held)
    shown = frames.picture(held.digests[0])
    assert isinstance(shown, Placeholder)
    assert reason in shown.reason
    assert frames.thumbnail(held.digests[0]) is None


def test_what_is_not_there_is_a_placeholder() -> None:
    assert Frames(Held()).picture("00" * 32) == Placeholder("no bytes on record")


def test_a_broken_picture_has_no_thumbnail() -> None:
    held = Held(encoded("PNG")[:60], encoded("JPEG")[:300])
    frames = Frames(held)
    assert [frames.thumbnail(digest) for digest in held.digests] == [None, None]


def test_a_thumbnail_is_made_when_none_was_stored() -> None:
    held = Held(png(3))
    digest = held.digests[0]
    made = Frames(held).thumbnail(digest)
    assert made is not None
    assert Image.open(io.BytesIO(made)).size == (192, 120)
    held.thumbs[digest] = made
    assert Frames(held).thumbnail(digest) == made
    held.thumbs[digest] = b"<svg/>"
    assert Frames(held).thumbnail(digest) is None


def test_pictures_are_held_up_to_a_limit() -> None:
    held = Held(*(png(seed, width=1000, height=700) for seed in range(16)))
    assert sum(map(len, held.bytes.values())) > HELD_BYTES
    frames = Frames(held)
    for digest in held.digests:
        frames.picture(digest)
        frames.picture(digest)
    assert held.reads == 16
    frames.picture(held.digests[0])
    assert held.reads == 17
