"""The pictures of a run as an animated WebP, each with a line in our own words below it."""

import io
import itertools
from collections.abc import Sequence
from typing import IO, cast

from PIL import Image, ImageDraw, ImageFont

from app.core.describe import CALL_STATES, member_phrase
from app.core.errors import LedgerProblem
from app.core.timeline import Frame, Timeline
from app.core.untrusted import shown
from app.export.masks import opened
from app.export.record import Record
from app.paths import resource_bytes

WIDTH_PIXELS = 960
TALLEST_PIXELS = 1200
LINE_PIXELS = 40
SHORTEST_MS, LONGEST_MS, LAST_MS, TOP_MS = 300, 2500, 4000, 4000
"""How long a picture stands: as it did in the run, within bounds."""

QUALITY = 70
_PAPER, _INK, _WRONG = "#F4F5F7", "#1B1F24", "#B3261E"
MOST_LINE_CHARS = 110


def write_animation(record: Record, out: IO[bytes]) -> None:
    """Write it, one picture in memory at a time.

    Raises:
        LedgerProblem: there is no picture on record.
    """
    frames = list(record.timeline.frames)
    if not frames:
        raise LedgerProblem(f"there is no picture on record: {record.source.path}")
    reel = _Reel(record, frames)
    written = cast("IO[bytes]", _Counted(out))
    reel.save(
        written,
        "WEBP",
        save_all=True,
        duration=reel.durations_ms,
        loop=0,
        quality=QUALITY,
        method=2,
        minimize_size=False,
    )


class _Counted(io.RawIOBase):
    """A way into a file that cannot be sought in; the encoder writes once."""

    def __init__(self, out: IO[bytes]) -> None:
        super().__init__()
        self._out = out

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        return self._out.write(data)


class _Reel(Image.Image):
    """Looks to the encoder like one picture of many frames, of which each is drawn when it is asked for."""

    def __init__(self, record: Record, frames: Sequence[Frame]) -> None:
        super().__init__()
        self._record = record
        self._frames = frames
        self._captions = [_caption(frame, record.timeline, number, len(frames)) for number, frame in enumerate(frames)]
        self._top = [*record.notes, *record.left_out]
        self._font = ImageFont.truetype(io.BytesIO(resource_bytes("fonts/Inter-Medium.otf")), 17)
        first = frames[0].picture
        height = round(WIDTH_PIXELS * max(1, first.css_height) / max(1, first.css_width))
        self._shot = (WIDTH_PIXELS, min(TALLEST_PIXELS, max(200, height)))
        self._mode, self._size = "RGB", (self._shot[0], self._shot[1] + LINE_PIXELS)
        self.n_frames = len(frames) + bool(self._top)
        waits = [later.wall_ms - frame.wall_ms for frame, later in itertools.pairwise(frames)]
        self.durations_ms = [TOP_MS] if self._top else []
        self.durations_ms += [min(LONGEST_MS, max(SHORTEST_MS, wait)) for wait in waits] + [LAST_MS]
        self.seek(0)

    def seek(self, frame: int) -> None:
        """Draw frame number `frame`."""
        self._place = frame
        number = frame - bool(self._top)
        drawn = self._top_card() if number < 0 else self._picture(number)
        self.im = drawn.im
        self._record.tick(1)

    def tell(self) -> int:
        """The frame that is drawn."""
        return self._place

    def load(self) -> None:
        """It is always loaded."""

    def _top_card(self) -> Image.Image:
        canvas = Image.new("RGB", self._size, _PAPER)
        draw = ImageDraw.Draw(canvas)
        lines = [part for words in self._top for part in _broken(shown(words))]
        for row, line in enumerate(lines[: self._size[1] // 28 - 2]):
            draw.text((28, 28 + 28 * row), line, font=self._font, fill=_WRONG)
        return canvas

    def _picture(self, number: int) -> Image.Image:
        canvas = Image.new("RGB", self._size, _PAPER)
        draw = ImageDraw.Draw(canvas)
        try:
            picture = opened(self._record.picture(self._frames[number].picture.digest).data)
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
    return f"{words} · {phrase} · {CALL_STATES[call.state_at(frame.seq)]}"


def _broken(words: str) -> list[str]:
    lines, line = [], ""
    for word in words.split(" "):
        if line and len(line) + len(word) > MOST_LINE_CHARS - 20:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word[: MOST_LINE_CHARS - 20]
    return [*lines, line]
