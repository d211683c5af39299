"""Every text tone can be read on every surface it stands on, in both themes."""

import pytest

from app.views.theme import DARK, LIGHT, Theme, Tone, contrast

TONES: tuple[Tone, ...] = ("text", "dim", "accent", "clear", "hold", "danger")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("tone", TONES)
@pytest.mark.parametrize("surface", ["background", "panel", "soft", "stage"])
def test_text_keeps_four_and_a_half_to_one(theme: Theme, tone: Tone, surface: str) -> None:
    assert contrast(theme.tone(tone), getattr(theme, surface)) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_what_can_be_pressed_has_an_outline_that_shows(theme: Theme) -> None:
    assert contrast(theme.edge, theme.panel) >= 3


def test_contrast_knows_its_ends() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#777777") == 1
