"""A covered region is covered in every picture of every form, for good, and what is not certain is covered whole."""

import base64
import io
import json
import re
from pathlib import Path

import pytest
from PIL import Image

from app.core.ask import Source
from app.core.errors import LedgerProblem
from app.core.events import ActionStarted, PictureTaken, ProposedCall, TurnAnswered
from app.core.evidence import Box
from app.core.exporting import ExportOrder, box_of, box_words
from app.export.masks import kept_masks
from app.export.write import export_run
from tests.helpers.journals import HEIGHT, WIDTH, booking, booking_page
from tests.unit.app.export.saved_booking import exported, picture_item, save_booking

MASK = Box(x=100, y=240, width=580, height=80)
INSIDE = (104, 244, 676, 316)
COVER = (20, 20, 20)


def decoded(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def only_cover(image: Image.Image, region: tuple[int, int, int, int] | None = None) -> bool:
    """Whether there is nothing else in the region; pictures of a lossy form may be a little off."""
    colours = (image if region is None else image.crop(region)).getcolors(1_000_000)
    return colours is not None and all(
        all(abs(part - cover) < 12 for part, cover in zip(colour, COVER, strict=True))  # type: ignore[arg-type]
        for _, colour in colours
    )


def test_in_json_page_and_checkpoint(tmp_path: Path) -> None:
    seen = booking_page(1, shade=3)
    path = save_booking(tmp_path / "run.signalbox", history=[picture_item(seen)])
    found = json.loads(exported(path, "json", tmp_path / "out.json", masks=(MASK,)))
    pictures = [base64.b64decode(entry["base64"]) for entry in found["pictures"].values()]
    url = found["checkpoint"]["history"][0]["output"][0]["image_url"]
    page = exported(path, "html", tmp_path / "out.html").decode()
    on_page = [base64.b64decode(data) for data in re.findall(r"base64,([A-Za-z0-9+/=]+)", page)]
    assert len(pictures) > 3
    assert len(on_page) > 3
    for data in [*pictures, *on_page]:
        image = decoded(data)
        assert image.size == (WIDTH, HEIGHT)
        assert only_cover(image, INSIDE)
        assert not only_cover(image)
    # A picture of the history is known by its bytes only: of one that no event names it is not known what it shows.
    sent = decoded(base64.b64decode(url.partition(",")[2]))
    assert only_cover(sent, INSIDE)
    assert json.dumps(found["events"]).count(next(iter(found["pictures"]))) > 0


def test_a_region_stays_covered_until_it_is_dropped(tmp_path: Path) -> None:
    path = save_booking(tmp_path / "run.signalbox")
    exported(path, "csv", tmp_path / "out", masks=(MASK,))
    exported(path, "csv", tmp_path / "out", masks=(Box(x=0, y=0, width=10, height=10),))
    assert [box_words(mask) for mask in kept_masks(path)] == ["100,240,580,80", "0,0,10,10"]
    assert "2 regions are covered" in exported(path, "html", tmp_path / "out").decode()
    assert "covered" not in exported(path, "csv", tmp_path / "out", forget_masks=True).decode()
    assert sorted(one.name for one in tmp_path.iterdir() if "masks" in one.name) == []


@pytest.mark.parametrize(
    "broken", [b"", b"{}", b'{"version":2,"masks":[]}', b'{"version":1,"masks":["1,2"]}', b"[" * 9999]
)
def test_nothing_is_handed_on_while_the_regions_cannot_be_read(tmp_path: Path, broken: bytes) -> None:
    path = save_booking(tmp_path / "run.signalbox")
    path.with_name("run.signalbox-masks").write_bytes(broken)
    with pytest.raises(LedgerProblem, match="cannot be read"):
        export_run(ExportOrder(path, "html", tmp_path / "out.html"))
    assert not (tmp_path / "out.html").exists()


@pytest.mark.parametrize(("source", "member"), [("browser", "zoom"), ("functions", "screenshot")])
def test_a_picture_of_which_nobody_knows_what_it_shows_is_covered_whole(
    tmp_path: Path, source: Source, member: str
) -> None:
    writer = booking()
    zoomed, other_shape = booking_page(2, shade=77), booking_page(0, shade=78, size=(640, 640))
    call = ProposedCall(call_id="z1", source=source, member=member, arguments={})
    started = ActionStarted(call_id="z1", source=source, member=member, digest="", ask_id=None, reads_only=True)
    ended = writer.records.pop()
    writer.add(TurnAnswered(turn=9, response_id="r9", calls=(call,), messages=(), final=False))
    writer.add(started)
    writer.add(PictureTaken(role="read", picture=writer.picture(zoomed), call_id="z1"))
    writer.add(PictureTaken(role="live", picture=writer.picture(other_shape)))
    writer.add(ended.event)
    path = save_booking(tmp_path / "run.signalbox", writer)
    found = json.loads(exported(path, "json", tmp_path / "out.json", masks=(MASK,)))
    whole = [decoded(base64.b64decode(entry["base64"])) for entry in found["pictures"].values()]
    assert sorted(image.size for image in whole if only_cover(image)) == [(640, 640), (WIDTH, HEIGHT)]


@pytest.mark.parametrize("text", ["", "1,2,3", "1,2,0,4", "1,2,3,-4", "a,2,3,4", "nan,2,3,4", "1,2,inf,4"])
def test_a_region_is_four_sound_numbers(text: str) -> None:
    with pytest.raises(ValueError, match="a region"):
        box_of(text)
