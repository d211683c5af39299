"""How the process that runs code is shut off: by bubblewrap, on Linux. Without it nothing runs unasked."""

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from drivers.code.bubblewrap import bubblewrap, can_forbid_nesting, refusal
from drivers.errors import SandboxUnavailable

WORKER = Path(__file__).with_name("worker.py")

INSIDE_WORKER = "/run/worker.py"
INSIDE_PACKAGES = "/run/packages"
SCRATCH = "/scratch"

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/alternatives")
_PACKAGES = ("PIL", "pillow.libs")
"""What code may import beside Python's own library."""


@dataclass(frozen=True)
class Isolation:
    """A way to run the worker. `words` say what it keeps out, for people."""

    words: str
    bubblewrap: str | None


def isolation(*, required: bool) -> Isolation:
    """The isolation that can be had here.

    Raises:
        SandboxUnavailable: it is required and cannot be had.
    """
    found = bubblewrap()
    words = "install the package bubblewrap" if sys.platform == "linux" else "there is none for this system"
    if found is not None:
        why_not = refusal(found)
        if why_not is None:
            return Isolation("own file system, no network, own processes, no keys", found)
        words = why_not
    if required:
        raise SandboxUnavailable(f"code is run in a sandbox only, and none can be had here: {words}")
    return Isolation("NOT isolated: the code can do what you can do", None)


def command(chosen: Isolation, *, file_mb: int) -> list[str]:
    """The command line that starts the worker."""
    if chosen.bubblewrap is None:
        return [sys.executable, "-I", "-u", str(WORKER)]
    line = [chosen.bubblewrap, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
    if can_forbid_nesting(chosen.bubblewrap):
        # Whoever may make a namespace inside is root in it, and could mount file systems of any size.
        line += ["--unshare-user", "--disable-userns"]
    line += ["--uid", "65534", "--gid", "65534", "--hostname", "sandbox"]
    for place in (*_SYSTEM, sys.base_prefix):
        line += ["--ro-bind-try", place, place]
    for package in _packages():
        line += ["--ro-bind", str(package), f"{INSIDE_PACKAGES}/{package.name}"]
    line += ["--ro-bind", str(WORKER), INSIDE_WORKER, "--proc", "/proc", "--dev", "/dev"]
    line += ["--size", str(file_mb * 1024 * 1024), "--tmpfs", SCRATCH, "--chdir", SCRATCH]
    for name, value in _environment().items():
        line += ["--setenv", name, value]
    # Nothing above may be written to: without this the root of the new file system is, and `/dev/shm` without a bound.
    line += ["--remount-ro", "/", "--remount-ro", "/dev"]
    return [*line, _python(), "-s", "-u", INSIDE_WORKER]


def _environment() -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "LANG": "C.UTF-8",
        "PYTHONPATH": INSIDE_PACKAGES,
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _python() -> str:
    """The interpreter itself, not a link in a virtual environment, whose folder is not there inside."""
    return str(Path(sys.executable).resolve())


def _packages() -> list[Path]:
    spec = find_spec("PIL")
    if spec is None or spec.origin is None:
        return []
    folder = Path(spec.origin).parent.parent
    return [folder / name for name in _PACKAGES if (folder / name).is_dir()]
