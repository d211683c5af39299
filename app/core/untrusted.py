"""Outside text made visible: cut into pieces that are either plain or a mark which names what could not be seen.

Nothing here draws. A widget paints plain pieces as they are and marks so that nobody takes them for the text itself.
Script names and character names are those of the interpreter's own Unicode tables (``unicodedata``).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Form = Literal["row", "block"]
"""`row`: a label or a name, where a line break is never a break. `block`: text in which lines are lines."""

Kind = Literal[
    "plain",
    "blank",
    "break",
    "control",
    "direction",
    "hidden",
    "combining",
    "symbol",
    "look_alike",
    "not_text",
    "empty",
]

PAGE_CHARS = 2000
"""Longest stretch that is ever cut into pieces at once; a longer value is paged."""

_REMEMBERED_CHARS = 200
"""Labels, names and addresses up to this length are cut up once."""

COUNTED_CHARS = 2_000_000
"""Above this the whole value is not searched for hidden characters beforehand; each page still names its own."""

_TOKENS = re.compile(
    r"(?P<words>[!-~]+(?: [!-~]+)*)|(?P<spaces> +)|(?P<lines>\n+)|(?P<tabs>\t+)|(?P<other>.)", re.DOTALL
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_MARKED = re.compile(r"⟦(?:empty|U\+([0-9A-F]{4,6})(?:×(\d+))?)⟧")
_INDENT, _GAP, _ROW_GAP, _LINES = 40, 8, 2, 3
"""Most blanks shown as they are: at the start of a line, within it, in a row; most line breaks in a row of them."""
_COMBINING_KEPT = 2
"""Marks on one letter that real languages need; more of them is a stack that leaves its row."""
_MIXED_CHARS = 20_000

_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters and marks that are invisible although their category says otherwise (Default_Ignorable_Code_Point and blanks).
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | frozenset(
    map(chr, range(0xFE00, 0xFE10))
)
_COMPATIBILITY = ("<font>", "<wide>", "<narrow>", "<circle>", "<square>", "<compat>")
_CAN_MIX = (
    frozenset({"Latin", "Han", "Hiragana", "Katakana"}),
    frozenset({"Latin", "Han", "Hangul"}),
    frozenset({"Latin", "Han", "Bopomofo"}),
)
# From Unicode's confusables.txt (UTS 39): letters that are drawn like an ASCII letter in ordinary fonts.
_LATIN_LOOK = frozenset("асԁеһіјӏорԛѕѵԝхуАВЕЅІЈКМНОРСТХҮαονρΑΒΕΖΗΙΚΜΝΟΡΤΥΧՏօսցհ")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a value. The `raw` of all pieces of a value, joined, is the value."""

    raw: str
    label: str
    """What is drawn: for a plain piece its own letters, for a mark its code."""
    kind: Kind = "plain"
    breaks: bool = False
    """A new line begins after it."""

    @property
    def is_mark(self) -> bool:
        """Whether it stands for something that cannot be shown as it is."""
        return self.kind != "plain"

    @property
    def shown(self) -> str:
        """The piece in plain letters, such that `unshown` gets the value back: marks stand in ``⟦ ⟧``."""
        if self.kind == "plain":
            return self.raw
        if self.kind == "empty":
            return "⟦empty⟧"
        count = f"×{len(self.raw)}" if len(self.raw) > 1 else ""
        return f"⟦U+{ord(self.raw[0]):04X}{count}⟧" + ("\n" if self.breaks else "")

    @property
    def name(self) -> str:
        """For people and screen readers: ``RIGHT-TO-LEFT OVERRIDE``, ``4,998 × SPACE``."""
        if not self.raw:
            return "empty"
        name = character_name(self.raw[0])
        return f"{len(self.raw):,} × {name}" if len(self.raw) > 1 else name


@dataclass(frozen=True, slots=True)
class Size:
    """How big a value is."""

    chars: int
    utf8_bytes: int
    lines: int

    @property
    def words(self) -> str:
        """``1,000,000 characters · 1,000,000 bytes · 1 line``."""
        parts = ((self.chars, "character"), (self.utf8_bytes, "byte"), (self.lines, "line"))
        return " · ".join(_number_of(number, noun) for number, noun in parts)


def size_of(value: str) -> Size:
    """Characters, bytes as UTF-8 (a lone surrogate counts as three) and lines."""
    utf8_bytes = len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))
    return Size(len(value), utf8_bytes, value.count("\n") + 1)


