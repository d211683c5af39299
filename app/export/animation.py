"""The pictures of a run as an animated WebP, each with a line in our own words below it."""

import io
import itertools
from collections.abc import Iterator, Sequence
from typing import IO

from PIL import Image, ImageDraw, ImageFont

from app.core.describe import CALL_STATES, member_phrase
from app.core.errors import LedgerProblem
from app.core.moment import Moment
from app.core.timeline import Frame, Timeline
from app.core.untrusted import shown
from app.export.film import write_film
from app.export.masks import opened
from app.export.record import Record
from app.paths import resource_bytes

WIDTH_PIXELS, NARROW_PIXELS = 960, 640
LONG_FRAMES = 300
"""More pictures than these are drawn narrow: nobody watches for half an hour, and it would take minutes to write."""

TALLEST_PIXELS = 1200
LINE_PIXELS = 40
SHORTEST_MS, LONGEST_MS, LAST_MS, TOP_MS = 300, 2500, 4000, 4000
"""How long a picture stands: as it did in the run, within bounds."""

_PAPER, _INK, _WRONG = "#F4F5F7", "#1B1F24", "#B3261E"
MOST_LINE_CHARS = 110


def write_animation(record: Record, out: IO[bytes]) -> None:
    """Write it, a few pictures in memory at a time.

    Raises:
        LedgerProblem: there is no picture on record.
    """
    frames = list(record.timeline.frames)
    if not frames:
        raise LedgerProblem(f"there is no picture on record: {record.source.path}")
    reel = _Reel(record, frames)
    write_film(reel.drawn(), reel.size, out)


class _Reel:
    """Draws one frame after the other; what is wrong with the record comes first, on a card."""

    def __init__(self, record: Record, frames: Sequence[Frame]) -> None:
        self._record = record
        self._frames = frames
        self._captions = [_caption(frame, record.timeline, number, len(frames)) for number, frame in enumerate(frames)]
        self._top = [*record.notes, *record.left_out]
        self._font = ImageFont.truetype(io.BytesIO(resource_bytes("fonts/Inter-Medium.otf")), 17)
        first = frames[0].picture
        width = WIDTH_PIXELS if len(frames) <= LONG_FRAMES else NARROW_PIXELS
        height = round(width * max(1, first.css_height) / max(1, first.css_width))
        self._shot = (width, min(TALLEST_PIXELS, max(200, height)))
        self.size = (self._shot[0], self._shot[1] + LINE_PIXELS)

    def drawn(self) -> Iterator[tuple[Image.Image, int]]:
        """Each frame, and for how many milliseconds it stands."""
        waits = [later.wall_ms - frame.wall_ms for frame, later in itertools.pairwise(self._frames)]
        stands_ms = [min(LONGEST_MS, max(SHORTEST_MS, wait)) for wait in waits] + [LAST_MS]
        if self._top:
            yield self._top_card(), TOP_MS
        for number, millis in enumerate(stands_ms):
            yield self._picture(number), millis
            self._record.tick(1)

    def _top_card(self) -> Image.Image:
        canvas = Image.new("RGB", self.size, _PAPER)
        draw = ImageDraw.Draw(canvas)
        lines = [part for words in self._top for part in _broken(shown(words), self.size[0] // 10 - 6)]
        for row, line in enumerate(lines[: self.size[1] // 28 - 2]):
            draw.text((28, 28 + 28 * row), line, font=self._font, fill=_WRONG)
        return canvas

    def _picture(self, number: int) -> Image.Image:
        canvas = Image.new("RGB", self.size, _PAPER)
        draw = ImageDraw.Draw(canvas)
        try:
            covered = self._record.picture(self._frames[number].picture.digest)
            picture = opened(covered.data, for_size=self._shot)
            picture.thumbnail(self._shot, Image.Resampling.BILINEAR, reducing_gap=2.0)
            canvas.paste(picture, ((self._shot[0] - picture.width) // 2, 0))
        except LedgerProblem as problem:
            draw.text((28, 28), shown(str(problem))[:MOST_LINE_CHARS], font=self._font, fill=_WRONG)
        draw.text((14, self._shot[1] + 9), self._captions[number], font=self._font, fill=_INK)
        return canvas


def _caption(frame: Frame, timeline: Timeline, number: int, count: int) -> str:
    """``3 of 12 · Click on a page element · allowed``: nothing from outside."""
    words = f"{number + 1} of {count}"
    call = timeline.call(frame.call_id) if frame.call_id is not None else None
    if call is None:
        return words
    phrase = member_phrase(call.proposed.source, call.proposed.member) or "A call"
    return f"{words} · {phrase} · {CALL_STATES[Moment(timeline, frame.seq).state_of(call)]}"


def _broken(words: str, most_chars: int) -> list[str]:
    lines, line = [], ""
    for word in words.split(" "):
        if line and len(line) + len(word) > most_chars:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word[:most_chars]
    return [*lines, line]
