"""One picture of the film strip and one line of the conversation, as the timeline lists them."""

from dataclasses import dataclass
from typing import Literal

from app.core.evidence import Picture, PictureRole


@dataclass(frozen=True)
class Frame:
    """A picture on the film strip."""

    seq: int
    wall_ms: int
    picture: Picture
    role: PictureRole
    call_id: str | None


@dataclass(frozen=True)
class Said:
    """One line of the conversation; `speaker` keeps the model's words apart from everybody else's."""

    seq: int
    speaker: Literal["task", "model", "operator", "console"]
    text: str
