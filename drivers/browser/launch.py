"""Which browser is started and how: finding one on this machine, and the flags and environment it gets."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from drivers.errors import BrowserMissing, SandboxUnavailable

if TYPE_CHECKING:
    from drivers.browser.guard import Guard

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-domain-reliability",
    "--dns-prefetch-disable",
    "--no-pings",
    "--safebrowsing-disable-auto-update",
    "--disable-smooth-scrolling",
    # The browser itself asks for updates and for an account at every start, whatever else is switched off.
    "--component-updater=url-source=http://127.0.0.1:1/,disable-background-downloads",
    "--gaia-url=http://127.0.0.1:1",
    # The same twice: newer ones know only the first name, older ones only the second.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
"""Quiet on a closed network, and the same on every machine."""

_KEPT_ENVIRONMENT = frozenset(
    name
    for line in (
        "PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP DISPLAY XAUTHORITY WAYLAND_DISPLAY",
        "DBUS_SESSION_BUS_ADDRESS FONTCONFIG_FILE FONTCONFIG_PATH SYSTEMROOT WINDIR SYSTEMDRIVE LOCALAPPDATA APPDATA",
        "USERPROFILE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMSPEC NUMBER_OF_PROCESSORS",
        "PROCESSOR_ARCHITECTURE",
    )
    for name in line.split()
)
_KEPT_PREFIXES = ("LC_", "XDG_")


@dataclass(frozen=True)
class BrowserFound:
    """A browser on this machine that the driver can start."""

    name: str
    """What people call it: "Chromium", "Google Chrome", "Microsoft Edge"."""
    path: Path
    found_by: str
    """How it was found, in words for ``signalbox doctor``."""


@dataclass(frozen=True)
class LaunchOptions:
    """How a browser session is started; the same options start the same session."""

    headless: bool = True
    executable_path: str | None = None
    """None takes what :func:`find_browser` finds."""
    sandbox: bool | None = None
    """None means on; root on Linux has to choose False in so many words."""
    viewport: tuple[int, int] = (1280, 800)
    """Width and height in CSS pixels."""
    device_scale: float = 1.0
    allow_private_network: bool = True
    """False refuses private, link-local and loopback addresses, judged by the address really connected to."""
    request_guard: Guard | None = None
    """Asked before each request leaves, each hop of a redirect included; must be quick. None allows all."""
    downloads: Path | None = None
    """Folder that granted downloads are put into; None makes a temporary one, gone after close."""
    locale: str | None = None
    shown_on: dict[str, str] = field(default_factory=dict)
    """Variables that name the display of a browser that is not headless; empty: this program's own."""
    extra_flags: tuple[str, ...] = ()

    @property
    def is_kept(self) -> bool:
        """Whether it may not go just anywhere."""
        return self.request_guard is not None or not self.allow_private_network


def find_browser() -> BrowserFound | None:
    """The browser to use: Playwright's own Chromium, else an installed Chrome, Chromium or Edge."""
    for candidate in (*_bundled(), *_installed()):
        # Unlike a path's own question, this one is answered also where a folder on the way may not be looked into.
        if os.path.isfile(candidate.path) and os.access(candidate.path, os.X_OK):
            return candidate
    return None


def executable(options: LaunchOptions) -> str:
    """The path to start, or :class:`BrowserMissing` in words that name the remedy."""
    if options.executable_path is not None:
        if not os.path.isfile(options.executable_path):
            raise BrowserMissing(f"There is no browser at {options.executable_path}.")
        return options.executable_path
    found = find_browser()
    if found is None:
        raise BrowserMissing("No browser was found. Install Chrome, Chromium or Edge, or run: signalbox doctor --fix")
    return str(found.path)


def sandbox_wanted(options: LaunchOptions) -> bool:
    """Whether the sandbox is on; as root on Linux only an explicit False goes on without it."""
    if options.sandbox is False:
        return False
    if sys.platform == "linux" and os.geteuid() == 0:
        raise SandboxUnavailable(
            "Chromium cannot use its sandbox as root. Start as an ordinary user, "
            "or say sandbox = false explicitly: then the browser runs without it."
        )
    return True


def environment() -> dict[str, str | float | bool]:
    """What the browser process sees of the environment: a short list, so no key can be among it."""
    return {
        k: v for k, v in os.environ.items() if k.upper() in _KEPT_ENVIRONMENT or k.upper().startswith(_KEPT_PREFIXES)
    }


def _bundled() -> Iterator[BrowserFound]:
    # Where nobody knows a home this stays "~", in which there is nothing; a path's own question would be an error.
    home = Path(os.path.expanduser("~"))
    configured = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if configured and configured != "0":
        root = Path(configured)
    elif sys.platform == "darwin":
        root = home / "Library/Caches/ms-playwright"
    elif sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA", home / "AppData/Local")) / "ms-playwright"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "ms-playwright"
    names = ("chrome-linux*/chrome", "chrome-win*/chrome.exe", "chrome-mac*/*.app/Contents/MacOS/*")
    revisions = sorted(root.glob("chromium-*"), key=lambda p: p.name, reverse=True) if os.path.isdir(root) else []
    for revision in revisions:
        for name in names:
            for path in sorted(revision.glob(name)):
                yield BrowserFound("Chromium", path, "downloaded by Playwright")


def _installed() -> Iterator[BrowserFound]:
    on_path = (
        ("google-chrome-stable", "Google Chrome"),
        ("google-chrome", "Google Chrome"),
        ("chromium", "Chromium"),
        ("chromium-browser", "Chromium"),
        ("microsoft-edge-stable", "Microsoft Edge"),
        ("microsoft-edge", "Microsoft Edge"),
    )
    for command, name in on_path:
        where = shutil.which(command)
        if where:
            yield BrowserFound(name, Path(where), f"installed as {command}")
    if sys.platform == "darwin":
        for name in ("Google Chrome", "Chromium", "Microsoft Edge"):
            yield BrowserFound(
                name, Path(f"/Applications/{name}.app/Contents/MacOS/{name}"), "installed in Applications"
            )
    if sys.platform == "win32":
        parts = (
            ("Google/Chrome/Application/chrome.exe", "Google Chrome"),
            ("Chromium/Application/chrome.exe", "Chromium"),
            ("Microsoft/Edge/Application/msedge.exe", "Microsoft Edge"),
        )
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            base = os.environ.get(variable)
            for part, name in parts if base else ():
                yield BrowserFound(name, Path(base or "") / part, f"installed under %{variable}%")
