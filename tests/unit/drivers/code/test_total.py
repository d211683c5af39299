"""The memory of all processes of a sandbox together, each of which keeps to its own bound."""

import os
import sys
import textwrap

import pytest

from drivers.code.environment import DIED, TOO_MANY, TOO_MUCH, CodeEnvironment
from drivers.code.isolation import Isolation
from drivers.code.limits import CodeLimits
from drivers.code.total import held_by, scope_program

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


async def test_what_is_left_going_between_calls_is_bounded_too_and_the_next_call_says_so(isolated: Isolation) -> None:
    environment = CodeEnvironment(isolated, CodeLimits(call_secs=50.0, memory_mb=128, total_mb=160, file_mb=8))
    hold = textwrap.indent(HOLDING, "    ")
    try:
        begun = await environment.run(f"import threading\ndef hold():\n{hold}\nthreading.Timer(0.5, hold).start()")
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
