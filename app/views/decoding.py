"""One picture at a time, and never in Qt's way: what every thread holds to when Qt decodes for it."""

import gc
import threading

from PySide6.QtGui import QImageReader

DECODING = threading.Lock()
"""IMPORTANT: hold it around each use of a `QImageReader`, in every thread.

Qt looks for the format of a picture under a lock of its own, and from there reads the `QBuffer`, which belongs to
Python and so needs the interpreter. A second thread that asks a reader anything keeps the interpreter while it waits
for that lock of Qt's: then neither goes on, nor does the window. Waiting for this lock lets go of the interpreter.
"""


def format_of(reader: QImageReader) -> bytes:
    """What a reader's picture is, by its content: ``png`` and so on, empty when Qt knows no such picture.

    IMPORTANT: the first thing that a reader is asked, since Qt's lock is taken for the first answer only. The window's
    own thread takes it, too, for every icon that a style loads, and keeps the interpreter while it waits. So whoever
    has the lock must not let go of the interpreter: `QImageReader.format` keeps it, `QImageReader.read` does not, and
    neither does what a garbage collection frees if one begins in the middle.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return bytes(reader.format().data())
    finally:
        if collects:
            gc.enable()
