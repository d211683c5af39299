"""What goes with a removed run although it does not lie beside it, and which runs the setting lets go."""

import shutil
from pathlib import Path

from app.cli.keeping import keeping, overdue_runs
from app.core.retention import Retention
from app.paths import downloads_of, marks_folder, runs_folder
from app.replay.marks import MarkBook
from app.replay.reading import begin_reading
from app.settings import Settings, load_settings, save_settings
from tests.unit.app.replay.saved import save_run


def test_a_reviewers_notes_go_with_the_run(tmp_path: Path) -> None:
    runs_folder(tmp_path).mkdir(parents=True)
    path = save_run(runs_folder(tmp_path) / "one.signalbox")
    reading = begin_reading(path)
    book = MarkBook(marks_folder(tmp_path) / f"{reading.key}.json")
    reading.close()
    book.put(3, "the password stood on the page: hunter2")
    book.write()
    assert book.path is not None
    assert book.path.exists()
    keeping(tmp_path).remove(path)
    assert [one for one in tmp_path.rglob("*") if one.is_file() and b"hunter2" in one.read_bytes()] == []
    assert not path.exists()


def test_notes_stay_with_the_copy_that_stays(tmp_path: Path) -> None:
    runs_folder(tmp_path).mkdir(parents=True)
    path = save_run(runs_folder(tmp_path) / "one.signalbox")
    copy = Path(shutil.copy(path, path.with_name("copy.signalbox")))
    save_run(path.with_name("other.signalbox"))
    reading = begin_reading(path)
    marks = marks_folder(tmp_path) / f"{reading.key}.json"
    reading.close()
    book = MarkBook(marks, path)
    book.put(3, "look here")
    book.write()
    keeping(tmp_path).remove(copy)
    assert MarkBook(marks).note(3) == "look here"
    keeping(tmp_path).remove(path)
    assert not marks.exists()


def test_a_window_that_stayed_open_brings_no_note_on_a_removed_run_back(tmp_path: Path) -> None:
    runs_folder(tmp_path).mkdir(parents=True)
    path = save_run(runs_folder(tmp_path) / "one.signalbox")
    reading = begin_reading(path)
    book = MarkBook(marks_folder(tmp_path) / f"{reading.key}.json", path)
    book.put(3, "hunter2")
    book.write()
    keeping(tmp_path).remove(path)
    book.put(4, "hunter2 again")
    book.write()
    reading.close()
    assert "not there any more" in book.problem
    assert list(marks_folder(tmp_path).iterdir()) == []


def test_what_a_run_fetched_goes_with_it_and_nobody_elses(tmp_path: Path) -> None:
    runs_folder(tmp_path).mkdir(parents=True)
    path = save_run(runs_folder(tmp_path) / "one.signalbox")
    other = save_run(runs_folder(tmp_path) / "two.signalbox")
    before = keeping(tmp_path).leaving(path).size_bytes
    for fetched in (downloads_of(path), downloads_of(other)):
        fetched.mkdir(parents=True)
        (fetched / "statement.pdf").write_bytes(b"%PDF-" + b"x" * 995)
    assert keeping(tmp_path).leaving(path).size_bytes - before == 1000
    keeping(tmp_path).remove(path)
    assert not downloads_of(path).exists()
    assert (downloads_of(other) / "statement.pdf").exists()


def test_a_folder_of_a_run_elsewhere_or_behind_a_link_is_not_touched(tmp_path: Path) -> None:
    (elsewhere := tmp_path / "papers" / "mine").mkdir(parents=True)
    runs_folder(tmp_path).mkdir(parents=True)
    outside = save_run(elsewhere / "one.signalbox")
    linked = save_run(runs_folder(tmp_path) / "two.signalbox")
    downloads_of(outside).mkdir(parents=True)
    (kept := downloads_of(outside) / "letter.txt").write_text("mine")
    downloads_of(linked).parent.mkdir()
    downloads_of(linked).symlink_to(downloads_of(outside))
    for path in (outside, linked):
        keeping(tmp_path).remove(path)
        assert not path.exists()
    assert kept.read_text() == "mine"


def test_only_what_the_setting_names_may_go(tmp_path: Path) -> None:
    runs_folder(tmp_path).mkdir(parents=True)
    path = save_run(runs_folder(tmp_path) / "one.signalbox")
    assert overdue_runs(tmp_path) == ()
    save_settings(Settings(retention=Retention(older_than_days=1)), tmp_path)
    assert [one.path for one in overdue_runs(tmp_path)] == []
    keeping(tmp_path).keep(Retention(above_total_mb=1))
    assert load_settings(tmp_path).retention == Retention(above_total_mb=1)
    assert [one.path for one in overdue_runs(tmp_path)] == []
    with path.open("ab") as opened:
        opened.write(b"\0" * 2_000_000)
    assert [(one.path, one.reason) for one in overdue_runs(tmp_path)] == [(path, "together above 1 MB")]
