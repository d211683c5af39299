"""Pieces of the exported page: everything from outside goes through here and becomes nothing but letters."""

import base64
import hashlib
import io
import json
import math
from collections.abc import Sequence
from html import escape

from app.core.errors import LedgerProblem
from app.core.evidence import Box, Picture, Point
from app.core.untrusted import Form, findings, page_count, pieces
from app.core.value import Json
from app.export.masks import opened
from app.export.record import Record
from app.ledger.pictures import header

MOST_CHARS = 20_000
"""Of one text on the page; the whole of it is in the JSON form."""

WIDEST_PIXELS = 1280
JPEG_QUALITY = 82
AS_IT_IS_BYTES = 48 * 1024
"""A smaller picture goes onto the page byte for byte, and so does one that is no PNG and not too large."""


def outside(value: str, form: Form = "row", *, css: str = "") -> str:
    """Text from a page, a model or a person: escaped, isolated from our own words, hidden characters named."""
    part = value[:MOST_CHARS]
    text = _isolated(part, form, css)
    if len(value) > MOST_CHARS:
        text += f' <span class="dim">… {len(value) - MOST_CHARS:,} characters more</span>'
    said = findings(part)
    return f'{text} <span class="hold small">({escape("; ".join(said))})</span>' if said else text


def _isolated(part: str, form: Form = "row", css: str = "") -> str:
    drawn = []
    for page in range(page_count(part)):
        for piece in pieces(part, form, page=page):
            if not piece.is_mark:
                drawn.append(escape(piece.raw))
            else:
                css_mark = "m line" if piece.kind == "break" else "m"
                drawn.append(f'<b class="{css_mark}" title="{escape(piece.name)}">{escape(piece.label)}</b>')
                drawn.append("\n" if piece.breaks else "")
    # A direction cannot leak out of the element, and the element says which way it reads.
    return f'<bdi class="{f"o {css}".strip()}" dir="ltr">{"".join(drawn)}</bdi>'


def prose(value: str) -> str:
    """The same for text in which lines are lines."""
    return outside(value, "block", css="prose")


def code(value: str) -> str:
    """The same for a short technical word or an address, never reordered."""
    return f"<code>{outside(value)}</code>"


def data(value: Json) -> str:
    """A JSON value, laid out."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2)
    except (ValueError, TypeError):
        text = repr(value)
    # The line breaks are ours: those of the value stand in it as \\n.
    lines = text[:MOST_CHARS].split("\n")
    laid_out = "\n".join(_indented(line) for line in lines)
    more = f"\n… {len(text) - MOST_CHARS:,} characters more" if len(text) > MOST_CHARS else ""
    said = findings(text[:MOST_CHARS])
    return f"<pre>{laid_out}{more}</pre>" + (f'<p class="hold small">{escape("; ".join(said))}</p>' if said else "")


def _indented(line: str) -> str:
    words = line.lstrip(" ")
    return " " * (len(line) - len(words)) + (_isolated(words) if words else "")


def rows(pairs: Sequence[tuple[str, str]]) -> str:
    """Names and values as a list; the names are ours, the values are ready for the page. Empty ones are left out."""
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>" for name, value in pairs if value)
    return f"<dl>{listed}</dl>" if listed else ""


def folded(summary: str, inside: str) -> str:
    """What is not seen at first. It opens without a script."""
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"


class Pictures:
    """Puts each picture onto the page once; wherever else it belongs a link leads to it."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._at: dict[str, str] = {}
        self._count = 0

    def figure(self, picture: Picture, caption: str, *, box: Box | None = None, points: Sequence[Point] = ()) -> str:
        """`caption` is in our words; `box` and `points` are drawn onto it."""
        self._record.tick(1)
        words = f"<figcaption>{escape(caption)}"
        name = self._at.get(picture.digest)
        if name is not None and box is None and not points:
            return f'<figure>{words}: <a href="#{name}">the same picture as above</a></figcaption></figure>'
        try:
            source, width, height = self._source(picture.digest)
        except LedgerProblem as problem:
            return f"<figure>{words}: {outside(str(problem))}</figcaption></figure>"
        self._count += 1
        name = f"picture-{self._count}"
        self._at.setdefault(picture.digest, name)
        image = f'<img alt="" src="{source}" width="{width}" height="{height}">'
        drawn = _marks(picture, box, points)
        return f'<figure id="{name}"><div class="shot">{image}{drawn}</div>{words}</figcaption></figure>'

    def _source(self, digest: str) -> tuple[str, int, int]:
        covered = self._record.picture(digest)
        found = header(covered.data)
        fits = found is not None and found.width <= WIDEST_PIXELS and found.height <= WIDEST_PIXELS * 4
        small = len(covered.data) <= AS_IT_IS_BYTES
        if found is not None and (small or (fits and covered.media_type != "image/png")):
            # Looked at once all the same: a damaged one is said in words.
            opened(covered.data, for_size=(1, 1))
            return _data_url(covered.data, covered.media_type), found.width, found.height
        image = opened(covered.data)
        width, height = image.size
        image.thumbnail((WIDEST_PIXELS, WIDEST_PIXELS * 4))
        written = io.BytesIO()
        image.save(written, "JPEG", quality=JPEG_QUALITY)
        return _data_url(written.getvalue(), "image/jpeg"), width, height


def _data_url(data: bytes, media_type: str) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode('ascii')}"


def _marks(picture: Picture, box: Box | None, points: Sequence[Point]) -> str:
    numbers = [picture.css_width, picture.css_height]
    numbers += [box.x, box.y, box.width, box.height] if box is not None else []
    numbers += [number for point in points for number in (point.x, point.y)]
    if not (box or points) or not all(math.isfinite(number) for number in numbers) or min(numbers[:2]) <= 0:
        return ""
    shapes = ""
    if box is not None:
        shapes = f'<rect x="{box.x:g}" y="{box.y:g}" width="{max(0, box.width):g}" height="{max(0, box.height):g}"/>'
    shapes += "".join(f'<circle cx="{point.x:g}" cy="{point.y:g}" r="9"/>' for point in points[:50])
    view = f"0 0 {picture.css_width:g} {picture.css_height:g}"
    return f'<svg aria-hidden="true" viewBox="{view}" preserveAspectRatio="none">{shapes}</svg>'


def style_hash(style: str) -> str:
    """How a content security policy names the one style that it lets through."""
    return "sha256-" + base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
