"""An append-only list in the order of the journal that can be cut at any place without copying."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Series(Generic[T]):
    """Items with the `seq` of the event each came from; `seq` never decreases."""

    def __init__(self) -> None:
        self._seqs: list[int] = []
        self._items: list[T] = []

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __getitem__(self, index: int) -> T:
        return self._items[index]

    def add(self, seq: int, item: T) -> None:
        """Append `item`, which came with event `seq`."""
        self._seqs.append(seq)
        self._items.append(item)

    def seq_of(self, index: int) -> int:
        """The `seq` that the item at `index` came with."""
        return self._seqs[index]

    def count(self, seq: int) -> int:
        """How many items had come when event `seq` was written."""
        return bisect_right(self._seqs, seq)

    def last(self, seq: int) -> T | None:
        """The newest item at `seq`, or None when there was none yet."""
        index = bisect_right(self._seqs, seq) - 1
        return self._items[index] if index >= 0 else None

    def since(self, after: int, seq: int) -> T | None:
        """The newest item at `seq` that came after event `after`, or None when there is none."""
        index = bisect_right(self._seqs, seq) - 1
        return self._items[index] if index >= 0 and self._seqs[index] > after else None

    def upto(self, seq: int) -> list[T]:
        """All items that had come at `seq`."""
        return self._items[: bisect_right(self._seqs, seq)]

    def between(self, after: int, seq: int) -> list[T]:
        """The items that came after event `after`, up to and with event `seq`."""
        return self._items[bisect_right(self._seqs, after) : bisect_right(self._seqs, seq)]
