"""Where a benchmark may write: the folder that `python -m tests.benchmarks` gives it, else a new one."""

import os
import tempfile
from pathlib import Path

VARIABLE = "SIGNALBOX_BENCH_FOLDER"


def work_folder() -> Path:
    """A folder on a real disk, as far as the machine's temporary folder is on one."""
    return Path(os.environ.get(VARIABLE) or tempfile.mkdtemp(prefix="signalbox-bench-"))
