"""What is said where a desktop cannot be driven."""

import sys

import pytest

from drivers.desktop.support import own_display

TABLE = [
    ("linux", {"DISPLAY": ":7"}, ":7"),
    ("linux", {"DISPLAY": ":7", "XDG_SESSION_TYPE": "x11"}, ":7"),
    ("linux", {}, "There is no display to drive"),
    ("linux", {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "This is a Wayland session"),
    ("linux", {"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"}, "This is a Wayland session"),
    ("darwin", {}, "not on macOS"),
    ("win32", {"DISPLAY": ":0"}, "not on Windows"),
]


@pytest.mark.parametrize(("system", "env", "said"), TABLE)
def test_it_is_a_display_or_words(system: str, env: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    if said.startswith(":"):
        assert own_display(env) == said
        return
    with pytest.raises(LookupError, match=said):
        own_display(env)
