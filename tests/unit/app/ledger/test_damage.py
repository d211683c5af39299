"""Whatever happens to a file's bytes: what is shown is what was written, or is named as lost; and nothing breaks."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import LedgerProblem
from app.core.events import Recorded
from app.ledger.reader import LedgerReader
from app.ledger.schema import FORMAT
from app.ledger.shelf import summary_of
from app.ledger.verify import verify
from app.replay.frames import Frames
from tests.unit.app.replay.saved import save_run

PAGE_BYTES = 4096


@dataclass(frozen=True)
class Content:
    """All that can be read of a ledger."""

    events: list[Recorded]
    blobs: dict[str, bytes]
    checkpoints: dict[int, Any]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_run(tmp_path_factory.mktemp("original") / "run.signalbox", clicks=6)


@pytest.fixture(scope="module")
def content(original: Path) -> Content:
    with LedgerReader.open(original) as reader:
        return Content(
            list(reader.events()),
            {digest.hex(): reader.blob(digest.hex()) for (digest,) in reader.rows("SELECT digest FROM blobs")},
            {revision: reader.checkpoint(revision) for revision in reader.revisions()},
        )


def damaged(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, half of them where SQLite keeps its books; sometimes the end cut off."""
    changed = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 8])):
        place = chance.randrange(100, len(changed))
        if chance.random() < 0.5:
            place = min(len(changed) - 1, place // PAGE_BYTES * PAGE_BYTES + chance.randrange(60))
        changed[place] = chance.choice([0, 255, 128, 1, chance.randrange(256), changed[place] ^ 4])
    return bytes(changed[: chance.randrange(len(changed))] if chance.random() < 0.1 else changed)


@pytest.mark.parametrize("seed", range(8))
def test_damage_is_never_shown_as_true_and_never_breaks_the_reader(
    original: Path, content: Content, path: Path, seed: int
) -> None:
    data, chance = original.read_bytes(), random.Random(seed)
    for _ in range(40):
        changed = damaged(data, chance)
        path.write_bytes(changed)
        try:
            read_all(path, content)
            verify(path)
        except LedgerProblem:
            pass
        assert summary_of(path).path == path
        assert path.read_bytes() == changed


def read_all(path: Path, content: Content) -> None:
    with LedgerReader.open(path) as reader:
        assert reader.version >= FORMAT
        found = list(reader.events())
        assert found == content.events[: len(found)]
        assert len(found) == len(content.events) or reader.flags & {"damaged"}
        frames = Frames(reader)
        for digest, data in content.blobs.items():
            assert blob_or_none(reader, digest) in (data, None)
            frames.picture(digest)
            frames.thumbnail(digest)
        for revision, checkpoint in content.checkpoints.items():
            assert checkpoint_or_none(reader, revision) in (checkpoint, None)


def blob_or_none(reader: LedgerReader, digest: str) -> bytes | None:
    try:
        return reader.blob(digest)
    except LedgerProblem:
        return None


def checkpoint_or_none(reader: LedgerReader, revision: int) -> Any:
    try:
        return reader.checkpoint(revision)
    except LedgerProblem:
        return None
