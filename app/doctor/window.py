"""Whether Qt loads here, where its windows would appear, and whether its fonts can show what people must read."""

import os
import sys
from pathlib import Path

from app.display import platforms, why_no_window
from app.doctor.finding import Finding, State
from app.doctor.libraries import missing_libraries, packages_for, qt_binaries
from app.doctor.probes import Answer, ProbeFailedError, ask
from app.doctor.system import System

FONT_PACKAGES = {"cjk": "fonts-noto-cjk", "emoji": "fonts-noto-color-emoji"}
ON_A_SCREEN = ("xcb", "wayland")
NAMES_OF_SCRIPTS = {"cjk": "Chinese, Japanese and Korean", "emoji": "emoji"}


def check_qt(system: System, home: Path) -> Finding:
    """Whether Qt loads and can draw offscreen; a version that would end this Python counts as missing."""
    try:
        version = str(_ask_qt("offscreen")["version"])
    except ProbeFailedError as refused:
        return _lacking("Qt", f"Qt does not load: {refused}.", qt_binaries("offscreen"), State.MISSING)
    if version.startswith("6.12.") and sys.version_info < (3, 12):
        return Finding(
            what="Qt",
            state=State.MISSING,
            says=f"PySide6 {version} ends this Python ({sys.version_info.major}.{sys.version_info.minor}) in mid-run.",
            get='Run: python -m pip install "PySide6-Essentials<6.12"',
        )
    return Finding(what="Qt", state=State.OK, says=f"PySide6 {version}")


def check_display(system: System, home: Path) -> Finding:
    """Where windows would appear: on a screen, or offscreen, which is no fault but worth knowing."""
    tried = platforms()
    if tried == ["native"]:
        return Finding(what="Display", state=State.OK, says="The system's own.")
    for plugin in tried:
        try:
            _ask_qt(plugin)
        except ProbeFailedError:
            continue
        if plugin in ON_A_SCREEN:
            return Finding(what="Display", state=State.OK, says=f"Windows open on it ({plugin}).")
        return Finding(what="Display", state=State.NOTE, says=f"QT_QPA_PLATFORM={plugin}: no window shows on a screen.")
    if not tried:
        says = "There is none. The demo then runs unattended and draws its window offscreen."
        return _lacking("Display", says, qt_binaries("xcb"), State.NOTE, get="Log in on a desktop to answer by hand.")
    # Qt's last words list all its plugins; what is wrong with the display tells more.
    says = why_no_window() or f"Qt opens no window on it ({', '.join(tried)})."
    binaries = [file for plugin in tried for file in qt_binaries(plugin)]
    get = "Log in on a desktop, or draw windows offscreen: QT_QPA_PLATFORM=offscreen"
    return _lacking("Display", says, binaries, State.MISSING, get=get)


def check_fonts(system: System, home: Path) -> Finding:
    """Whether text in all scripts shows as letters: nobody should approve boxes."""
    if system.distribution in {"macos", "windows"}:
        return Finding(what="Fonts", state=State.OK, says="The system's own.")
    try:
        answer = _ask_qt("offscreen")
    except ProbeFailedError:
        packages = tuple(FONT_PACKAGES.values())
        return Finding(what="Fonts", state=State.NOTE, says="Unknown until Qt loads.", packages=packages)
    absent = [script for script in FONT_PACKAGES if not answer[script]]
    if not absent:
        return Finding(what="Fonts", state=State.OK, says="Chinese, Japanese, Korean and emoji can be shown.")
    names = " and ".join(NAMES_OF_SCRIPTS[script] for script in absent)
    return Finding(
        what="Fonts",
        state=State.NOTE,
        says=f"No font shows {names}: such text appears as boxes, and nobody should approve what they cannot read.",
        packages=tuple(FONT_PACKAGES[script] for script in absent),
        get="Install the Noto fonts for these scripts.",
    )


def _ask_qt(plugin: str) -> Answer:
    return ask("qt", {**os.environ, "QT_QPA_PLATFORM": plugin})


def _lacking(what: str, says: str, binaries: list[Path], state: State, get: str = "") -> Finding:
    libraries = missing_libraries(binaries)
    if not libraries:
        return Finding(
            what=what, state=state, says=says, get=get or "Install the pinned packages again: make clean setup"
        )
    named = ", ".join(libraries) if state is State.MISSING else f"{len(libraries)} files"
    return Finding(
        what=what,
        state=state,
        says=f"{says} Libraries that its windows need and that are not here: {named}.",
        packages=packages_for(libraries),
        get=get or "Install the packages that hold these libraries.",
    )
