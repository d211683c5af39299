"""Reads a picture only after its header has been looked at: known formats, sane sizes. Safe in any thread."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from app.views.decoding import DECODING, format_of

FORMATS = {b"png", b"jpeg", b"webp"}
MAX_SIDE = 16_384
MAX_PIXELS = 50_000_000
"""200 MB once decoded, which is also the most that Qt may allocate for it."""


class UnsafePicture(Exception):
    """Bytes that are not shown as a picture; the words say why and name nothing from inside it."""


def read_picture(data: bytes, bound: QSize | None = None) -> tuple[QImage, QSize]:
    """The picture, no larger than `bound` (in its own pixels, aspect kept), and its full size.

    While it decodes, other threads run: `QImageReader.read` lets go of the interpreter, `QImage.fromData` does not.

    Raises:
        UnsafePicture: another format than PNG, JPEG and WebP, an absurd size, or damage.
    """
    with DECODING:
        return _decode(data, bound)


def _decode(data: bytes, bound: QSize | None) -> tuple[QImage, QSize]:
    held = QByteArray(data)
    buffer = QBuffer(held)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(False)
    reader.setAllocationLimit(MAX_PIXELS * 4 // (1024 * 1024) + 1)
    if format_of(reader) not in FORMATS:
        raise UnsafePicture("not a PNG, JPEG or WebP picture")
    size = reader.size()
    if size.width() < 1 or size.height() < 1:
        raise UnsafePicture("a picture without a size")
    if max(size.width(), size.height()) > MAX_SIDE or size.width() * size.height() > MAX_PIXELS:
        raise UnsafePicture(f"a picture of {size.width()} by {size.height()} pixels, too large to be shown")
    if bound is not None and (bound.width() < size.width() or bound.height() < size.height()):
        reader.setScaledSize(size.scaled(bound, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1)))
    image = reader.read()
    if image.isNull():
        raise UnsafePicture("a damaged picture")
    return image, size
