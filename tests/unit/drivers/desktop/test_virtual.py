"""A virtual desktop is closed to others, holds no key, and is gone with all its programs, however its console ends."""

import asyncio
import json
import os
import select
import shutil
import signal
import socket
import sys
from pathlib import Path

import pytest
from Xlib import X

from drivers.desktop.virtual import VirtualDesktop, VirtualOptions
from drivers.desktop.xserver import DesktopMissing, XServer
from tests.unit.drivers.desktop.conftest import LATE_SECS, NEEDS_DESKTOP, soon_true

pytestmark = NEEDS_DESKTOP

TELLS = """
import json, os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.close(0)
        told = {"pid": os.getpid(), "env": dict(os.environ)}
        open(sys.argv[1] + ".new", "w").write(json.dumps(told))
        os.replace(sys.argv[1] + ".new", sys.argv[1])
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.pause()
    os._exit(0)
"""
"""A program that leaves its parent and its session, will not end when asked, and tells its environment."""

CONSOLE = """
import asyncio, sys
from drivers.desktop.virtual import VirtualDesktop, VirtualOptions
async def main():
    desktop = await VirtualDesktop.open(VirtualOptions())
    await desktop.run([sys.executable, "-c", sys.argv[1], sys.argv[2]])
    print(desktop.display, flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""


def told_apart(path: Path) -> tuple[int, int] | None:
    """Which of all files that ever had this name it is; None: there is none."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_ctime_ns


def told_in(path: Path) -> dict[str, object]:
    """What the program told."""
    found: dict[str, object] = json.loads(path.read_text())
    return found


async def test_it_is_this_user_s_alone_and_holds_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await asyncio.to_thread(int)
    monkeypatch.setenv("OPENAI_API_KEY", "a key that nobody may see")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/the/operators/own")
    desktop = await VirtualDesktop.open(VirtualOptions(size=(900, 700)))
    told = tmp_path / "told"
    try:
        await desktop.run([sys.executable, "-c", TELLS, str(told)])
        await soon_true(told.exists)
        server = XServer(desktop.display)
        assert server.size == (900, 700)
        hosts = server.display.list_hosts()
        assert hosts.mode == X.EnableAccess
        assert [bytes(host.name) for host in hosts.hosts] == [f"localuser\0#{os.getuid()}".encode()]
        server.close()
        with socket.socket() as tcp, pytest.raises(ConnectionRefusedError):
            tcp.connect(("127.0.0.1", 6000 + int(desktop.display[1:])))
        found = told_in(told)
        env = found["env"]
        assert isinstance(env, dict)
        assert "a key that nobody may see" not in env.values()
        assert env["DBUS_SESSION_BUS_ADDRESS"] == "disabled:"
        home = Path(env["HOME"])
        assert os.stat(home).st_mode & 0o077 == 0
        assert os.stat(desktop.access).st_mode & 0o077 == 0
        handle = os.pidfd_open(int(str(found["pid"])))
    finally:
        await desktop.close()
    # Ended and awaited before close returned.
    assert select.select([handle], [], [], 0)[0]
    os.close(handle)
    assert home.parent.name not in os.listdir(home.parents[1])


async def test_a_program_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    desktop = await VirtualDesktop.open(VirtualOptions())
    try:
        with pytest.raises(DesktopMissing, match="no-such-program-here: No such file"):
            await desktop.run(["no-such-program-here"])
    finally:
        await desktop.close()


async def test_a_killed_console_leaves_nothing_of_it(tmp_path: Path) -> None:
    told = tmp_path / "told"
    console = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", CONSOLE, TELLS, str(told)),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
    )
    assert console.stdout is not None
    display = (await console.stdout.readline()).decode().strip()
    await soon_true(told.exists)
    found = told_in(told)
    program = os.pidfd_open(int(str(found["pid"])))
    env = found["env"]
    assert isinstance(env, dict)
    socket_path = Path("/tmp/.X11-unix") / f"X{display[1:]}"
    ours = told_apart(socket_path)
    assert ours is not None
    console.send_signal(signal.SIGKILL)
    await console.wait()
    assert await asyncio.to_thread(lambda: select.select([program], [], [], LATE_SECS)[0])
    os.close(program)
    # The number of its display is free again, and another test's desktop may have it at once.
    await soon_true(lambda: told_apart(socket_path) != ours and not Path(env["HOME"]).parent.exists())


async def test_it_is_open_when_its_window_manager_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program shows before that is found by the manager when it starts, and may never get the keys."""
    (slow := tmp_path / "openbox").write_text(f"#!/bin/sh\nsleep 1\nexec {shutil.which('openbox')}\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    desktop = await VirtualDesktop.open(VirtualOptions())
    try:
        server = await asyncio.to_thread(XServer, desktop.display)
        assert server.cards(server.root, "_NET_SUPPORTING_WM_CHECK")
        server.close()
    finally:
        await desktop.close()
