"""Commands run in the sandbox alone: what they say, how they end, what they cannot reach."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from drivers.code.isolation import Isolation
from drivers.code.limits import CodeLimits
from drivers.code.shell import CommandDone, SandboxShell

LIMITS = CodeLimits(call_secs=20.0, memory_mb=512, output_chars=1000, file_mb=8)


@pytest.fixture
async def shell(isolated: Isolation, tmp_path: Path) -> AsyncIterator[SandboxShell]:
    (tmp_path / "shown").mkdir()
    (tmp_path / "shown/a.txt").write_text("all of it\n")
    (tmp_path / "hidden.txt").write_text("secret")
    made = SandboxShell(isolated, LIMITS, tmp_path / "shown")
    yield made
    await made.aclose()


async def test_a_command_says_both_streams_and_how_it_ended(shell: SandboxShell) -> None:
    assert await shell.run("echo out; echo wrong >&2; exit 3") == CommandDone("out\n", "wrong\n", 3)
    assert await shell.run("kill -TERM $$") == CommandDone("", "", -15)


async def test_the_scratch_folder_stays_and_the_shown_one_can_only_be_read(shell: SandboxShell, tmp_path: Path) -> None:
    await shell.run("echo kept > note.txt")
    assert (await shell.run("cat note.txt /folder/a.txt")).stdout == "kept\nall of it\n"
    for command in ("echo x > /folder/a.txt", "rm /folder/a.txt", f"cat {tmp_path}/hidden.txt", "echo x > /etc/x"):
        assert (await shell.run(command)).exit_code != 0, command
    assert (tmp_path / "shown/a.txt").read_text() == "all of it\n"
    assert (await shell.run("env | grep -c OPENAI")).stdout == "0\n"


async def test_a_command_that_takes_too_long_is_ended_with_all_that_it_started(shell: SandboxShell) -> None:
    for secs in (0.3, 3.0, 20.0):
        done = await shell.run("echo begun; sleep 600 & sleep 600", secs=secs)
        if done.stdout:  # else it was ended before it began, on a machine that has others to serve
            break
    assert done == CommandDone("begun\n", "", None)
    assert "sleep" not in (await shell.run("for p in /proc/[0-9]*; do cat $p/comm; done")).stdout


async def test_what_is_said_is_bounded(shell: SandboxShell) -> None:
    done = await shell.run("yes ééé | head -c 100000", most_chars=50)
    assert done.stdout.endswith("\n(cut off here)")
    assert len(done.stdout) < 70
    assert len((await shell.run("yes | head -c 100000")).stdout) < 1100


async def test_a_command_that_ends_the_sandbox_is_told_and_the_next_has_a_new_one(isolated: Isolation) -> None:
    shell = SandboxShell(replace(isolated), LIMITS)
    try:
        lost = await shell.run("kill -9 $PPID")
        assert (lost.exit_code, lost.stderr[:17]) == (1, "the sandbox ended")
        assert (await shell.run("echo again")).stdout == "again\n"
    finally:
        await shell.aclose()
