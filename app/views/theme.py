"""The colours of the window, light and dark. No Qt: the numbers alone, so that tests can measure them."""

from dataclasses import dataclass, fields
from typing import Literal

Tone = Literal["text", "dim", "accent", "clear", "hold", "danger"]
"""`clear` is allowed or done, `hold` is waiting, `danger` is denied or failed. A word stands beside each."""


@dataclass(frozen=True)
class Theme:
    """One set of colours as ``#RRGGBB``; every text tone keeps 4.5 : 1 on background, panel and soft."""

    name: Literal["light", "dark"]
    background: str
    panel: str
    soft: str
    line: str
    edge: str
    """Outlines of what can be pressed or typed into: 3 : 1 on the panel, unlike `line`, which only divides."""
    text: str
    dim: str
    accent: str
    clear: str
    hold: str
    danger: str
    stage: str

    def tone(self, tone: Tone) -> str:
        """The colour of a text tone."""
        colour: str = getattr(self, tone)
        return colour

    def colours(self) -> dict[str, str]:
        """Every colour by its token, for the style sheet."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "name"}


LIGHT = Theme(
    name="light",
    background="#F4F5F7",
    panel="#FFFFFF",
    soft="#EEF1F5",
    line="#DDE1E6",
    edge="#868F9A",
    text="#1B1F24",
    dim="#5B6570",
    accent="#2457C5",
    clear="#197746",
    hold="#8A5D00",
    danger="#B3261E",
    stage="#E4E8ED",
)

DARK = Theme(
    name="dark",
    background="#15181C",
    panel="#1D2126",
    soft="#252A31",
    line="#30363D",
    edge="#6B7682",
    text="#E6EAEF",
    dim="#9AA4AF",
    accent="#7FA8FF",
    clear="#4CC38A",
    hold="#E3B341",
    danger="#FF8A80",
    stage="#0F1215",
)

TARGET_BOX = "#E8590C"
TARGET_BOX_WIDTH = 3
"""In device-independent pixels."""
TARGET_BOX_GAP = 6
"""How far outside the target its box is drawn, in device-independent pixels."""


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two ``#RRGGBB`` colours by WCAG 2, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
