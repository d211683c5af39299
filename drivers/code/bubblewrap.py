"""Looks for bubblewrap and for what it may do on this system. Loads little else, so that the doctor can ask too."""

import functools
import shutil
import subprocess
import sys

from drivers.code.syscalls import UnknownMachine, handed_over, system_call_filter

PROBE_SECS = 10.0
WORDS_CHARS = 300


def bubblewrap() -> str | None:
    """Where it is, or None."""
    return shutil.which("bwrap") if sys.platform == "linux" else None


@functools.cache
def refusal(program: str) -> str | None:
    """Why it can shut nothing off here, in its own words; None when it can. Kernels and containers may forbid it."""
    tried = [program, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    try:
        with handed_over(system_call_filter()) as descriptor:
            tried += ["--remount-ro", "/proc", "--seccomp", str(descriptor), "true"]
            done = subprocess.run(tried, capture_output=True, timeout=PROBE_SECS, check=False, pass_fds=(descriptor,))
    except UnknownMachine as unknown:
        return str(unknown)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return f"bubblewrap does not start ({type(problem).__name__})"
    said = done.stderr.decode("utf-8", "replace").strip()[:WORDS_CHARS]
    return None if done.returncode == 0 else said or "bubblewrap makes none"


@functools.cache
def can_forbid_nesting(program: str) -> bool:
    """Whether this one (0.8 and newer) can keep what is inside from making user namespaces of its own."""
    try:
        said = subprocess.run([program, "--help"], capture_output=True, timeout=PROBE_SECS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"--disable-userns" in said.stdout + said.stderr
