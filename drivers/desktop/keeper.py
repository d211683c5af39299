"""A process of its own that keeps a virtual desktop: its X server, its window manager and its programs.

It ends all of them, whatever they have started in their turn, when its standard input ends: also when the program that
started it was killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import secrets
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from drivers.own_folder import OwnFolder

START_SECS = 20.0
END_SECS = 0.5
_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36
_FAMILY_LOCAL, _FAMILY_WILD = 256, 65535
_KEPT = ("PATH", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "LD_LIBRARY_PATH")


class Keeper:
    """One virtual desktop, from its start to its end."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = order
        self._own = OwnFolder("desktop")
        self._folder = self._own.path
        self._server: subprocess.Popen[bytes] | None = None
        self._environment: dict[str, str] = {}

    def start(self) -> str:
        """Start the server, the window manager and the programs; the display's name."""
        cookie = secrets.token_bytes(16)
        access = self._folder / "access"
        self._write_access(access, [(_FAMILY_WILD, b"", b"")], cookie)
        name = f":{self._start_server(access)}"
        entries = [(_FAMILY_LOCAL, socket.gethostname().encode(), name[1:].encode()), (_FAMILY_WILD, b"", b"")]
        self._write_access(access, entries, cookie)
        self._environment = self._own_environment(name, access)
        self._furnish(name, access)
        return name

    def _furnish(self, name: str, access: Path) -> None:
        """Let this user in and start the window manager.

        The cookie opens the door once; from then on this user's programs come in by who they are, and nobody else: the
        picture library cannot be handed a cookie, and this process's own environment is not the console's.
        """
        from drivers.desktop.xserver import XServer

        os.environ["XAUTHORITY"] = str(access)
        server = XServer(name)
        try:
            server.let_in_own_user()
            self.run(self._order["manager"])
            if not server.has_manager(START_SECS):
                raise RuntimeError("its window manager did not start")
        finally:
            server.close()

    def run(self, command: list[str]) -> None:
        """Start one program on the desktop."""
        subprocess.Popen(
            command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )

    def _start_server(self, access: Path) -> int:
        reading, writing = os.pipe()
        width, height = self._order["size"]
        command = [self._order["server"], "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24"]
        command += ["-nolisten", "tcp", "-auth", str(access), "-noreset"]
        self._server = subprocess.Popen(
            command,
            pass_fds=(writing,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )
        os.close(writing)
        with os.fdopen(reading, "rb") as told:
            ready, _, _ = select.select([told], [], [], START_SECS)
            line = told.readline() if ready else b""
        if not line.strip():
            raise RuntimeError("the virtual screen did not start")
        return int(line)

    def _own_environment(self, display: str, access: Path) -> dict[str, str]:
        """No key, no way to another desktop's session, and a home that is thrown away."""
        kept = {k: v for k, v in os.environ.items() if k in _KEPT or k.startswith("LC_")}
        folders = {"HOME": "home", "XDG_RUNTIME_DIR": "run", "TMPDIR": "tmp"}
        made = {name: str(self._folder / folder) for name, folder in folders.items()}
        for folder in made.values():
            os.mkdir(folder, 0o700)
        plain = {"GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "XDG_SESSION_TYPE": "x11", "NO_AT_BRIDGE": "1"}
        session = {"DISPLAY": display, "XAUTHORITY": str(access), "DBUS_SESSION_BUS_ADDRESS": "disabled:"}
        return {**kept, **plain, **made, **session}

    @staticmethod
    def _write_access(path: Path, entries: list[tuple[int, bytes, bytes]], cookie: bytes) -> None:
        parts = []
        for family, address, number in entries:
            parts.append(struct.pack(">H", family))
            parts += [struct.pack(">H", len(one)) + one for one in (address, number, b"MIT-MAGIC-COOKIE-1", cookie)]
        new = path.with_suffix(".new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(b"".join(parts))
        os.replace(new, path)

    @property
    def access(self) -> str:
        """The file with the cookie."""
        return self._environment["XAUTHORITY"]

    def alive(self) -> bool:
        """Whether the screen is still there; programs that have ended are buried."""
        while True:
            try:
                gone, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if gone == 0:
                return True
            if self._server is not None and gone == self._server.pid:
                return False

    def end(self) -> None:
        """End every program, then the server, and leave nothing behind."""
        server = self._server.pid if self._server is not None else None
        self._all_gone({server} if server is not None else set())
        if server is not None:
            # Asked kindly, it takes its sockets and its lock away with it.
            with contextlib.suppress(ProcessLookupError):
                os.kill(server, signal.SIGTERM)
        self._all_gone(set())
        self._own.close()

    def _all_gone(self, spared: set[int]) -> None:
        """Ask, then force, until no descendant but the spared ones is left."""
        asked: set[int] = set()
        until = time.monotonic() + END_SECS
        while left := _descendants() - spared:
            hard = time.monotonic() > until
            for pid in left - (set() if hard else asked):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL if hard else signal.SIGTERM)
            asked |= left
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            time.sleep(0.01)


def _die_with_parent() -> None:
    """Were the keeper killed itself, nothing that it started would outlive it."""
    ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def _descendants() -> set[int]:
    """Every process below this one; what lost its parent has become a child of this one."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            with contextlib.suppress(OSError, ValueError):
                stat = Path(f"/proc/{entry}/stat").read_text(errors="replace")
                state, parent = stat[stat.rindex(")") + 2 :].split(None, 2)[:2]
                if state != "Z":
                    parents[int(entry)] = int(parent)
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid()}


def keep() -> None:
    """Read one order from standard input, keep the desktop until it ends, and then end everything."""
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, 1)
    for passed_over in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        # A handler and not "ignore", which every program started from here would inherit.
        signal.signal(passed_over, lambda *_: None)
    lines = _Lines()
    first = lines.next(None)
    if not first:
        return
    keeper = Keeper(first)
    try:
        try:
            _say({"display": keeper.start(), "access": keeper.access})
        except (OSError, RuntimeError, ValueError) as problem:
            _say({"problem": str(problem)})
            return
        while keeper.alive():
            order = lines.next(0.5)
            if order == {}:
                return
            if order is not None:
                _obey(keeper, order)
    finally:
        keeper.end()


def _obey(keeper: Keeper, order: dict[str, Any]) -> None:
    try:
        keeper.run(order["run"])
        _say({"ran": order["run"][0]})
    except OSError as problem:
        _say({"problem": f"{order['run'][0]}: {problem.strerror}"})


class _Lines:
    """Orders, one line of JSON each."""

    def __init__(self) -> None:
        self._rest = b""

    def next(self, secs: float | None) -> dict[str, Any] | None:
        """The next order; None when there is none within `secs`; empty when there will be none."""
        while b"\n" not in self._rest:
            ready, _, _ = select.select([0], [], [], secs)
            if not ready:
                return None
            more = os.read(0, 65536)
            if not more:
                return {}
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        order: dict[str, Any] = json.loads(line)
        return order


def _say(words: dict[str, str]) -> None:
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(json.dumps(words) + "\n")
        sys.stdout.flush()
