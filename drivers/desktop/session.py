"""One desktop for one run: a virtual one from its start to its end, or the operator's own, which is left as it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from drivers.desktop.driver import DesktopDriver
from drivers.desktop.support import own_display
from drivers.desktop.virtual import VirtualDesktop, VirtualOptions, what_is_missing
from drivers.desktop.xserver import DesktopMissing

FIRST_WINDOW_SECS = 15.0
"""How long a program may take to show its first window; then the run begins without."""


@dataclass(frozen=True)
class DesktopOptions:
    """The same options open the same desktop."""

    virtual: bool = True
    """False: the operator's own."""
    size: tuple[int, int] = (1280, 800)
    """Of a virtual one, in pixels."""
    programs: tuple[tuple[str, ...], ...] = ()
    """Started on a virtual one before the run begins."""
    window: str | None = None
    """Only the window whose title or program holds these words."""
    picture_at_most: tuple[int, int] | None = None
    """Pictures are scaled down to fit."""
    keeper: tuple[str, ...] | None = field(default=None, repr=False)
    """As in :class:`VirtualOptions`."""


@dataclass(frozen=True)
class Desktop:
    """An open desktop."""

    driver: DesktopDriver
    environment: dict[str, str]
    """What a program needs to appear on it."""


def missing(options: DesktopOptions) -> str | None:
    """Why this desktop cannot be had here, in words; None when it can."""
    if options.virtual:
        return what_is_missing()
    try:
        own_display()
    except LookupError as reason:
        return str(reason.args[0])
    return None


@asynccontextmanager
async def open_desktop(options: DesktopOptions) -> AsyncIterator[Desktop]:
    """Raises :class:`DesktopMissing` where it cannot be had; a virtual one is gone, with its programs, afterwards."""
    if (reason := missing(options)) is not None:
        raise DesktopMissing(reason)
    if not options.virtual:
        driver = await _driver(own_display(), options)
        try:
            yield Desktop(driver, {})
        finally:
            await driver.close()
        return
    virtual = await VirtualDesktop.open(VirtualOptions(options.size, options.keeper))
    try:
        driver = await _driver(virtual.display, options)
        try:
            for program in options.programs:
                await virtual.run(program)
            if options.programs:
                await driver.first_window(FIRST_WINDOW_SECS)
            yield Desktop(driver, {"DISPLAY": virtual.display, "XAUTHORITY": virtual.access})
        finally:
            try:
                # First the screen: a question to it that is still open ends with it.
                await virtual.close()
            finally:
                await driver.close()
    finally:
        await virtual.close()


async def _driver(display: str, options: DesktopOptions) -> DesktopDriver:
    where = "virtual desktop" if options.virtual else "your own desktop"
    return await asyncio.to_thread(
        lambda: DesktopDriver(
            display,
            where=where,
            is_ours=options.virtual,
            window=options.window,
            picture_at_most=options.picture_at_most,
        )
    )
