"""From the question to its first paint, and from the click to the driver: the console against a bare dialog, in turn.

Offscreen, and on an X server with a window manager where `Xvfb` and `openbox` are installed.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from tests.benchmarks.rows import Fact, Line, Row, hand_over, median, share

ROUNDS = 3
COUNT = 34
"""Asks of one round: a hundred and two in all, so that a p99 is not the one worst."""
FLOOR, LIVE_FLOOR, PRODUCT = SIDES = ("ask_floor", "ask_floor live", "ask_product")
"""The second tells how much of the product's time a live picture takes: the same dialog beside one."""

Samples = dict[str, list[float]]


def measure() -> list[Line]:
    """Both on each platform that there is."""
    lines = _on("offscreen", {"QT_QPA_PLATFORM": "offscreen"}, ROUNDS)
    missing = [name for name in ("Xvfb", "openbox") if shutil.which(name) is None]
    if missing:
        return [*lines, Fact(f"asks on xcb: not measured (no {' and no '.join(missing)} here)")]
    with _display() as display:
        return lines + _on("xcb", {"QT_QPA_PLATFORM": "xcb", "DISPLAY": display}, ROUNDS)


def _on(platform: str, environment: dict[str, str], rounds: int) -> list[Line]:
    found: dict[str, Samples] = {side: {} for side in SIDES}
    for _ in range(rounds):
        for side in SIDES:
            for name, samples in _once(side, environment).items():
                found[side].setdefault(name, []).extend(samples)
    floor, live, product = found[FLOOR], found[LIVE_FLOOR], found[PRODUCT]
    count = len(product["painted"])
    decision = median(product["decision"])
    return [
        Row(f"ask -> card's first paint, {platform}", median(floor["painted"]), median(product["painted"]), 2, count),
        Row(
            f"the same, beside a live picture, {platform}",
            median(live["painted"]),
            median(product["painted"]),
            None,
            count,
        ),
        Row(
            f"click -> driver entered, {platform}",
            median(floor["entered"]),
            median(product["entered"]),
            3,
            count,
            allowance=decision,
        ),
        Fact(
            f"asks, {platform}: an ask is durable after {median(product['recorded']):.2f} ms (with its picture), a "
            f"decision after {decision:.2f} ms; the card is painted {-median(product['left']):.2f} ms before its ask "
            f"is durable, and its picture {median(product['pictured']):.0f} ms after it was announced"
        ),
        Fact(_spread("ask -> card's first paint", platform, floor["painted"], product["painted"])),
        Fact(_spread("click -> driver entered", platform, floor["entered"], product["entered"])),
    ]


def _spread(what: str, platform: str, floor: list[float], product: list[float]) -> str:
    said = [
        f"{side} {median(samples):.1f} / {share(samples, 95):.1f} / {share(samples, 99):.1f} ms"
        for side, samples in (("floor", floor), ("product", product))
    ]
    return f"{what}, {platform}, median / p95 / p99: {', '.join(said)}"


def _once(side: str, environment: dict[str, str]) -> Samples:
    module, *more = side.split()
    done = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.{module}", str(COUNT), *more],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=240,
    )
    samples: Any = json.loads(done.stdout.splitlines()[-1])
    return dict(samples)


@contextlib.contextmanager
def _display() -> Iterator[str]:
    """An X server of our own on the first free display, with a window manager."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1920x1080x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        try:
            with open(reading, encoding="ascii") as said:
                number = said.readline().strip()
            if not number:
                raise ValueError("the X server did not start")
            display = f":{number}"
            environment = {**os.environ, "DISPLAY": display}
            with subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL) as manager:
                try:
                    yield display
                finally:
                    manager.terminate()
        finally:
            server.terminate()


if __name__ == "__main__":
    hand_over(measure)
