"""Handing on a hostile record opens no other file and no connection, and ends in an export or a sentence."""

import contextlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import LedgerProblem
from app.core.exporting import ExportKind, ExportOrder
from app.export.write import ExportFailed, export_run
from app.ledger.chain import link, start
from tests.unit.app.export.saved_booking import exported, save_booking
from tests.unit.app.ledger.made_up import png
from tests.unit.app.ledger.second import ROOT
from tests.unit.app.replay.saved import called, checkpoint, image, output, write_json
from tests.unit.app.replay.test_hostile import PICTURES

WATCHED = """
import sys
from pathlib import Path
from app.core.errors import LedgerProblem
from app.core.evidence import Box
from app.core.exporting import ExportOrder
from app.export.write import export_run
from PIL import BmpImagePlugin, GifImagePlugin, JpegImagePlugin, PngImagePlugin, PpmImagePlugin, WebPImagePlugin
touched = []
def hook(name, details):
    if name in ("open", "sqlite3.connect") and isinstance(details[0], (str, bytes)):
        touched.append(f"{name} {details[0]}")
    elif name.startswith(("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.fork", "urllib", "os.system")):
        touched.append(name)
sys.addaudithook(hook)
for number, record in enumerate(sys.argv[1:]):
    for kind in ("html", "json", "csv", "webp", "bundle"):
        for masks in ((), (Box(x=1, y=1, width=9, height=9),)):
            try:
                export_run(ExportOrder(Path(record), kind, Path(record).with_suffix(f".out-{kind}"), masks=masks))
            except LedgerProblem as problem:
                if kind != "webp":
                    touched.append(f"refused {problem}")
sys.stdout.write("\\n".join(touched))
"""


def with_picture(url: Any) -> dict[str, Any]:
    history = [called("c1", "browser_screenshot", "{}"), output("c1", [image(url)])]
    return checkpoint(history=[{"role": "user", "content": "go"}, *history])


def test_no_hostile_picture_makes_an_export_open_or_fetch_anything(tmp_path: Path) -> None:
    canary = tmp_path / "canary.png"
    canary.write_bytes(png(2))
    records = [
        write_json(tmp_path / f"case{number}.json", with_picture(make(canary)))
        for number, make in enumerate(PICTURES.values())
    ]
    command = [sys.executable, "-B", "-c", WATCHED, *map(str, records)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    own = (str(ROOT), sys.prefix, sys.base_prefix)
    lines = [line for line in ended.stdout.splitlines() if str(tmp_path) not in line or "canary" in line]
    assert [line for line in lines if not any(line.startswith(f"open {place}") for place in own)] == []
    for record in records:
        page = record.with_suffix(".out-html").read_text()
        assert 'src="file' not in page
        assert 'src="http' not in page


@pytest.mark.parametrize("kind", ["html", "json", "csv", "webp", "bundle"])
def test_what_is_refused_is_refused_with_a_sentence_and_leaves_nothing(tmp_path: Path, kind: Any) -> None:
    text, deep = tmp_path / "text.signalbox", tmp_path / "deep.json"
    text.write_text("not a ledger")
    deep.write_text("[" * 100_000)
    broken = save_booking(tmp_path / "view.signalbox")
    with sqlite3.connect(broken) as connection:
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n"
        connection.execute(f"CREATE VIEW endless AS {endless}")
    connection.close()
    for record in (text, deep, broken, tmp_path / "nowhere.signalbox"):
        with pytest.raises(LedgerProblem):
            export_run(ExportOrder(record, kind, tmp_path / "out"))
    assert not (tmp_path / "out").exists()
    assert [one.name for one in tmp_path.iterdir() if "part" in one.name] == []


def test_a_changed_picture_is_named_at_the_top_and_not_handed_on(tmp_path: Path) -> None:
    path = save_booking(tmp_path / "run.signalbox")
    with sqlite3.connect(path) as connection:
        (number,) = connection.execute("SELECT id FROM blobs WHERE media_type = 'image/png'").fetchone()
        connection.execute("UPDATE blobs SET bytes = ? WHERE id = ?", (png(99), number))
    connection.close()
    found = json.loads(exported(path, "json", tmp_path / "out.json"))
    assert any("1 picture is missing or damaged" in note for note in found["notes"])
    assert any("were changed or damaged" in note for note in found["notes"])
    assert sum("reason" in entry for entry in found["pictures"].values()) == 1
    page = exported(path, "html", tmp_path / "out.html").decode()
    assert "1 picture is missing or damaged" in page.partition("<h2>")[0]


def test_what_only_a_check_finds_stands_at_the_top_too(tmp_path: Path) -> None:
    path = save_booking(tmp_path / "run.signalbox")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE thumbs SET jpeg = x'00'")
        connection.execute("UPDATE events SET type = 'page_read' WHERE seq = 30")
    connection.close()
    page = exported(path, "html", tmp_path / "out.html").decode()
    assert "the check found: event 30 is listed as another kind than it is" in page.partition("<h2>")[0]


@pytest.mark.parametrize("kind", ["html", "json", "csv", "bundle"])
@pytest.mark.parametrize("value", [{"$int": "0x" + "f" * 9000}, None], ids=["digits", "depth"])
def test_what_python_does_not_write_ends_in_an_export_or_a_sentence(
    tmp_path: Path, kind: ExportKind, value: Any
) -> None:
    record = save_booking(tmp_path / "run.signalbox")
    with contextlib.closing(sqlite3.connect(record, isolation_level=None)) as connection:
        chain = start(connection.execute("SELECT nonce FROM file").fetchone()[0])
        rows = connection.execute("SELECT seq, wall_ms, mono_ns, type, body, attached FROM events ORDER BY seq")
        for seq, wall_ms, mono_ns, name, body, attached in rows.fetchall():
            if name == "ask_raised":
                event = json.loads(body)
                event["ask"]["arguments"] = {"odd": "@"}
                odd = json.dumps(value) if value is not None else "[" * 900 + "]" * 900
                body = json.dumps(event).replace('"@"', odd)
            chain = link(chain, seq, wall_ms, mono_ns, body, attached)
            connection.execute("UPDATE events SET body = ?, chain = ? WHERE seq = ?", (body, chain, seq))
    for number, texts in enumerate(((), ("Ada Park",))):
        out = tmp_path / f"out{number}"
        said = ""
        try:
            export_run(ExportOrder(record, kind, out, redactions=texts))
        except ExportFailed as problem:
            said = str(problem)
        assert out.exists() != ("nested too deeply" in said)
        assert out.exists() or value is None
