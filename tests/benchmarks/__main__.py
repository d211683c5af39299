"""``python -m tests.benchmarks [NAME...]``: measures in one process after the other and prints one table.

The exit code is 0 whatever the ratios are, and 1 when something could not be measured.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.folder import VARIABLE
from tests.benchmarks.rows import Fact, Line, Row, table, taken_over

ROOT = Path(__file__).parents[2]
MODULES = {
    "supervised": "supervised",
    "asks": "asks",
    "saves": "saves",
    "first-paint": "first_paint",
    "stalls": "stalls",
    "opening": "opening",
    "driver": "driver",
    "desktop": "desktop",
    "code": "code_calls",
}
"""Name on the command line to module; each is also a program that prints its lines."""

MOST_SECS = 1200
"""A machine that is busy with other things takes several times as long as a quiet one."""


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all."""
    unknown = [name for name in names if name not in MODULES]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}. There are: {', '.join(MODULES)}", file=sys.stderr)
        return 2
    lines: list[Line] = []
    failed: list[str] = []
    for name in names or MODULES:
        began = time.monotonic()
        print(f"{name} …", end=" ", file=sys.stderr, flush=True)
        try:
            found = _measured(MODULES[name])
        except (subprocess.SubprocessError, ValueError) as problem:
            failed.append(name)
            found = [Fact(f"{name}: not measured ({problem})")]
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        lines += found
        if not any(isinstance(line, Row) for line in found) and name not in failed:
            failed.append(name)
    print(table(lines))
    for name in failed:
        print(f"could not be measured: {name}", file=sys.stderr)
    return 1 if failed else 0


def _measured(module: str) -> list[Line]:
    with tempfile.TemporaryDirectory(prefix="signalbox-bench-") as home:
        environment = {
            "QT_QPA_PLATFORM": "offscreen",
            "QT_LOGGING_RULES": "default.warning=false",
            "NO_PROXY": "127.0.0.1,localhost",
            **os.environ,
            "SIGNALBOX_HOME": home,
            VARIABLE: home,
        }
        done = subprocess.run(
            [sys.executable, "-m", f"tests.benchmarks.{module}"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            timeout=MOST_SECS,
            check=True,
        )
    return taken_over(done.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
