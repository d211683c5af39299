"""The player's own page: every letter and digit in a square of its own, drawn as the tasks draw theirs."""

from __future__ import annotations

import string

CHARACTERS = string.ascii_letters + string.digits
COLUMNS, PITCH = 9, 30
SHEET = "/letters.html"


def sheet(size: int) -> str:
    """The page: each character in black in a square of its own, drawn as the tasks draw theirs."""
    drawn = "".join(
        f"<text x={n % COLUMNS * PITCH + 15} y={n // COLUMNS * PITCH + 15} text-anchor=middle "
        f"alignment-baseline=central font-size={size}px>{character}</text>"
        for n, character in enumerate(CHARACTERS)
    )
    style = "<link rel=stylesheet href=/core/core.css><style>body{margin:0;background:#fff}</style>"
    return f"<!doctype html><meta charset=utf-8>{style}<svg width=280 height=212>{drawn}</svg>"
