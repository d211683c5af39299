"""Questions that load what they ask about, each answered in a process of its own: a crash there is an answer, too.

`ask` starts that process: an interpreter, or a frozen program's own doctor with the question in its environment.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

TIMEOUT_SECS = 60.0
QUESTION_VARIABLE = "SIGNALBOX_DOCTOR_QUESTION"

Answer = dict[str, Any]


class ProbeFailedError(Exception):
    """The thing asked about could not be loaded or used; the text is the last line it left, with no traceback."""


def ask(question: str, env: Mapping[str, str] | None = None) -> Answer:
    """The answer to one of `QUESTIONS`.

    Raises:
        ProbeFailedError: it could not be answered; the text says why.
    """
    given = dict(os.environ if env is None else env)
    if getattr(sys, "frozen", False):
        command = [sys.executable, "doctor"]
        given[QUESTION_VARIABLE] = question
    else:
        # -P and PYTHONPATH: this package answers, not one of the same name in the current folder.
        command = [sys.executable, "-P", "-c", f"from app.doctor.probes import reply; reply({question!r})"]
        given["PYTHONPATH"] = str(Path(__file__).parents[2])
    try:
        done = subprocess.run(command, env=given, capture_output=True, text=True, timeout=TIMEOUT_SECS, check=False)
    except subprocess.TimeoutExpired:
        raise ProbeFailedError(f"no answer within {TIMEOUT_SECS:.0f} s") from None
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        words = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("[PYI-")]
        raise ProbeFailedError(words[-1].strip().rstrip(".") if words else f"ended with code {done.returncode}")
    answer: Answer = json.loads(lines[-1])
    return answer


def qt() -> Answer:
    """Qt's version, and whether its fonts can show Chinese, Japanese, Korean and emoji."""
    import PySide6
    from PySide6.QtGui import QFontDatabase
    from PySide6.QtWidgets import QApplication

    program = QApplication([])
    scripts = QFontDatabase.WritingSystem
    cjk = [scripts.SimplifiedChinese, scripts.TraditionalChinese, scripts.Japanese, scripts.Korean]
    answer = {
        "version": PySide6.__version__,
        "platform": program.platformName(),
        "cjk": all(QFontDatabase.families(script) for script in cjk),
        "emoji": any("emoji" in family.lower() for family in QFontDatabase.families()),
    }
    program.shutdown()
    return answer


def sqlite() -> Answer:
    """SQLite's version."""
    import sqlite3

    return {"version": sqlite3.sqlite_version}


def playwright() -> Answer:
    """Playwright's version, from the program of its own that it starts for each session."""
    from playwright._impl._driver import compute_driver_executable

    done = subprocess.run(
        [*compute_driver_executable(), "--version"], capture_output=True, text=True, timeout=TIMEOUT_SECS, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"its program ended with code {done.returncode}")
    return {"version": done.stdout.split()[-1]}


def browser() -> Answer:
    """Which browser a run would use, if any."""
    from drivers.browser.launch import find_browser

    found = find_browser()
    if found is None:
        return {"path": None}
    return {"path": str(found.path), "name": found.name, "found_by": found.found_by}


QUESTIONS: Mapping[str, Callable[[], Answer]] = {
    "qt": qt,
    "sqlite": sqlite,
    "playwright": playwright,
    "browser": browser,
}


def reply(question: str) -> None:
    """Write the answer to `question` to standard output: the other end of `ask`."""
    sys.stdout.write(json.dumps(QUESTIONS[question]()) + "\n")
