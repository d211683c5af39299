"""A virtual desktop for a test, with ways to wait for what appears on it."""

import asyncio
import contextlib
import io
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
import pytest_asyncio
from PIL import Image

from drivers.desktop.driver import DesktopDriver
from drivers.desktop.virtual import VirtualDesktop, VirtualOptions, what_is_missing
from drivers.errors import NotDone
from tests.helpers import coloured_window, editor

NEEDS_DESKTOP = pytest.mark.skipif(what_is_missing() is not None, reason=what_is_missing() or "")
BARE = (0, 0, 0)
"""The desktop where no window has painted."""
LATE_SECS = 60.0
LOOK_SECS = 0.03
T = TypeVar("T")


async def soon(look: Callable[[], Awaitable[T]], fits: Callable[[T], bool] = bool) -> T:
    """The first thing seen that fits."""
    for _ in range(int(LATE_SECS / LOOK_SECS)):
        if fits(seen := await look()):
            return seen
        await asyncio.sleep(LOOK_SECS)
    raise TimeoutError(f"never came; the last seen was {seen!r}")


async def soon_true(look: Callable[[], object]) -> None:
    """Wait until a plain question is answered with something true."""
    await soon(lambda: asyncio.to_thread(look))


class Bench:
    """A virtual desktop, a driver on it, and a text editor that fills it."""

    def __init__(self, virtual: VirtualDesktop, driver: DesktopDriver, notes: Path) -> None:
        self.virtual = virtual
        self.driver = driver
        self.notes = notes

    async def until(self, shown: Callable[[Image.Image], bool]) -> Image.Image:
        """The first picture that fits."""
        return await soon(self.picture, shown)

    async def picture(self) -> Image.Image:
        """The desktop now."""
        return Image.open(io.BytesIO((await self.driver.picture()).data)).convert("RGB")

    async def window(self, name: str, colour: str, *box: int) -> None:
        """Show a window of a colour and wait until it is seen, in whatever way it is seen."""

        def middle(picture: Image.Image) -> object:
            scale = picture.width / 1280
            return picture.getpixel((int((box[0] + box[2] / 2) * scale), int((box[1] + box[3] / 2) * scale)))

        # The editor has the keys before it has painted itself, which must not pass for the new window.
        before = await self.until(lambda picture: middle(picture) != BARE)
        command = (sys.executable, coloured_window.__file__, name, colour, *map(str, box))
        await self.virtual.run(command)
        await self.until(lambda picture: middle(picture) != middle(before))

    async def holds(self, text: str) -> None:
        """Wait until the editor holds exactly this."""
        await soon(lambda: asyncio.to_thread(self.notes.read_text, "utf-8"), lambda held: held == text)

    async def editor(self) -> None:
        """Start the editor, and wait until it has the keys."""
        self.notes.write_text("", encoding="utf-8")
        await self.virtual.run((sys.executable, editor.__file__, str(self.notes)))
        await soon(self._has_keys, lambda seen: seen == "editor")

    async def _has_keys(self) -> str:
        try:
            seen = await self.driver.expect_focus()
        except NotDone:
            return "a window that may not be used"
        return seen.label if seen is not None else "nothing"


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def desktop(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """One desktop with the editor on it for a whole module."""
    await asyncio.to_thread(int)  # the loop's own thread exists before the first test, which would leave it behind
    async with a_desktop(tmp_path_factory.mktemp("desktop")) as bench:
        yield bench


class a_desktop:
    """A desktop of one's own, with the editor on it."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self._folder = folder
        self._options = options

    async def __aenter__(self) -> Bench:
        # What was opened before something goes wrong is closed, too: left behind it would fail another test.
        async with contextlib.AsyncExitStack() as stack:
            virtual = await VirtualDesktop.open(VirtualOptions())
            stack.push_async_callback(virtual.close)
            driver = DesktopDriver(virtual.display, where="a desktop", is_ours=True, **self._options)
            stack.push_async_callback(driver.close)
            # First the screen, which a second close does not mind.
            stack.push_async_callback(virtual.close)
            bench = Bench(virtual, driver, self._folder / "notes.txt")
            await bench.editor()
            self._open = stack.pop_all()
        return bench

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()
