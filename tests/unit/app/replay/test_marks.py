"""Marks are kept in a file of their own, come back as they were, and a file that cannot be read is left alone."""

from pathlib import Path

from app.ledger.lock import OwnerLock
from app.replay.marks import MarkBook


def test_marks_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "marks" / "run.json"
    book = MarkBook(path)
    book.put(40, "why this one? \ud800")
    book.put(7)
    assert book.unwritten
    book.write()
    again = MarkBook(path)
    assert not again.unwritten
    assert (again.seqs, again.note(7), again.note(40)) == ([7, 40], "", "why this one? \ud800")
    assert [again.after(7), again.after(40), again.before(40), again.before(7)] == [40, None, 7, None]
    assert [one.name for one in path.parent.iterdir()] == ["run.json"]


def test_each_change_is_told_and_nothing_else(tmp_path: Path) -> None:
    book, told = MarkBook(), []
    book.listen(lambda: told.append(book.seqs))
    book.put(3)
    book.put(3)
    book.put(3, "a note")
    book.remove(4)
    book.remove(3)
    assert told == [[3], [3], []]


def test_a_file_that_cannot_be_read_is_left_as_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    for content in ("[", "[]", '{"version": 2, "marks": []}', '{"version": 1, "marks": [{"seq": "x"}]}', "[" * 100_000):
        path.write_text(content)
        book = MarkBook(path)
        assert "could not be read" in book.problem
        book.put(1)
        book.write()
        assert path.read_text() == content


def test_two_windows_on_one_run_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    one, other = MarkBook(path), MarkBook(path)
    one.put(5, "mine")
    one.put(6)
    one.write()
    other.put(9, "theirs")
    other.put(6, "theirs")
    other.write()
    one.put(7)
    one.remove(5)
    one.write()
    again = MarkBook(path)
    assert [(seq, again.note(seq)) for seq in again.seqs] == [(6, "theirs"), (7, ""), (9, "theirs")]
    assert [book.unwritten for book in (one, other)] == [False, False]
    assert [one.name for one in tmp_path.iterdir()] == ["run.json"]


def test_what_another_window_writes_just_now_is_waited_for_and_then_kept_for_later(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    book = MarkBook(path)
    book.put(5, "mine")
    lock = OwnerLock.take(path)
    book.write()
    kept = [(book.unwritten, "another console" in book.problem)]
    lock.release(remove=True)
    book.write()
    kept.append((book.unwritten, "another console" in book.problem))
    assert kept == [(True, True), (False, False)]
    assert MarkBook(path).note(5) == "mine"


def test_a_folder_that_takes_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    book = MarkBook(tmp_path / "file" / "marks.json")
    book.put(1)
    book.write()
    assert "could not be kept" in book.problem
    assert book.seqs == [1]
    assert book.unwritten
