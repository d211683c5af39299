"""Whatever stands in the window, it can be made as low as a small screen is."""

import pytest
from pytestqt.qtbot import QtBot

from app.core.value import call_digest
from app.views import layout
from app.views.live_run import LiveRun
from app.views.window import ConsoleWindow
from tests.helpers.journals import booking
from tests.views.debugger.test_debug_bar import hold
from tests.views.test_live_run import Begin, begin

__all__ = ["begin"]

LONG = "Geschwindigkeitsbegrenzungsüberwachung "
SCREEN, SCREEN_LARGE_LETTERS = (1280, 720), (853, 480)
"""The second is the first with letters half as large again: a screen counts in its own pixels then."""


def all_at_once(window: ConsoleWindow) -> None:
    """A hold with long words of its own, notices, and who may take control."""
    live = window.findChild(LiveRun)
    assert live is not None
    assert window.stage is not None
    arguments = {"text": LONG * 400}
    asked = hold()
    assert asked.step is not None
    step = asked.step.model_copy(
        update={"stage": "request", "text": LONG * 8, "left_out": tuple(f"call_{n}_{LONG}" for n in range(9))}
    )
    live.debugger.ask_held(
        asked.model_copy(update={"step": step, "arguments": arguments, "digest": call_digest("type", arguments)})
    )
    window.stage.say_notes([LONG * 7] * 8)
    window.stage.control.setVisible(True)


def least(window: ConsoleWindow) -> tuple[int, int]:
    laid_out = window.layout()
    assert laid_out is not None
    laid_out.activate()
    hint = window.minimumSizeHint()
    return hint.width(), hint.height()


@pytest.mark.parametrize("screen", [SCREEN, SCREEN_LARGE_LETTERS], ids=["usual", "large letters"])
def test_a_held_run_with_much_to_say_fits(
    begin: Begin, qtbot: QtBot, screen: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    width, height = screen[0], screen[1] - layout.TITLE_BAR
    monkeypatch.setattr(layout, "is_low", lambda window: height < layout.LOW)
    _run, window = begin(booking())
    with qtbot.waitExposed(window):
        window.resize(width, height)
    window.default_layout()
    before = least(window)
    all_at_once(window)
    for wide in (width, 960):
        window.resize(min(wide, width), height)
        assert least(window)[0] <= width, before
        assert least(window)[1] <= height, before
    assert window.debug_bar is not None
    assert window.debug_bar.words.text() == "Held before the request"
    assert window.stage is not None
    assert window.stage.picture.height() >= window.stage.picture.minimumHeight()
