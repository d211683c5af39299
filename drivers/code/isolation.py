"""How the process that runs code is shut off: by bubblewrap, on Linux. Without it nothing runs unasked."""

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from drivers.code.bubblewrap import bubblewrap, can_forbid_nesting, refusal
from drivers.errors import SandboxUnavailable

Language = Literal["py", "js"]

WORKER = Path(__file__).with_name("worker.py")
START_JS = Path(__file__).with_name("start_js.py")
WORKER_JS = Path(__file__).with_name("worker.js")

INSIDE_WORKER = "/run/worker.py"
INSIDE_START_JS = "/run/start_js.py"
INSIDE_WORKER_JS = "/run/worker.js"
INSIDE_NODE = "/run/node"
INSIDE_PACKAGES = "/run/packages"
INSIDE_FOLDER = "/folder"
SCRATCH = "/scratch"

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/alternatives")
_HIDDEN = (
    "/proc/keys",
    "/proc/key-users",
    "/proc/kallsyms",
    "/proc/kpagecount",
    "/proc/kpageflags",
    "/proc/vmallocinfo",
)
"""Tells of the whole machine; most of it only where the console runs as root."""
_PACKAGES = ("PIL", "pillow.libs")
"""What code may import beside Python's own library."""


@dataclass(frozen=True)
class Isolation:
    """A way to run the worker. `words` say what it keeps out, for people."""

    words: str
    bubblewrap: str | None
    shown: Path | None = None
    """A folder that may be read inside, and not written to."""


def isolation(*, required: bool) -> Isolation:
    """The isolation that can be had here.

    Raises:
        SandboxUnavailable: it is required and cannot be had, or there is nothing to run code in.
    """
    if getattr(sys, "frozen", False):
        raise SandboxUnavailable("the frozen program brings no Python that code could run in: install the package")
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


def command(chosen: Isolation, *, language: Language = "py", file_mb: int, filter_from: int) -> list[str]:
    """The command line that starts the worker of that language; `filter_from`: the descriptor to read its filter from.

    Raises:
        SandboxUnavailable: there is nothing here that runs the language.
    """
    node = node_program() if language == "js" else None
    if chosen.bubblewrap is None:
        worker = [str(START_JS), str(node), str(WORKER_JS)] if node is not None else [str(WORKER)]
        return [sys.executable, "-I", "-u", *worker]
    line = [chosen.bubblewrap, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
    if can_forbid_nesting(chosen.bubblewrap):
        # Whoever may make a namespace inside is root in it, and could mount file systems of any size.
        line += ["--unshare-user", "--disable-userns"]
    line += ["--seccomp", str(filter_from)]
    line += ["--uid", "65534", "--gid", "65534", "--hostname", "sandbox"]
    for place in (*_SYSTEM, sys.base_prefix):
        line += ["--ro-bind-try", place, place]
    given, worker = _worker(node)
    for outside, inside in given.items():
        line += ["--ro-bind", outside, inside]
    line += ["--proc", "/proc", "--dev", "/dev"]
    for place in _HIDDEN:
        line += ["--ro-bind", "/dev/null", place] if Path(place).exists() else []
    if chosen.shown is not None:
        line += ["--ro-bind", str(chosen.shown), INSIDE_FOLDER]
    line += ["--size", str(file_mb * 1024 * 1024), "--tmpfs", SCRATCH, "--chdir", SCRATCH]
    for name, value in _environment().items():
        line += ["--setenv", name, value]
    # Nothing above may be written to: without this the root of the new file system is, `/dev/shm` without a bound, and,
    # where the console runs as root, each setting of the system below `/proc/sys`.
    line += ["--remount-ro", "/", "--remount-ro", "/dev", "--remount-ro", "/proc"]
    return [*line, _python(), "-s", "-u", *worker]


def node_program() -> Path:
    """The Node that Playwright brings along.

    Raises:
        SandboxUnavailable: it is not there, or cannot be used on this system.
    """
    spec = find_spec("playwright")
    folder = Path(spec.origin).parent / "driver" if spec is not None and spec.origin is not None else None
    node = folder / "node" if folder is not None else None
    if sys.platform == "win32":
        raise SandboxUnavailable("exec_js is not there for Windows")
    if node is None or not node.is_file():
        raise SandboxUnavailable(
            "exec_js needs the Node that the package playwright brings along, and there is none here"
        )
    return node


def _worker(node: Path | None) -> tuple[dict[str, str], list[str]]:
    """What the worker needs inside, by its place outside; and what follows Python on the command line."""
    if node is None:
        packages = {str(package): f"{INSIDE_PACKAGES}/{package.name}" for package in _packages()}
        return {**packages, str(WORKER): INSIDE_WORKER}, [INSIDE_WORKER]
    given = {str(node): INSIDE_NODE, str(START_JS): INSIDE_START_JS, str(WORKER_JS): INSIDE_WORKER_JS}
    return given, [INSIDE_START_JS, INSIDE_NODE, INSIDE_WORKER_JS]


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
