"""What answering has become by habit: how often the like was allowed before, how fast, and what is different now."""

from typing import Literal

from app.core.value import Frozen, Text

MARKED_FROM = 3
"""After so many of the like were allowed in a row, what is different is marked."""
TICKED_FROM = 5
"""After so many, what is different must be ticked before it can be allowed."""
FAST_FROM = 8
"""So many answers in one minute are said."""

WhatDiffers = Literal["site", "frame", "role", "element", "argument"]

DIFFERS: dict[WhatDiffers, str] = {
    "site": "another site",
    "frame": "a frame of another site",
    "role": "another kind of element",
    "element": "another element",
    "argument": "another value",
}


class Differs(Frozen):
    """One difference from the question that was allowed last. Both values are outside text."""

    what: WhatDiffers
    name: Text = ""
    """Of an argument."""
    before: Text = ""
    now: Text = ""


class Habit(Frozen):
    """Of one question, as its card says it."""

    alike: int = 0
    """How many like it were allowed by hand in a row before it."""
    answered_in_last_minute: int = 0
    differs: tuple[Differs, ...] = ()

    @property
    def must_tick(self) -> bool:
        """Whether the difference needs a gesture of its own."""
        return bool(self.differs) and self.alike >= TICKED_FROM
