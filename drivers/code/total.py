"""The memory of all processes of one sandbox together: bounded by the system where it can be, watched where not."""

import contextlib
import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from drivers.code.isolation import SCRATCH

FILE_BYTES = 1024
"""So much of the kernel's own memory a file in memory takes, about."""
PROBE_SECS = 10.0
PROBE_BYTES = 64 * 1024 * 1024
_KEPT = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
"""What systemd-run needs to find the user's manager. The sandbox clears it away."""

_BOUND = 'cat "/sys/fs/cgroup$(cut -d: -f3- /proc/self/cgroup | head -n 1)/memory.max"'
_COUNTED = re.compile(r"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$", re.MULTILINE)
_THREADS = re.compile(r"^Threads:\s+(\d+)$", re.MULTILINE)
_PARENT = re.compile(r"^PPid:\s+(\d+)$", re.MULTILINE)


@functools.cache
def scope_program() -> str | None:
    """systemd-run, where it really can bound the memory of what it starts (control groups, version 2); else None."""
    program = shutil.which("systemd-run") if sys.platform == "linux" else None
    if program is None or "XDG_RUNTIME_DIR" not in os.environ:
        return None
    tried = [*_scope(program, PROBE_BYTES, 8), "/bin/sh", "-c", _BOUND]
    try:
        done = subprocess.run(tried, capture_output=True, timeout=PROBE_SECS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return program if done.stdout.strip() == str(PROBE_BYTES).encode("ascii") else None


def bounded(command: list[str], *, total_bytes: int, processes: int) -> tuple[list[str], dict[str, str]]:
    """`command` in a control group of its own where there can be one, and the environment that this needs."""
    if (program := scope_program()) is None:
        return command, {}
    # What holds the sandbox counts among its processes.
    line = [*_scope(program, total_bytes, processes + 4), *command]
    return line, {name: os.environ[name] for name in _KEPT if name in os.environ}


def _scope(program: str, total_bytes: int, processes: int) -> list[str]:
    bounds = [f"MemoryMax={total_bytes}", "MemorySwapMax=0", f"TasksMax={processes}"]
    return [program, "--user", "--scope", "--quiet", "--collect", *(f"--property={one}" for one in bounds), "--"]


def held_by(pid: int) -> tuple[int, int]:
    """Bytes that the process and all that descend from it hold for themselves, files in memory included; their threads.

    Linux only. What several of them share counts for each.
    """
    parents: dict[int, int] = {}
    held: dict[int, int] = {}
    threads: dict[int, int] = {}
    for entry in Path("/proc").iterdir() if sys.platform == "linux" else ():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                status = (entry / "status").read_text("utf-8", "replace")
                parents[int(entry.name)] = int(found[1]) if (found := _PARENT.search(status)) else 0
                threads[int(entry.name)] = int(found[1]) if (found := _THREADS.search(status)) else 1
                held[int(entry.name)] = 1024 * sum(map(int, _COUNTED.findall(status)))
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    held_bytes = _scratch(family) + sum(held.get(one, 0) + _memory_files(one) for one in family)
    return held_bytes, sum(threads.get(one, 0) for one in family)


def _scratch(family: set[int]) -> int:
    """The scratch folder is memory too, and each file in it takes some of the kernel's, however small it is."""
    with contextlib.suppress(OSError):
        own = Path("/proc/self/ns/mnt").stat().st_ino
        for one in family:
            with contextlib.suppress(OSError):
                if Path(f"/proc/{one}/ns/mnt").stat().st_ino != own:
                    found = os.statvfs(f"/proc/{one}/root{SCRATCH}")
                    used = (found.f_blocks - found.f_bfree) * found.f_frsize
                    return used + (found.f_files - found.f_ffree) * FILE_BYTES
    return 0


def _memory_files(pid: int) -> int:
    found: dict[int, int] = {}
    with contextlib.suppress(OSError):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if str(link.readlink()).startswith("/memfd:"):
                    file = link.stat()
                    found[file.st_ino] = file.st_blocks * 512
    return sum(found.values())
