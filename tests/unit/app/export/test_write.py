"""Every form of export: whole or not there, bounded, honest at its top, and never in the place of a record."""

import hashlib
import io
import json
import sqlite3
import sys
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app.core.errors import LedgerProblem
from app.core.evidence import Blob, Box
from app.core.exporting import SUFFIXES, ExportKind, ExportOrder, ExportStopped, Progress
from app.export.write import ExportFailed, export_run
from app.ledger.reader import LedgerReader
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from app.replay.source import open_source
from tests.helpers.journals import booking
from tests.unit.app.export.saved_booking import exported, picture_item, save_booking
from tests.unit.app.ledger.made_up import Click, StandingClock, data_url, png, run_started
from tests.unit.app.replay.saved import checkpoint, write_json

KINDS: tuple[ExportKind, ...] = ("html", "json", "csv", "webp", "bundle")
TOP_BYTES = 12_000


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return save_booking(tmp_path / "run.signalbox")


def cut_off(path: Path) -> Path:
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        blob = Blob(png(1), "image/png")
        for event in Click(1, blob).steps()[:4]:
            ledger.append(event, [blob])
    return path


def damaged(path: Path) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE events SET wall_ms = wall_ms + 1 WHERE seq = 20")
    connection.close()
    return path


def top_of(kind: ExportKind, data: bytes) -> str:
    """The beginning of an export, as text."""
    if kind == "bundle":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.read("READ-ME.txt").decode()
    if kind == "html":
        return data.decode().partition("<main>")[2][:TOP_BYTES]
    return data[:TOP_BYTES].decode()


@pytest.mark.parametrize("kind", ["html", "json", "csv", "bundle"])
def test_a_cut_off_or_damaged_run_says_so_at_the_top(kind: ExportKind, record: Path, tmp_path: Path) -> None:
    out = tmp_path / f"out{SUFFIXES[kind]}"
    assert "cut off" not in top_of(kind, exported(record, kind, out))
    assert "the run was cut off" in top_of(kind, exported(cut_off(tmp_path / "cut.signalbox"), kind, out))
    top = top_of(kind, exported(damaged(record), kind, out))
    assert "readable up to event 19" in top
    # Nobody who gets it learns where the record lies.
    assert str(tmp_path) not in top


def test_an_animation_of_a_cut_off_run_begins_with_a_card_that_says_so(record: Path, tmp_path: Path) -> None:
    whole = Image.open(io.BytesIO(exported(record, "webp", tmp_path / "whole.webp")))
    cut = Image.open(io.BytesIO(exported(cut_off(tmp_path / "cut.signalbox"), "webp", tmp_path / "cut.webp")))
    assert whole.n_frames > 5  # type: ignore[attr-defined]
    assert cut.n_frames == 2  # type: ignore[attr-defined]
    first = cut.convert("RGB")
    colours = first.getcolors(1_000_000) or []
    assert any(isinstance(colour, tuple) and colour[0] > 150 and colour[1] < 90 for _, colour in colours)


