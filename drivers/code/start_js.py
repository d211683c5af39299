"""Starts Node inside the sandbox, for `worker.js`: gives it private pipes, and its bounds as soon as these can be told.

A program of its own on Python's standard library: ``start_js.py NODE WORKER``.
"""

import json
import os
import re
import subprocess
import sys
import threading
from typing import IO

INNER = (3, 4, 5, 6)
"""Descriptors in the worker: from the console, to the console, to this process, from this process."""


def first_line() -> bytes:
    """The bounds; not a byte more is taken from the pipe."""
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(0, 1)):
        line += byte
    return line


def bound(limits: dict[str, int]) -> None:
    """What holds from the start on, for this process and what it starts."""
    try:
        import resource
    except ImportError:
        return
    named = {"processes": "RLIMIT_NPROC", "file_bytes": "RLIMIT_FSIZE", "open_files": "RLIMIT_NOFILE"}
    for key, name in named.items():
        if limits.get(key) and hasattr(resource, name):
            resource.setrlimit(getattr(resource, name), (limits[key], limits[key]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def bound_memory(pid: int, memory_bytes: int) -> None:
    """Node reserves a gigabyte for code that it may make, and uses little of it: the bound comes on top of that."""
    try:
        import resource

        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            reserved = re.search(r"VmData:\s+(\d+) kB", status.read())
    except (ImportError, OSError):
        return
    if reserved is not None and hasattr(resource, "prlimit"):
        most = int(reserved[1]) * 1024 + memory_bytes
        resource.prlimit(pid, resource.RLIMIT_DATA, (most, most))


def pass_on(words: IO[bytes], ready: threading.Event) -> None:
    """Why Node does not start is for the console to read. What is written there later nobody reads."""
    while data := os.read(words.fileno(), 4096):
        if not ready.is_set():
            os.write(2, data)


def main() -> None:
    """Ends when Node has ended."""
    node, worker = sys.argv[1:3]
    limits = json.loads(first_line())["limits"]
    bound(limits)
    pipes = [*os.pipe(), *os.pipe()]
    # Out of the way of those that they become.
    from_worker, to_starter, from_starter, to_worker = (os.dup2(one, 20 + at) for at, one in enumerate(pipes))
    for one in pipes:
        os.close(one)
    for inner, one in zip(INNER, (0, 1, to_starter, from_starter), strict=True):
        os.dup2(one, inner)
    heap_mb = limits["memory_bytes"] // (1024 * 1024)
    process = subprocess.Popen(
        [node, f"--max-old-space-size={heap_mb}", "--no-warnings", "--no-addons", worker],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=INNER,
    )
    for one in (*INNER, to_starter, from_starter):
        os.close(one)
    ready = threading.Event()
    threading.Thread(target=pass_on, args=(process.stderr, ready), daemon=True).start()
    if os.read(from_worker, 1):
        ready.set()
        bound_memory(process.pid, limits["memory_bytes"])
        os.write(to_worker, b"x")
    process.wait()


if __name__ == "__main__":
    main()