def page_count(value: str) -> int:
    """How many pages `pages` has for it; at least one."""
    return max(1, -(-len(value) // PAGE_CHARS))


def pieces(value: str, form: Form = "row", *, page: int = 0) -> list[Piece]:
    """One page of `value`, cut up. Never looks at more than `PAGE_CHARS` characters."""
    if len(value) <= _REMEMBERED_CHARS and page == 0:
        # What is shown is read out too, and much of it stands on the next question again.
        return list(_known_pieces(value, form))
    return _pieces(value, form, page)


def _pieces(value: str, form: Form, page: int) -> list[Piece]:
    if not value:
        return [Piece("", "empty", "empty")]
    start = page * PAGE_CHARS
    part = value[start : start + PAGE_CHARS]
    at_start, at_end = start == 0, start + PAGE_CHARS >= len(value)
    return _merged(_cut(part, form, at_start=at_start, at_end=at_end))


@lru_cache(maxsize=1024)
def _known_pieces(value: str, form: Form) -> tuple[Piece, ...]:
    return tuple(_pieces(value, form, 0))


def shown(value: str, form: Form = "row") -> str:
    """The whole value in plain letters with marks in ``⟦ ⟧``; for reading out and for reading back."""
    return "".join(piece.shown for page in range(page_count(value)) for piece in pieces(value, form, page=page))


def beginning(value: str, most_chars: int) -> str:
    """The same of the first characters; whatever is left out is told by an ellipsis."""
    return shown(value[:most_chars]) + ("…" if len(value) > most_chars else "")


def unshown(text: str) -> str:
    """The value that `shown` made `text` from."""
    without_breaks = text.replace("\n", "")
    return _MARKED.sub(lambda mark: chr(int(mark[1], 16)) * int(mark[2] or 1) if mark[1] else "", without_breaks)


def findings(value: str) -> list[str]:
    """What a person should be told about `value` before reading it, in the console's own words."""
    if len(value) > COUNTED_CHARS:
        return ["too long to be searched for hidden characters at once"]
    plain = value.replace("\n", "").replace("\t", "")
    if plain.isascii() and plain.isprintable():
        return []
    counts: Counter[Kind] = Counter()
    for character, times in Counter(plain).items():
        counts[_kind(character)] += times
    said = [_number_of(counts[kind], noun) for kind, noun in _COUNT_NOUNS.items() if counts[kind]]
    return [*said, *alphabet_warnings(value)]


_COUNT_NOUNS: dict[Kind, str] = {
    "hidden": "hidden character",
    "direction": "direction control",
    "control": "control character",
    "not_text": "invalid code",
}


def _number_of(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}s"


def alphabet_warnings(value: str) -> list[str]:
    """Names the alphabets of words that mix them, or that consist of another alphabet's look-alikes only."""
    if value.isascii():
        return []
    if len(value) > _MIXED_CHARS:
        scripts = sorted({script for character in set(value) if (script := script_of(character))})
        return [f"letters of several alphabets: {', '.join(scripts)}"] if not _may_mix(set(scripts)) else []
    warnings: dict[str, None] = {}
    for word in _WORDS.findall(value):
        if word.isascii():
            continue
        scripts_here = {script for letter in word if (script := script_of(letter))}
        if not _may_mix(scripts_here):
            others = sorted(scripts_here - {"Latin"})
            warnings[f"mixed alphabets in one word: {' and '.join(others)} among {_main_script(word)}"] = None
        elif len(word) > 2 and _LATIN_LOOK.issuperset(word):
            warnings[f"{' and '.join(sorted(scripts_here))} letters that look like Latin ones"] = None
    return list(warnings)


@lru_cache(maxsize=4096)
def script_of(letter: str) -> str | None:
    """The script of a letter by the first word of its Unicode name, or None for what belongs to no one script."""
    if not letter.isalpha() or unicodedata.decomposition(letter).startswith("<font>"):
        return None
    name = unicodedata.name(letter, "").removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ")
    first = name.partition(" ")[0]
    if first in ("", "MODIFIER", "FEMININE", "MASCULINE", "MICRO", "KELVIN", "ANGSTROM", "OHM"):
        return None
    return "Han" if first == "CJK" else first.title()


def code_of(character: str) -> str:
    """``U+202E``."""
    return f"U+{ord(character):04X}"


def character_name(character: str) -> str:
    """The Unicode name, or the category where a character has none."""
    nameless = {"Cc": "control character", "Cs": "lone surrogate", "Co": "private use", "Cn": "unassigned"}
    return unicodedata.name(character, "") or nameless.get(unicodedata.category(character), "character")


def _may_mix(scripts: set[str]) -> bool:
    return len(scripts) < 2 or any(scripts <= allowed for allowed in _CAN_MIX)


def _main_script(word: str) -> str:
    counts = Counter(script for letter in word if (script := script_of(letter)))
    return "Latin" if "Latin" in counts else counts.most_common(1)[0][0]


def _cut(part: str, form: Form, *, at_start: bool, at_end: bool) -> Iterator[Piece]:
    stacked = 0
    carries = False  # whether what came before can carry a combining mark
    line_start = at_start
    for token in _TOKENS.finditer(part):
        text = token[0]
        match token.lastgroup:
            case "words":
                yield Piece(text, text)
            case "spaces":
                edge = (token.start() == 0 and at_start) or (token.end() == len(part) and at_end)
                yield _spaces(text, form, edge=edge, indent=line_start)
            case "lines":
                yield from _lines(text, form)
            case "tabs" if form == "block":
                yield Piece(text, "⇥" * min(len(text), 8), "blank")
            case _:
                kind = _kind(text[0])
                stacked = stacked + 1 if unicodedata.category(text[0]) in ("Mn", "Me") else 0
                if stacked and kind == "plain" and (stacked > _COMBINING_KEPT or not carries):
                    kind = "combining"
                yield Piece(text, _counted(_label(text[0], kind), len(text)), kind)
                carries, line_start = kind == "plain", False
                continue
        carries, stacked = token.lastgroup == "words", 0
        line_start = token.lastgroup == "lines"


def _spaces(text: str, form: Form, *, edge: bool, indent: bool) -> Piece:
    most = _ROW_GAP if form == "row" else (_INDENT if indent else _GAP)
    if len(text) <= most and not edge:
        return Piece(text, text)
    return Piece(text, _counted("U+0020", len(text)), "blank")


def _lines(text: str, form: Form) -> Iterator[Piece]:
    if form == "row":
        yield Piece(text, _counted("U+000A", len(text)), "control")
    elif len(text) > _LINES:
        yield Piece(text, _counted("U+000A", len(text)), "break", breaks=True)
    else:
        for line in text:
            yield Piece(line, "↵", "break", breaks=True)


def _merged(cut: Iterator[Piece]) -> list[Piece]:
    """Neighbours that are both plain become one, and so do equal marks."""
    merged: list[Piece] = []
    plain: list[str] = []
    for piece in cut:
        if piece.kind == "plain":
            plain.append(piece.raw)
            continue
        if plain:
            merged.append(Piece(text := "".join(plain), text))
            plain = []
        last = merged[-1] if merged else None
        if last is not None and not piece.breaks and last.kind == piece.kind and last.raw[-1:] == piece.raw[:1]:
            raw = last.raw + piece.raw
            merged[-1] = Piece(raw, _counted(_label(raw[0], piece.kind), len(raw)), piece.kind)
        else:
            merged.append(piece)
    if plain:
        merged.append(Piece(text := "".join(plain), text))
    return merged


def _counted(label: str, times: int) -> str:
    return f"{label} ×{times:,}" if times > 1 else label


def _label(character: str, kind: Kind) -> str:
    if kind == "plain":
        return character
    drawn = kind in ("symbol", "look_alike")
    return f"{character} {code_of(character)}" if drawn else code_of(character)


@lru_cache(maxsize=8192)
def _kind(character: str) -> Kind:
    """How one character is to be shown when it stands alone."""
    if " " <= character <= "~":
        return "plain"
    if character in _DIRECTION:
        return "direction"
    category = unicodedata.category(character)
    by_category: dict[str, Kind] = {
        "Cc": "control",
        "Zl": "control",
        "Zp": "control",
        "Cf": "hidden",
        "Zs": "hidden",
        "Cs": "not_text",
        "Cn": "not_text",
        "Co": "not_text",
        "Me": "combining",
    }
    if category in by_category:
        return by_category[category]
    if character in _INVISIBLE or 0xE0000 <= ord(character) <= 0xE0FFF:
        return "hidden"
    if character in "⟦⟧" or (category in ("So", "Sk") and character >= "\u2000"):
        return "symbol"
    if category[0] in "LN" and unicodedata.decomposition(character).startswith(_COMPATIBILITY):
        return "look_alike"
    return "plain"
