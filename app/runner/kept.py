"""A run's stored bytes for whoever watches it: out of its own ledger while that is open, out of the file afterwards."""

from pathlib import Path

from app.core.ports import Blobs
from app.ledger.reader import LedgerReader


class KeptBlobs:
    """`core.ports.Blobs` that go on answering when the run is over and its window is still open. Any thread."""

    def __init__(self, ledger: Blobs, path: Path) -> None:
        self._ledger = ledger
        self._path = path
        self._over = False

    def run_over(self) -> None:
        """The ledger is closed: from here on the file is read like any other."""
        self._over = True

    def blob(self, digest: str) -> bytes:
        """See `ports.Blobs.blob`."""
        if not self._over:
            return self._ledger.blob(digest)
        with LedgerReader.open(self._path) as reader:
            return reader.blob(digest)

    def thumbnail(self, digest: str) -> bytes | None:
        """See `ports.Blobs.thumbnail`."""
        if not self._over:
            return self._ledger.thumbnail(digest)
        with LedgerReader.open(self._path) as reader:
            return reader.thumbnail(digest)
