"""A session starts only with its sandbox question settled, keeps no keys and no profile, and ends whatever happens."""

import asyncio
import contextlib
import os
import select
import sys
import uuid
from pathlib import Path

import pytest

from drivers.browser import launch
from drivers.browser.launch import LaunchOptions, find_browser
from drivers.browser.session import BrowserSession
from drivers.errors import BrowserError, BrowserMissing, NotDone, SandboxUnavailable
from tests.unit.drivers.conftest import OPTIONS


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="asks what holds for root")
async def test_root_must_say_that_the_sandbox_may_be_off() -> None:
    with pytest.raises(SandboxUnavailable, match="explicitly"):
        await BrowserSession.open(LaunchOptions())


async def test_a_missing_browser_is_named_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(BrowserMissing, match="nowhere"):
        await BrowserSession.open(LaunchOptions(sandbox=False, executable_path=str(tmp_path / "nowhere")))
    # A path that the system does not even look up: too long, or in a folder that may not be looked into.
    with pytest.raises(BrowserMissing, match="There is no browser at"):
        await BrowserSession.open(LaunchOptions(sandbox=False, executable_path=str(tmp_path / ("x" * 300))))


async def test_a_browser_that_will_not_start_is_said() -> None:
    with pytest.raises(BrowserMissing, match="could not be started"):
        await BrowserSession.open(LaunchOptions(sandbox=False, executable_path="/bin/false"))


def test_a_place_that_may_not_be_looked_into_holds_no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", f"/{'x' * 300}")
    found = find_browser()
    assert found is None or found.found_by != "downloaded by Playwright"


def test_an_installed_browser_is_found_and_told_how() -> None:
    found = find_browser()
    assert found is not None
    assert found.path.exists()
    assert found.found_by


def test_keys_are_kept_from_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "HTTPS_PROXY", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, "CANARY")
    assert [name for name, value in launch.environment().items() if value == "CANARY"] == ["XDG_RUNTIME_DIR"]


async def test_nothing_is_shared_between_two_sessions_and_closing_twice_is_fine() -> None:
    async with await BrowserSession.open(OPTIONS) as first, await BrowserSession.open(OPTIONS) as second:
        assert first.driver.tabs.active is not None
        assert second.driver.tabs.active is not None
        await first.driver.tabs.active.page.context.add_cookies(
            [{"name": "a", "value": "b", "url": "http://127.0.0.1:1/"}]
        )
        assert await second.driver.tabs.active.page.context.cookies() == []
        await first.close()
        await first.close()


async def test_a_session_whose_browser_died_says_so_and_still_closes() -> None:
    session = await BrowserSession.open(OPTIONS)
    await session._browser.close()
    assert (await session.driver.state())["tabs"] == []
    with pytest.raises(NotDone, match="no open tab"):
        await session.driver.read_page({"tab_id": None, "filter": "all"})
    with pytest.raises(BrowserError, match="no longer running"):
        await session.driver.new_tab({"url": None})
    await session.close()


CONSOLE = """
import asyncio
from drivers.browser.launch import LaunchOptions
from drivers.browser.session import BrowserSession

async def main():
    session = await BrowserSession.open(LaunchOptions(sandbox={sandbox}, extra_flags=("--marked-by-a-test={mark}",)))
    print("open", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def marked(mark: str) -> list[int]:
    """The processes that carry the mark on their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and mark.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
async def test_a_console_that_is_killed_leaves_no_browser() -> None:
    mark = uuid.uuid4().hex
    source = CONSOLE.format(sandbox=os.geteuid() != 0, mark=mark)
    console = await asyncio.create_subprocess_exec(
        sys.executable, "-c", source, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[4]
    )
    assert console.stdout is not None
    assert await console.stdout.readline() == b"open\n"
    handles = []
    for pid in marked(mark):
        with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
            handles += [os.pidfd_open(pid)] if pid != console.pid else []
    assert handles
    console.kill()
    await console.wait()
    for handle in handles:
        ready, _, _ = select.select([handle], [], [], 60)
        os.close(handle)
        assert ready
