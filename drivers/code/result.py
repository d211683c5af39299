"""What came of one piece of code."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Variable:
    """A name that code has left in the environment."""

    name: str
    kind: str
    shown: str
    """The beginning of its ``repr``."""


@dataclass
class CodeResult:
    """Text and pictures in the order in which they came; `error` is what it ended by, None when it ran to its end."""

    parts: list[str | bytes] = field(default_factory=list)
    """Runs of text, and pictures as the bytes of their files."""
    error: str | None = None
    left_out_chars: int = 0
    left_out_images: int = 0
    wrong_images: int = 0
    """What was to be shown and is no picture that can be."""
    before: str = ""
    """What became of the environment since the call before, if variables of then are gone."""
    lost: bool = False
    """The process had to be ended: all variables are gone."""
    millis: int = 0

    def add_text(self, text: str, *, most: int) -> str:
        """Put `text` behind what came before it, up to `most` characters in all; what of it is kept."""
        room = max(0, most - sum(len(part) for part in self.parts if isinstance(part, str)))
        self.left_out_chars += max(0, len(text) - room)
        kept = text[:room]
        if kept and self.parts and isinstance(self.parts[-1], str):
            self.parts[-1] += kept
        elif kept:
            self.parts.append(kept)
        return kept

    def add_image(self, data: bytes | None, *, most: int) -> None:
        """Put a picture behind what came before it, up to `most` of them; None is one that cannot be shown."""
        if data is None:
            self.wrong_images += 1
        elif sum(isinstance(part, bytes) for part in self.parts) < most:
            self.parts.append(data)
        else:
            self.left_out_images += 1
