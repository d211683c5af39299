"""What kind of machine this is: its distribution, and who may install packages on it."""

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass

T64_PACKAGES = frozenset(
    {"libasound2", "libatk-bridge2.0-0", "libatk1.0-0", "libatspi2.0-0", "libcups2", "libglib2.0-0"}
)
"""Libraries whose packages took a new name where times got 64 bits on all machines: Debian 13, Ubuntu 24.04."""


@dataclass(frozen=True)
class System:
    """The machine as far as getting packages goes; nothing of it changes while the doctor runs."""

    distribution: str
    """`ID` of os-release on Linux ("debian", "ubuntu"), else "macos", "windows" or whatever it is called."""
    version: tuple[int, ...]
    is_root: bool
    has_apt: bool
    has_free_sudo: bool
    """Whether `sudo` works without asking for a password."""

    @property
    def may_install(self) -> bool:
        """Whether this user can install Debian packages here without being asked anything."""
        return self.has_apt and (self.is_root or self.has_free_sudo)

    def package(self, name: str) -> str:
        """The name of the Debian 12 package `name` on this distribution."""
        first_new = {"debian": (13,), "ubuntu": (24, 4)}.get(self.distribution)
        is_new = first_new is not None and (not self.version or self.version >= first_new)
        return f"{name}t64" if is_new and name in T64_PACKAGES else name


def this_system() -> System:
    """The machine this process runs on."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if sys.platform != "linux":
        name = {"darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
        return System(name, (), is_root, has_apt=False, has_free_sudo=False)
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    digits = release.get("VERSION_ID", "").split(".")
    version = tuple(int(part) for part in digits if part.isdigit())
    has_apt = shutil.which("apt-get") is not None
    return System(release.get("ID", "linux"), version, is_root, has_apt, has_apt and not is_root and _sudo_is_free())


def outside_environment() -> dict[str, str]:
    """The environment for programs of the system: a frozen program's own library path is taken out again."""
    env = dict(os.environ)
    if getattr(sys, "frozen", False):
        own = env.pop("LD_LIBRARY_PATH", None)
        if own is not None and (original := env.pop("LD_LIBRARY_PATH_ORIG", None)):
            env["LD_LIBRARY_PATH"] = original
    return env


def _sudo_is_free() -> bool:
    sudo = shutil.which("sudo")
    if sudo is None:
        return False
    return subprocess.run([sudo, "-n", "true"], capture_output=True, timeout=30, check=False).returncode == 0
