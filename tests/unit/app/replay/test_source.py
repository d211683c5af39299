"""Ledgers and bare checkpoints open alike, read-only; what is wrong with a file is said, and nothing is made up."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import LedgerProblem
from app.core.events import AskRaised, CallAnswered, DecisionMade, PageRead, PictureTaken, RunEnded, RunStarted
from app.core.settle import settle
from app.replay.frames import Frames, Placeholder, SafePicture
from app.replay.source import ReplaySource, open_source
from tests.unit.app.ledger.made_up import data_url, png
from tests.unit.app.replay.saved import called, checkpoint, fold, image, output, save_run, write_json


def test_a_saved_run_opens_with_its_pictures(source: ReplaySource) -> None:
    timeline = fold(source)
    assert source.read_only
    assert (source.title, source.flags, source.notes) == ("20261129-2105-k7m3qx", frozenset(), ())
    assert (len(timeline.asks), len(timeline.denied), len(timeline.ended)) == (4, 1, 1)
    frames = Frames(source.blobs)
    assert all(isinstance(frames.picture(frame.picture.digest), SafePicture) for frame in timeline.frames)


def test_reading_again_gives_the_same(tmp_path: Path) -> None:
    path = save_run(tmp_path / "run.signalbox")
    first, second = open_source(path), open_source(path)
    assert first.events == second.events
    first.close()
    second.close()


def test_what_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerProblem, match="no such file"):
        open_source(tmp_path / "none.json")


@pytest.fixture
def opened(tmp_path: Path) -> ReplaySource:
    return open_source(write_json(tmp_path / "checkpoint.json", checkpoint()))


def test_a_bare_checkpoint_opens_in_the_same_form(opened: ReplaySource) -> None:
    timeline = fold(opened)
    assert opened.flags == {"foreign", "cut_off"}
    assert timeline.run is not None
    assert (timeline.run.provenance, timeline.run.task, timeline.run.run_id) == ("imported", "Book a table", "run-1")
    assert [call.proposed.member for call in timeline.calls] == ["read_page", "click", "screenshot"]
    assert [said.text for said in timeline.conversation] == ["Book a table", "Now I click.", "Go on"]
    (read,) = timeline.reads
    assert (read.report["text"], read.tab_id, read.url) == ("Book a table", "1", "http://127.0.0.1:80")
    (frame,) = timeline.frames
    assert (frame.picture.width, frame.picture.height, frame.picture.media_type) == (320, 200, "image/png")
    assert opened.blobs.blob(frame.picture.digest) == png(5)
    assert opened.blobs.thumbnail(frame.picture.digest) is None
    assert len(timeline.checkpoints) == 1


def test_no_ask_and_no_decision_is_made_up(opened: ReplaySource) -> None:
    assert not [one for one in opened.events if isinstance(one.event, AskRaised | DecisionMade)]


def test_what_the_sdk_says_it_refused_is_not_done(opened: ReplaySource) -> None:
    outcomes = {call.member: call.outcome for call in settle(opened.events)}
    assert outcomes == {"read_page": "done", "click": "not_done", "screenshot": "done"}


def test_a_pending_checkpoint_leaves_what_was_attempted_in_doubt(tmp_path: Path) -> None:
    pending = checkpoint(
        phase="pending",
        pending_items=[
            called("c4", "browser_click", "{}"),
            called("c5", "browser_type", "{}"),
            called("c6", "pay", "x"),
        ],
        attempted_call_ids=["c1", "c2", "c3", "c4", "c5"],
        returned_call_ids=["c1", "c2", "c3", "c4"],
        returned_outputs=[output("c4", [{"type": "input_text", "text": '{"ok": true}'}])],
    )
    source = open_source(write_json(tmp_path / "c.json", pending))
    outcomes = {call.call_id: call.outcome for call in settle(source.events)}
    assert outcomes["c4"] == "done"
    assert outcomes["c5"] == "may_have_happened"
    assert outcomes["c6"] == "not_done"


def test_a_final_checkpoint_ends(tmp_path: Path) -> None:
    final = {"output": [{"type": "message", "content": [{"type": "output_text", "text": "Booked."}]}]}
    source = open_source(write_json(tmp_path / "c.json", checkpoint(phase="final", final_response=final)))
    ended = source.events[-1].event
    assert isinstance(ended, RunEnded)
    assert ended.final_text == "Booked."
    assert source.flags == {"foreign"}


def test_an_approval_in_the_history_is_not_a_decision(tmp_path: Path) -> None:
    history = [
        {"role": "user", "content": "Pay"},
        {"type": "mcp_approval_request", "id": "m1", "name": "pay", "arguments": "{}", "server_label": "bank"},
        {"type": "mcp_approval_response", "approval_request_id": "m1", "approve": True},
        {"type": "computer_call", "call_id": "k1", "actions": [{"type": "click", "x": 1, "y": 2}]},
        {"type": "computer_call_output", "call_id": "k1", "output": image(data_url(png(2)))},
        {"type": "invented", "call_id": 5},
        {"type": "function_call_output", "call_id": None, "output": 5},
    ]
    source = open_source(write_json(tmp_path / "c.json", checkpoint(history=history)))
    outcomes = {call.member: call.outcome for call in settle(source.events)}
    assert outcomes == {"pay": "not_done", "computer": "done"}
    assert [one.event for one in source.events if isinstance(one.event, PictureTaken)]


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9/pixel.png",
        "file:///etc/passwd",
        None,
        "data:image/png;base64,!!!!",
        "data:image/svg+xml;base64,PHN2Zy8+",
        "data:image/png,plain",
        data_url(b"%PDF-1.7"),
    ],
)
def test_a_picture_that_is_not_in_the_file_is_not_fetched(tmp_path: Path, url: Any) -> None:
    shown = output("c3", [image(url)])
    history = [*checkpoint()["history"][:6], shown]
    source = open_source(write_json(tmp_path / "c.json", checkpoint(history=history)))
    assert not [one for one in source.events if isinstance(one.event, PictureTaken)]
    assert [one.event.call_id for one in source.events if isinstance(one.event, CallAnswered)] == ["c1", "c3"]


def test_a_picture_with_escaped_slashes_is_found_too(tmp_path: Path) -> None:
    text = json.dumps(checkpoint()).replace("data:image/png", "data:image\\/png")
    source = open_source(write_json(tmp_path / "c.json", text))
    (taken,) = [one.event for one in source.events if isinstance(one.event, PictureTaken)]
    assert source.blobs.blob(taken.picture.digest) == png(5)


def test_a_file_that_changes_while_it_is_open_is_noticed(opened: ReplaySource) -> None:
    (taken,) = [one.event for one in opened.events if isinstance(one.event, PictureTaken)]
    write_json(opened.path, checkpoint(run_id="another-run-with-a-longer-name"))
    assert isinstance(Frames(opened.blobs).picture(taken.picture.digest), Placeholder)
    with pytest.raises(LedgerProblem):
        opened.blobs.blob("00" * 32)


HOSTILE: list[tuple[str, Any, str]] = [
    ("LG006", {"run_id": "../../../../tmp/owned"}, "not a name"),
    ("LG008", '"revision": ' + "9" * 5000, "too long"),
    ("LG009", '"consumed_requests": NaN', "NaN is not a number"),
    ("LG009b", '"max_steps": Infinity', "Infinity is not a number"),
    ("LG009c", '"max_steps": 1e999', "too large"),
    ("LG010", '"phase": "final", "phase": "boundary"', "twice"),
    ("phase", {"phase": "invented"}, "unknown phase"),
    ("version", {"version": 0}, "version"),
    ("extra", {"more": 1}, "version"),
    ("type", {"history": {}}, "history is of a wrong type"),
    ("bool", {"revision": True}, "revision is of a wrong type"),
]


@pytest.mark.parametrize(("change", "words"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_a_checkpoint_that_no_sdk_writes_is_refused(tmp_path: Path, change: Any, words: str) -> None:
    if isinstance(change, str):
        key = json.loads("{" + change.split(":")[0] + ": 0}")
        found = {name: value for name, value in checkpoint().items() if name not in key}
        text = "{" + change + ", " + json.dumps(found)[1:]
    else:
        text = json.dumps(checkpoint(**change))
    with pytest.raises(LedgerProblem, match=words):
        open_source(write_json(tmp_path / "c.json", text))


def test_each_missing_field_is_named(tmp_path: Path) -> None:
    for key in checkpoint():
        found = checkpoint()
        del found[key]
        with pytest.raises(LedgerProblem, match="checkpoint"):
            open_source(write_json(tmp_path / "c.json", found))


def test_nesting_without_end_is_refused(tmp_path: Path) -> None:
    for nested in ("[" * 100_000 + "]" * 100_000, "[" * 450 + "]" * 450, "[" * 900 + "]" * 900):
        text = json.dumps(checkpoint(history=["@"])).replace('"@"', nested)
        path = write_json(tmp_path / "c.json", text)
        try:
            assert open_source(path).events
        except LedgerProblem as problem:
            assert "nested" in str(problem)  # noqa: PT017


@pytest.mark.parametrize(
    "text", ["", "[]", "5", "{", "\xff", '"\ud800"'.encode("utf-8", "surrogatepass"), b"\x80\x04K\x05."]
)
def test_what_is_no_checkpoint_is_named(tmp_path: Path, text: str | bytes) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("latin-1"))
    with pytest.raises(LedgerProblem, match=str(path)):
        open_source(path)


def test_a_newer_checkpoint_is_shown_with_a_mark(tmp_path: Path) -> None:
    source = open_source(write_json(tmp_path / "c.json", checkpoint(version=2, more={"a": 1})))
    assert source.flags == {"foreign", "cut_off", "newer"}


def test_odd_text_is_shown_with_a_mark(tmp_path: Path) -> None:
    history = [{"role": "user", "content": "\ud800"}, called("\udc00", "\ud83d", '"\ud800')]
    source = open_source(write_json(tmp_path / "c.json", checkpoint(history=history)))
    assert "odd_text" in source.flags
    first = source.events[0].event
    assert isinstance(first, RunStarted)
    assert first.task == "\ud800"


def test_a_read_report_of_any_shape_is_kept(tmp_path: Path) -> None:
    said = json.dumps({"ok": True, "state": {"tabs": [5, {"active": True}]}, "result": {"elements": "none"}})
    history = [called("c1", "browser_find", "{}"), output("c1", [{"type": "input_text", "text": said}])]
    source = open_source(write_json(tmp_path / "c.json", checkpoint(history=history)))
    assert [one.event.report for one in source.events if isinstance(one.event, PageRead)] == [{"elements": "none"}]


def test_a_long_record_is_shown_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.replay.reading.MOST_EVENTS", 5)
    monkeypatch.setattr("app.replay.imported.MOST_EVENTS", 5)
    for source in (
        open_source(save_run(tmp_path / "run.signalbox")),
        open_source(write_json(tmp_path / "c.json", checkpoint())),
    ):
        assert len(source.events) == 5
        assert "long" in source.flags
        source.close()
