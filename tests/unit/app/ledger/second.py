"""Starts the second process and ends it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[4]


@contextmanager
def second_process(path: Path, *what: str) -> Iterator[subprocess.Popen[str]]:
    """Running from here on; killed at the latest at the end."""
    command = [sys.executable, "-m", "tests.unit.app.ledger.other_process", str(path), *what]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def next_line(process: subprocess.Popen[str]) -> str:
    """What it says next."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def tell(process: subprocess.Popen[str], line: str) -> None:
    """Let it read a line."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
