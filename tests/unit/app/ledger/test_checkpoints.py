"""Any run of checkpoints comes back equal from their differences, and each difference is small."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import LedgerProblem
from app.ledger.checkpoints import ManifestWriter, Shape, kept_prefix, manifest_digests
from app.ledger.codec import Encoder
from tests.unit.app.ledger.made_up import SdkRun

items = st.fixed_dictionaries({"type": st.sampled_from("abc"), "text": st.text(st.characters(), max_size=200)})
lists = st.lists(items | st.text(max_size=3), max_size=5)
checkpoints = st.dictionaries(
    st.sampled_from(["history", "pending_items", "tools", "final_response", "phase", "\ud800"]),
    lists | st.none() | st.text(max_size=300) | items | st.booleans(),
)


class Kept:
    """Bytes by digest, as a ledger keeps them."""

    def __init__(self) -> None:
        self.bytes: dict[str, bytes] = {}

    def store(self, data: bytes, media_type: str) -> None:
        self.bytes[hashlib.sha256(data).hexdigest()] = data

    def load(self, digest: str) -> bytes:
        return self.bytes[digest]


@given(st.lists(checkpoints, min_size=1, max_size=6))
def test_each_checkpoint_comes_back_equal(run: list[dict[str, Any]]) -> None:
    kept, shape, writer = Kept(), Shape(), ManifestWriter(Encoder())
    for checkpoint in run:
        saved = writer.difference(checkpoint, kept.store)
        writer.accept(saved)
        assert saved.whole == writer.newest == checkpoint
        assert set(manifest_digests(saved.manifest)) <= set(kept.bytes)
        shape.add(saved.manifest)
        assert shape.whole(kept.load) == checkpoint
        assert list(shape.whole(kept.load)) == list(checkpoint)


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_the_kept_prefix_is_the_longest(old: list[int], new: list[int]) -> None:
    kept = kept_prefix(old, new)
    assert old[:kept] == new[:kept]
    assert kept == min(len(old), len(new)) or old[kept] != new[kept]


def test_a_manifest_does_not_grow_with_the_run() -> None:
    kept, run, writer = Kept(), SdkRun(), ManifestWriter(Encoder())
    sizes = []
    for _ in range(40):
        step = []
        for checkpoint in run.step():
            saved = writer.difference(checkpoint, kept.store)
            step.append(len(saved.manifest))
            writer.accept(saved)
        sizes.append(sum(step))
    assert sizes[-1] <= sizes[1] + 20


def test_a_caller_that_goes_on_with_its_list_changes_nothing() -> None:
    kept, writer, history = Kept(), ManifestWriter(Encoder()), [{"role": "user"}]
    first = writer.difference({"history": history}, kept.store)
    writer.accept(first)
    history.append({"role": "assistant"})
    second = writer.difference({"history": history}, kept.store)
    shape = Shape()
    shape.add(first.manifest)
    shape.add(second.manifest)
    assert shape.whole(kept.load) == {"history": [{"role": "user"}, {"role": "assistant"}]}


@pytest.mark.parametrize(
    "manifest",
    [
        "[]",
        "{",
        '{"lists": {"history": [1, []]}}',
        '{"lists": {"history": [-1, []]}}',
        '{"lists": {"history": 5}}',
        '{"keys": 5}',
        '{"values": []}',
    ],
)
def test_a_manifest_that_does_not_follow_is_refused(manifest: str) -> None:
    with pytest.raises(LedgerProblem):
        Shape().add(manifest)


def test_a_manifest_without_a_field_it_names_is_refused() -> None:
    shape = Shape()
    shape.add(json.dumps({"keys": ["history"]}))
    with pytest.raises(LedgerProblem):
        shape.whole(Kept().load)
