"""One picture at a time: the lock that every thread holds while Qt decodes for it."""

import threading

DECODING = threading.Lock()
"""IMPORTANT: hold it around each use of a `QImageReader`, in every thread.

Qt looks for the format of a picture under a lock of its own, and from there reads the `QBuffer`, which belongs to
Python and so needs the interpreter. A second thread that asks a reader anything keeps the interpreter while it waits
for that lock of Qt's: then neither goes on, nor does the window. Waiting for this lock lets go of the interpreter.
"""
