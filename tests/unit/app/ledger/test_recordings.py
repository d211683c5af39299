"""Ledgers of each format are kept and open for ever; ones from the future are shown or refused in plain words.

``tests/recordings/format-N.signalbox`` is a run of the demo with a denial, saved by the first program of that format.
It is never made anew: a change that cannot read it needs a converter. ``format-N.shape.json`` is what its tables and
events look like: a change that could not read one of them needs a new format, and that a new recording.
"""

import copy
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import LedgerProblem
from app.core.settle import settle
from app.ledger.schema import FORMAT
from app.ledger.shelf import list_runs
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from app.replay.frames import Frames, SafePicture
from app.replay.source import open_source
from tests.recordings.keep_shape import shape, shape_file
from tests.unit.app.ledger.made_up import StandingClock
from tests.unit.app.replay.saved import fold

ANOTHER_FORMAT = (
    "ledgers that exist could not be read any more: raise FORMAT in app/ledger/schema.py, add a converter in "
    "app/ledger/migrate.py, a recording, and its shape (python -m tests.recordings.keep_shape)"
)

RECORDINGS = Path(__file__).parents[3] / "recordings"


def test_there_is_one_of_each_format() -> None:
    kept = sorted(file.name for file in RECORDINGS.glob("format-*"))
    wanted = [f"format-{number}.{end}" for number in range(1, FORMAT + 1) for end in ("shape.json", "signalbox")]
    assert kept == sorted(wanted)


def test_a_file_of_this_format_is_what_it_always_was() -> None:
    kept = json.loads(shape_file(FORMAT).read_text())
    # Another table, another column: older programs refuse such a file, and this one refuses theirs.
    assert shape()["tables"] == kept["tables"], ANOTHER_FORMAT
    assert unreadable(kept["events"], shape()["events"]) == [], ANOTHER_FORMAT


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda events: events.pop("PageChanged"), "PageChanged is gone"),
        (lambda events: events["PageChanged"]["properties"].pop("detail"), "PageChanged.detail is gone"),
        (lambda events: events["PageChanged"]["required"].append("fresh"), "PageChanged.fresh must be there"),
        (lambda events: events["PageChanged"]["properties"]["kind"].update(type="integer"), "PageChanged.kind"),
        (lambda events: events["RunEnded"]["properties"]["status"]["enum"].remove("failed"), "RunEnded.status"),
    ],
)
def test_what_would_make_an_old_event_unreadable_is_seen(change: Callable[[Any], object], what: str) -> None:
    now = shape()["events"]
    changed = copy.deepcopy(now)
    change(changed)
    assert [words for words in unreadable(now, changed) if what in words] != []
    changed = copy.deepcopy(now)
    changed["PageChanged"]["properties"]["fresh"] = {"type": "string"}
    assert unreadable(now, changed) == [], "what may be left out can be added"


def unreadable(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What an event of the old shape may hold that the new one refuses, by name."""
    found: list[str] = []
    for name, before in old.items():
        if name not in new:
            found.append(f"{name} is gone")
            continue
        after = new[name]
        if "properties" not in before:
            found += [] if wider(before, after) else [name]
            continue
        needed = set(after.get("required", ())) - set(before.get("required", ()))
        found += [f"{name}.{field} must be there" for field in sorted(needed)]
        for field, kind in before["properties"].items():
            if field not in after["properties"]:
                found.append(f"{name}.{field} is gone")
            elif not wider(kind, after["properties"][field]):
                found.append(f"{name}.{field} takes other values")
    return found


def wider(before: Any, after: Any) -> bool:
    """Whether everything of the one kind is of the other too, as far as can be told without trying."""
    if before == after:
        return True
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    some, more = (kind.get("anyOf", kind.get("oneOf")) for kind in (before, after))
    if more is not None:
        return all(any(wider(one, other) for other in more) for one in (some if some is not None else [before]))
    values = [{*kind.get("enum", [kind["const"]] if "const" in kind else [])} for kind in (before, after)]
    if values[0] and values[1]:
        return values[0] <= values[1]
    same = {key for key in {*before, *after} if before.get(key) == after.get(key)}
    return {*before, *after} - same <= {"items"} and wider(before.get("items"), after.get("items"))


@pytest.mark.parametrize("number", range(1, FORMAT + 1))
def test_a_ledger_of_that_format_opens_whole(number: int) -> None:
    path = RECORDINGS / f"format-{number}.signalbox"
    assert verify(path).whole
    source = open_source(path)
    timeline = fold(source)
    assert source.flags == {"copied"}
    assert (len(timeline.asks), len(timeline.allowed), len(timeline.denied)) == (5, 4, 1)
    assert [ended.status for ended in timeline.ended] == ["finished"]
    assert {call.outcome for call in settle(source.events)} == {"done", "not_done"}
    frames = Frames(source.blobs)
    assert len(timeline.frames) > 0
    for frame in timeline.frames:
        shown = frames.picture(frame.picture.digest)
        assert isinstance(shown, SafePicture)
        assert (shown.header.width, shown.header.height) == (frame.picture.width, frame.picture.height)
        assert frames.thumbnail(frame.picture.digest) is not None
    source.close()


def test_one_from_the_future_is_shown_as_far_as_it_is_understood(tmp_path: Path) -> None:
    path = tmp_path / "from-the-future.signalbox"
    shutil.copy(RECORDINGS / path.name, path)
    source = open_source(path)
    assert source.flags == {"newer", "copied"}
    assert source.notes == (
        "made by a newer Signalbox (format 2): to be looked at only",
        "readable up to event 3 of 7: the rest needs a newer Signalbox",
        "not made here (its folder has no list of known runs): to be looked at only",
    )
    assert [recorded.event.type for recorded in source.events] == ["run_started", "turn_answered", "ask_raised"]
    assert len(fold(source).asks) == 1
    source.close()
    assert not verify(path).whole
    with pytest.raises(LedgerProblem, match="newer"):
        RunLedger.open_owned(path, StandingClock())


def test_one_from_farther_ahead_is_refused_in_words(tmp_path: Path) -> None:
    path = far_ahead(tmp_path / "far.signalbox")
    words = f"made by a newer Signalbox (format {FORMAT + 6}) that this one cannot read: {path}"
    for look in (open_source, verify):
        with pytest.raises(LedgerProblem) as refused:
            look(path)
        assert str(refused.value) == words
    (listed,) = list_runs(tmp_path)
    assert (listed.status, listed.notes) == ("unreadable", (words,))


def far_ahead(path: Path) -> Path:
    """A ledger whose tables this program has never heard of."""
    shutil.copy(RECORDINGS / "from-the-future.signalbox", path)
    with sqlite3.connect(path) as connection:
        connection.executescript(
            f"DROP TABLE events; DROP TABLE blobs; CREATE TABLE journal(said); PRAGMA user_version = {FORMAT + 6}"
        )
    connection.close()
    return path
