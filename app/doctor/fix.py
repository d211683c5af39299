"""Gets what is missing: a browser through Playwright, Debian packages through apt; says what it does."""

import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence

from app.doctor.finding import Finding
from app.doctor.system import System, outside_environment

DOWNLOAD_TIMEOUT_SECS = 900.0
INSTALL_TIMEOUT_SECS = 1800.0

Say = Callable[[str], None]


def download_browser(say: Say) -> bool:
    """Let Playwright download the Chromium it was made with; False where it cannot."""
    if getattr(sys, "frozen", False):
        return False
    say("Downloading Chromium (playwright install chromium) …")
    command = [sys.executable, "-P", "-m", "playwright", "install", "--no-shell", "chromium"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=DOWNLOAD_TIMEOUT_SECS, check=False)
    except subprocess.TimeoutExpired:
        say("The download took too long and was given up.")
        return False
    if done.returncode != 0:
        say("It cannot be downloaded from here.")
    return done.returncode == 0


def packages_of(findings: Iterable[Finding], system: System) -> list[str]:
    """The Debian packages that would help, under this distribution's names, sorted."""
    return sorted({system.package(name) for finding in findings for name in finding.packages})


def command_lines(packages: Sequence[str], *, with_sudo: bool) -> list[list[str]]:
    """The commands that install `packages`, in order."""
    sudo = ["sudo"] if with_sudo else []
    return [
        [*sudo, "apt-get", "update", "-q"],
        [*sudo, "apt-get", "install", "-q", "-y", "--no-install-recommends", *packages],
    ]


def line_for_people(packages: Sequence[str]) -> str:
    """One line to paste that installs `packages`."""
    return " && ".join(" ".join(part) for part in command_lines(packages, with_sudo=True))


def install_packages(packages: Sequence[str], system: System, say: Say) -> bool:
    """Install `packages`; False, with apt's last words said, where apt refused."""
    say(f"Installing {len(packages)} packages with their dependencies: {' '.join(packages)} …")
    env = {**outside_environment(), "DEBIAN_FRONTEND": "noninteractive"}
    for command in command_lines(packages, with_sudo=not system.is_root):
        try:
            done = subprocess.run(
                command,
                env=env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=INSTALL_TIMEOUT_SECS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            say(f"Took too long and was given up: {' '.join(command)}")
            return False
        if done.returncode != 0:
            say(f"Failed: {' '.join(command)}")
            for line in done.stderr.splitlines()[-5:]:
                say(f"  {line}")
            return False
    return True
