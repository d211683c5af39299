"""A real key store of the system for a test: GNOME Keyring on a bus of its own, with a home folder of its own."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

NEEDED = ("dbus-daemon", "dbus-send", "gnome-keyring-daemon")
ASK_BUS = (
    "dbus-send",
    "--session",
    "--print-reply",
    "--dest=org.freedesktop.DBus",
    "/",
    "org.freedesktop.DBus.NameHasOwner",
    "string:org.freedesktop.secrets",
)
LOOK_AGAIN_SECS, MOST_LOOKS = 0.05, 600
ENDS_WITHIN_SECS = 20


class CannotStart(Exception):
    """Something in the way of this machine keeps it from starting; says what."""


def missing() -> str:
    """Why there can be no such store on this machine; empty where there can."""
    absent = [program for program in NEEDED if shutil.which(program) is None]
    return f"needs {' and '.join(absent)}" if absent else ""


@contextlib.contextmanager
def key_store(folder: Path) -> Iterator[dict[str, str]]:
    """Start one in `folder`, unlocked. Yields the environment in which programs find it; ends it afterwards.

    Raises:
        CannotStart: it cannot be had here, although its programs are.
    """
    home = folder / "person"
    home.mkdir(parents=True)
    # Sockets lie there, whose paths may not be long.
    with (
        tempfile.TemporaryDirectory(prefix="bus-") as runtime,
        _bus(home, runtime) as own,
        _keyring({**os.environ, **own}),
    ):
        yield {**own, "PYTHON_KEYRING_BACKEND": "keyring.backends.SecretService.Keyring"}


@contextlib.contextmanager
def _bus(home: Path, runtime: str) -> Iterator[dict[str, str]]:
    own = {
        "HOME": str(home),
        "XDG_RUNTIME_DIR": runtime,
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
    }
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address=unix:path={runtime}/bus"],
        env={**os.environ, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert bus.stdout is not None
        own["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        if not own["DBUS_SESSION_BUS_ADDRESS"]:
            raise CannotStart("the bus did not come up")
        yield own
    finally:
        _end(bus)


@contextlib.contextmanager
def _keyring(environment: dict[str, str]) -> Iterator[None]:
    """The password of its one collection comes on standard input."""
    daemon = subprocess.Popen(
        ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert daemon.stdin is not None
        daemon.stdin.write("a password of a test")
        daemon.stdin.close()
        _wait_until_it_answers(daemon, environment)
        yield
    finally:
        _end(daemon)


def _wait_until_it_answers(daemon: "subprocess.Popen[str]", environment: dict[str, str]) -> None:
    """It says nothing by itself when it listens: the bus is asked whether anybody has taken its name."""
    for _ in range(MOST_LOOKS):
        asked = subprocess.run(ASK_BUS, env=environment, capture_output=True, text=True, check=False)
        if "boolean true" in asked.stdout:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            daemon.wait(LOOK_AGAIN_SECS)
            break
    raise CannotStart("the key store did not come up")


def _end(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.wait(ENDS_WITHIN_SECS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
