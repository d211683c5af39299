"""Whatever an event says is found by its words or their beginnings; nothing that is typed is a command."""

from collections.abc import Iterator

import pytest

from app.core.events import Recorded, UserTextAdded
from app.ledger.text_index import MOST_EVENT_CHARS, MOST_FOUND, TextIndex, said_in
from tests.helpers.journals import booking


def recorded(seq: int, text: str) -> tuple[Recorded, str]:
    return Recorded(seq, 0, 0, UserTextAdded(text=text)), "user text added"


@pytest.fixture
def index() -> Iterator[TextIndex]:
    made = TextIndex()
    yield made
    made.close()


def test_words_are_found_wherever_an_event_holds_them(index: TextIndex) -> None:
    records = booking().records
    index.add((one, "") for one in records)
    reads = [one.seq for one in records if one.event.type == "page_read"]
    assert [hit.seq for hit in index.find("kitchen closes")] == reads
    assert {hit.seq for hit in index.find("KITCH")} == set(reads)
    assert index.find("kitchen nowhere") == []
    assert index.newest == len(records)


def test_a_find_comes_with_what_stands_around_it(index: TextIndex) -> None:
    index.add([recorded(1, "one two three"), recorded(2, "naïve four")])
    (hit,) = index.find("two")
    assert (hit.seq, hit.found) == (1, "two")
    assert hit.before.endswith("one ")
    assert hit.after.startswith(" three")
    assert [hit.found for hit in index.find("naive")] == ["naïve"]
    assert [hit.seq for hit in index.find("user text")] == [1, 2]


@pytest.mark.parametrize(
    "typed", ['"', "a OR b", "NEAR(", "words:x", "*", "^zz", "a AND", "\0", "-x", "( )", '""', "\ud800x", "x" * 5000]
)
def test_nothing_that_is_typed_is_a_command(index: TextIndex, typed: str) -> None:
    index.add([recorded(1, "plain")])
    assert index.find(typed) == []
    assert len(index.find("plain")) == 1


def test_odd_text_and_long_text_can_be_taken_in(index: TextIndex) -> None:
    index.add([recorded(1, "a \ud800 lone"), recorded(2, "x " * MOST_EVENT_CHARS + "end"), recorded(3, "\0 zero")])
    assert [hit.seq for hit in index.find("lone")] == [1]
    assert [hit.seq for hit in index.find("zero")] == [3]
    assert index.find("end") == []
    assert len(said_in(["y" * 3 * MOST_EVENT_CHARS])) == MOST_EVENT_CHARS


def test_many_finds_are_cut_at_a_limit(index: TextIndex) -> None:
    index.add(recorded(seq, "again") for seq in range(1, MOST_FOUND + 20))
    assert [hit.seq for hit in index.find("again")] == list(range(1, MOST_FOUND + 1))
