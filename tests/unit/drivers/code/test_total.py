"""The memory of all processes of a sandbox together, each of which keeps to its own bound."""

import asyncio
import os
import shutil
import sys
import textwrap
from pathlib import Path

import pytest

from drivers.code.environment import DIED, TOO_MANY, TOO_MUCH, CodeEnvironment
from drivers.code.isolation import Isolation
from drivers.code.limits import CodeLimits
from drivers.code.total import bounded, held_by, scope_program

BOUND = 'cd "/sys/fs/cgroup$(cut -d: -f3- /proc/self/cgroup | head -n 1)"; cat memory.max pids.max'
HOLDING = (
    "import subprocess, sys, time\n"
    "held = [subprocess.Popen([sys.executable, '-c', 'x = b\"y\" * 40_000_000; import time; time.sleep(60)'])\n"
    "        for _ in range(6)]\n"
    "time.sleep(60)"
)


async def test_what_they_hold_together_is_bounded(isolated: Isolation) -> None:
    environment = CodeEnvironment(isolated, CodeLimits(call_secs=50.0, memory_mb=128, total_mb=160, file_mb=8))
    try:
        result = await environment.run(HOLDING)
        assert result.lost
        assert result.error is not None
        assert result.error == TOO_MUCH.format(mb=160) or scope_program() is not None
        assert (await environment.run("log(7)")).parts == ["7\n"]
    finally:
        await environment.aclose()


@pytest.mark.skipif(scope_program() is None, reason="systemd-run --user makes no control group here that bounds memory")
async def test_where_there_is_a_control_group_the_kernel_bounds_them_together(isolated: Isolation) -> None:
    line, environment = bounded(["/bin/sh", "-c", BOUND], total_bytes=100 * 2**20, processes=9)
    shown = await asyncio.create_subprocess_exec(
        *line, env={**os.environ, **environment}, stdout=asyncio.subprocess.PIPE
    )
    assert (await shown.communicate())[0].split() == [str(100 * 2**20).encode(), b"13"]
    held = CodeEnvironment(isolated, CodeLimits(call_secs=50.0, memory_mb=512, total_mb=160, file_mb=8))
    try:
        # Faster than anybody could add it up.
        result = await held.run("x = b'y' * 400_000_000")
        assert result.lost
        assert result.error == DIED
    finally:
        await held.aclose()


@pytest.mark.skipif(shutil.which("systemd-run") is None, reason="systemd-run is not installed")
def test_a_systemd_that_bounds_nothing_is_not_relied_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real one, asked in a folder in which no manager listens."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    scope_program.cache_clear()
    try:
        assert scope_program() is None
        assert bounded(["true"], total_bytes=1, processes=1) == (["true"], {})
    finally:
        scope_program.cache_clear()


async def test_more_processes_than_may_be_are_ended_where_the_system_does_not_count_them(isolated: Isolation) -> None:
    environment = CodeEnvironment(isolated, CodeLimits(call_secs=50.0, processes=8))
    try:
        result = await environment.run(
            "import os, time\nfor _ in range(60):\n    if os.fork() == 0: time.sleep(60)\ntime.sleep(60)"
        )
        assert result.error is not None
        assert result.error == TOO_MANY.format(most=8) or "temporarily unavailable" in result.error
    finally:
        await environment.aclose()


async def test_empty_files_are_counted_for_what_the_kernel_holds_of_them(isolated: Isolation) -> None:
    environment = CodeEnvironment(isolated, CodeLimits(call_secs=50.0))
    try:
        await environment.run("pass")
        assert environment._process is not None
        before = held_by(environment._process.pid)[0]
        many, large = "for n in range(20_000): open(str(n), 'x').close()", "open('y', 'wb').write(bytes(10**7))"
        result = await environment.run(f"{many}\n{large}")
        assert result.error is None, result.error
        assert held_by(environment._process.pid)[0] - before > 25_000_000
    finally:
        await environment.aclose()


async def test_what_is_left_going_between_calls_is_bounded_too_and_the_next_call_says_so(isolated: Isolation) -> None:
    environment = CodeEnvironment(isolated, CodeLimits(call_secs=50.0, memory_mb=128, total_mb=160, file_mb=8))
    # Not before the call has ended, however slow that is.
    hold = textwrap.indent(f"import time\nwhile log.__self__._running: time.sleep(0.01)\n{HOLDING}", "    ")
    try:
        begun = await environment.run(f"import threading\ndef hold():\n{hold}\nthreading.Thread(target=hold).start()")
        assert begun.error is None
        assert environment._process is not None
        await environment._process._process.wait()
        result = await environment.run("log(7)")
        assert result.parts == ["7\n"]
        assert result.before in (TOO_MUCH.format(mb=160), DIED)
    finally:
        await environment.aclose()


def test_a_process_is_counted_with_what_it_holds() -> None:
    before = held_by(os.getpid())[0]
    held = b"y" * 50_000_000
    assert held_by(os.getpid())[0] - before > 40_000_000
    del held


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files of memory")
def test_files_of_memory_are_counted_where_no_sandbox_forbids_them() -> None:
    before = held_by(os.getpid())[0]
    held = os.memfd_create("x")
    try:
        os.write(held, bytes(50_000_000))
        assert held_by(os.getpid())[0] - before > 40_000_000
    finally:
        os.close(held)