def test_an_export_that_is_stopped_leaves_nothing(record: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    for kind in KINDS:
        seen: list[tuple[int, int]] = []
        export_run(ExportOrder(record, kind, folder / "run"), lambda *now, seen=seen: seen.append(now))
        assert all(0 <= done <= whole for done, whole in seen)
        (folder / "run").unlink()
        for at in (1, seen[-1][0] // 2, seen[-1][0]):
            with pytest.raises(ExportStopped):
                export_run(ExportOrder(record, kind, folder / "run"), stopping_at(at))
            assert list(folder.iterdir()) == []


def stopping_at(at: int) -> Progress:
    def stop(done: int, _whole: int) -> None:
        if done >= at:
            raise ExportStopped

    return stop


def test_an_export_replaces_the_one_before_and_never_a_record(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    out.write_text("before")
    exported(record, "html", out)
    assert out.read_text().startswith("<!DOCTYPE html>")
    before = record.read_bytes()
    for place in (record, tmp_path / "other.signalbox", tmp_path / "run.signalbox-wal", tmp_path):
        with pytest.raises(ExportFailed):
            export_run(ExportOrder(record, "html", place))
    with pytest.raises(ExportFailed, match="no such folder"):
        export_run(ExportOrder(record, "html", tmp_path / "nowhere" / "out.html"))
    for beyond in (out / "below.html", tmp_path / ("x" * 300) / "out.html"):
        with pytest.raises(ExportFailed, match=r"cannot be written|no such folder"):
            export_run(ExportOrder(record, "html", beyond))
    assert record.read_bytes() == before
    assert out.stat().st_mode & 0o077 == 0


def test_the_record_is_as_it_was_after_every_form(record: Path, tmp_path: Path) -> None:
    before = record.read_bytes()
    for kind in KINDS:
        exported(record, kind, tmp_path / "out", masks=(Box(x=1, y=1, width=9, height=9),), redactions=("Ada",))
    assert record.read_bytes() == before
    assert verify(record).whole


def test_json_holds_every_event_and_the_sdks_own_checkpoint(tmp_path: Path) -> None:
    odd = {"role": "user", "content": "\ud800 =1+1 </script> \u202e"}
    path = save_booking(tmp_path / "run.signalbox", history=[odd, picture_item(png(3))])
    found = json.loads(exported(path, "json", tmp_path / "out.json"))
    with LedgerReader.open(path) as reader:
        assert found["checkpoint"] == reader.latest_checkpoint()
        assert len(found["events"]) == reader.last_seq()
        pictures = {digest: reader.blob(digest) for digest in found["pictures"]}
    assert pictures
    assert all(hashlib.sha256(data).hexdigest() == digest for digest, data in pictures.items())
    assert found["notes"] == found["left_out"] == []


def test_a_bare_checkpoint_comes_out_as_it_went_in(tmp_path: Path) -> None:
    given = checkpoint(history=[{"role": "user", "content": "lone \ud800"}, picture_item(png(9))])
    found = json.loads(exported(write_json(tmp_path / "c.json", given), "json", tmp_path / "out.json"))
    assert found["checkpoint"] == given
    assert "nothing proves it" in found["notes"][1]


def test_a_changed_checkpoint_is_not_handed_on_as_the_newest(tmp_path: Path) -> None:
    path = save_booking(tmp_path / "run.signalbox")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE manifests SET body = replace(body, 'boundary', 'final')")
    connection.close()
    found = json.loads(exported(path, "json", tmp_path / "out.json"))
    assert found["checkpoint"] is None
    assert any("checkpoint 1 was changed" in note for note in found["notes"])


def test_a_bundle_holds_the_ledger_and_check_values_that_fit(record: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(exported(record, "bundle", tmp_path / "b.zip"))) as archive:
        assert archive.testzip() is None
        lines = archive.read("SHA256SUMS").decode().splitlines()
        sums = {name: value for value, name in (line.split("  ") for line in lines)}
        assert {hashlib.sha256(archive.read(name)).hexdigest() for name in sums} == set(sums.values())
        assert set(sums) | {"SHA256SUMS"} == set(archive.namelist())
        assert archive.read("ledger/run.signalbox") == record.read_bytes()
        taken_out = tmp_path / "elsewhere.json"
        taken_out.write_bytes(archive.read("checkpoint.json"))
    source = open_source(taken_out)
    assert source.events
    source.close()


def test_a_bundle_in_which_something_is_hidden_holds_no_ledger(record: Path, tmp_path: Path) -> None:
    for hidden in ({"redactions": ("Party of two",)}, {"masks": (Box(x=0, y=0, width=5, height=5),)}):
        with zipfile.ZipFile(io.BytesIO(exported(record, "bundle", tmp_path / "b.zip", **hidden))) as archive:
            assert [name for name in archive.namelist() if name.startswith("ledger/")] == []
            assert "the ledger itself is not in this archive" in archive.read("READ-ME.txt").decode()


@pytest.mark.parametrize("name", ["..\\..\\evil", "a\nb", "\u202egpj", "-rf", ".hidden", "C:evil", "a" * 200])
def test_a_ledger_s_odd_name_goes_nowhere_from_an_archive(record: Path, tmp_path: Path, name: str) -> None:
    odd = tmp_path / f"{name}.signalbox"
    record.rename(odd)
    odd.with_name(f"{odd.name}-seal").write_text("{}")
    with zipfile.ZipFile(io.BytesIO(exported(odd, "bundle", tmp_path / "b.zip"))) as archive:
        inside = [entry for entry in archive.namelist() if entry.startswith("ledger/")]
        assert inside == ["ledger/run.signalbox", "ledger/run.signalbox-seal"]
        assert len(archive.read("SHA256SUMS").decode().splitlines()) == len(archive.namelist()) - 1


def test_a_run_in_use_is_shown_but_not_put_into_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "run.signalbox"
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        assert "in use by process" in exported(path, "html", tmp_path / "out.html").decode()
        with pytest.raises(LedgerProblem, match="in use"):
            export_run(ExportOrder(path, "bundle", tmp_path / "out.zip"))


@pytest.mark.parametrize("kind", ["html", "json", "csv", "bundle"])
def test_a_redacted_text_is_nowhere_in_any_form(kind: ExportKind, tmp_path: Path) -> None:
    secret = "Party of two"
    history: list[Any] = [{"role": "user", "content": json.dumps({"name": secret, "url": "/?q=Party%20of+two"})}]
    path = save_booking(tmp_path / "run.signalbox", booking(task=f"Book for {secret}"), history=history)
    whole = exported(path, kind, tmp_path / "out")
    hidden = exported(path, kind, tmp_path / "out", redactions=(secret.upper(), "kitchen"))
    texts = [whole, hidden]
    if kind == "bundle":
        texts = [b"".join(unpacked(data, leave_out=("ledger/", "pictures"))) for data in texts]
    assert b"arty of two" in texts[0]
    for left in (b"arty of two", b"arty%20of", b"kitchen"):
        assert left not in texts[1]
    assert b"[redacted]" in texts[1]
    assert "2 texts of a list are left out" in top_of(kind, hidden)


def unpacked(data: bytes, *, leave_out: tuple[str, ...]) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [archive.read(name) for name in archive.namelist() if not name.startswith(leave_out)]


def test_a_long_run_is_exported_a_piece_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "run.signalbox"
    number_of_pictures, picture_bytes = 24, 300_000
    history: list[Any] = [{"role": "user", "content": "go"}]
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        for number in range(1, number_of_pictures + 1):
            data = png(number, width=400, height=250)
            assert len(data) > picture_bytes
            blob = Blob(data, "image/png")
            for event in Click(number, blob).steps():
                ledger.append(event, [blob])
            history.append(picture_item(data))
        ledger.save_checkpoint(checkpoint(revision=1, history=history))
    for kind in ("json", "html", "bundle"):
        tracemalloc.start()
        export_run(ExportOrder(path, kind, tmp_path / "out"))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 15 * picture_bytes, kind
    assert data_url(png(1, width=400, height=250)).encode() in exported(path, "json", tmp_path / "out")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes and links")
def test_nothing_that_lies_beside_the_place_is_waited_for_or_written_through(tmp_path: Path) -> None:
    record, out = save_booking(tmp_path / "run.signalbox"), tmp_path / "out.csv"
    (victim := tmp_path / "victim").write_bytes(b"mine")
    out.with_name(".out.csv.part").symlink_to(victim)
    assert exported(record, "csv", out)
    assert (victim.read_bytes(), out.is_symlink()) == (b"mine", False)


def test_two_exports_to_one_place_leave_a_whole_one(tmp_path: Path) -> None:
    record, out = save_booking(tmp_path / "run.signalbox"), tmp_path / "out.zip"
    begun: list[int] = []

    def other_too(done: int, whole: int) -> None:
        # In the middle of the first, once: what another console does at the same time.
        if done > whole // 2 and not begun:
            begun.append(done)
            export_run(ExportOrder(record, "bundle", out))

    export_run(ExportOrder(record, "bundle", out), other_too)
    assert begun
    with zipfile.ZipFile(out) as archive:
        assert archive.testzip() is None
    assert not [one for one in tmp_path.iterdir() if one.name.endswith(".part")]
