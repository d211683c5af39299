"""Runs with the console's own tools: patches in a folder, commands in the sandbox."""

from pathlib import Path
from typing import Any

import pytest

from drivers.code.isolation import isolation
from drivers.code.limits import CodeLimits
from drivers.code.shell import SandboxShell
from drivers.errors import SandboxUnavailable
from tests.unit.app.runner.harness import Run
from tests.unit.app.runner.programs.scripts import (
    played,
    script,
)

BOTH = ("direct", "programmatic")
POEM = "roses\nviolets\n"


def run_with(plan: dict[str, Any], answers: list[Any], folder: Path, **more: Any) -> Run:
    """A run with these tables; `folder` lies in the folder of its record."""
    keys, tools = more.pop("keys", {}), more.pop("tools", [])
    return played(
        script(*answers, programs=True, **keys),
        folder.parent,
        tools,
        plan=lambda the_plan: the_plan.model_copy(update=plan),
        **more,
    )


def sandboxed(folder: Path | None) -> SandboxShell:
    """The sandbox of this machine; skips the test where there is none."""
    try:
        isolated = isolation(required=True)
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))
    return SandboxShell(isolated, CodeLimits(call_secs=20, memory_mb=512), folder)
