"""Whether a window can be shown here, asked as Qt asks it: displays that are there, that are not, and that are none."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.display import NO_DISPLAY, is_chosen, platforms, why_no_window
from drivers.desktop.virtual import what_is_missing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")

BOTH = {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}


@pytest.mark.parametrize(
    ("env", "tried"),
    [
        ({"QT_QPA_PLATFORM": "offscreen:size=1x1"}, ["offscreen"]),
        ({"QT_QPA_PLATFORM": "Wayland;xcb", "DISPLAY": ":0"}, ["wayland", "xcb"]),
        ({"QT_QPA_PLATFORM": "", "DISPLAY": ":0"}, ["xcb"]),
        (BOTH, ["wayland", "xcb"]),
        ({"XDG_SESSION_TYPE": "wayland"}, ["wayland"]),
        ({}, []),
    ],
)
def test_what_qt_tries_and_in_which_order(env: dict[str, str], tried: list[str]) -> None:
    assert platforms(env) == tried
    assert is_chosen(env) == bool(env.get("QT_QPA_PLATFORM"))


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({}, NO_DISPLAY),
        ({"DISPLAY": ":64997"}, "nothing answers at the display :64997 (DISPLAY)"),
        ({"DISPLAY": "garbage"}, "'garbage' is no name of a display (DISPLAY)"),
        ({"DISPLAY": "127.0.0.1:59123"}, "nothing answers at the display 127.0.0.1:59123 (DISPLAY)"),
        ({"QT_QPA_PLATFORM": "xcb"}, "DISPLAY is not set"),
        ({"QT_QPA_PLATFORM": "wayland"}, "XDG_RUNTIME_DIR is not set"),
        (
            {"WAYLAND_DISPLAY": "/nowhere/wayland-0"},
            "nothing answers at the display /nowhere/wayland-0 (WAYLAND_DISPLAY)",
        ),
        (
            {"WAYLAND_DISPLAY": "/nowhere/1", "DISPLAY": ":64997"},
            "(WAYLAND_DISPLAY), or it lets nobody in from here; not",
        ),
    ],
)
def test_a_display_that_is_not_there_is_named(env: dict[str, str], words: str) -> None:
    assert words in why_no_window(env)


@pytest.mark.parametrize("named", ["offscreen", "xcb;offscreen", "offscreen:size=640x480", "no-plugin-of-this-name"])
def test_what_needs_no_display_is_left_to_qt(named: str) -> None:
    assert why_no_window({"QT_QPA_PLATFORM": named, "DISPLAY": ":64997"}) == ""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real X server that only a cookie opens, which is not in this process's environment."""
    reading, writing = os.pipe()
    # Whatever cookie: it must only be one that nobody here has.
    cookie = tmp_path_factory.mktemp("x") / "cookie"
    name, value = b"MIT-MAGIC-COOKIE-1", os.urandom(16)
    fields = [b"", b"", name, value]
    cookie.write_bytes(b"\xff\xff" + b"".join(len(one).to_bytes(2, "big") + one for one in fields))
    command = [
        "Xvfb",
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "640x480x24",
        "-nolisten",
        "tcp",
        "-auth",
        str(cookie),
    ]
    with tempfile.TemporaryFile() as said, subprocess.Popen(command, pass_fds=(writing,), stderr=said) as process:
        os.close(writing)
        with os.fdopen(reading) as told:
            yield f":{told.readline().strip()}|{cookie}"
        process.terminate()


@pytest.mark.skipif(what_is_missing() is not None, reason=what_is_missing() or "")
def test_a_display_that_is_there_counts_only_for_those_whom_it_lets_in(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    display, cookie = server.split("|")
    for access, name, words in (
        (tmp_path / "none", display, "or it lets nobody in"), (Path(cookie), f"{display}.0", ""),
        (Path(cookie), f"{display}.7", "has no such screen"),
    ):  # fmt: skip
        monkeypatch.setenv("XAUTHORITY", str(access))
        found = why_no_window({"DISPLAY": name})
        assert words in found
        assert bool(words) == bool(found)
    # What answers further down the list is enough, as it is for Qt.
    assert why_no_window({"WAYLAND_DISPLAY": "/nowhere/wayland-0", "DISPLAY": f"{display}.0"}) == ""
