"""A real sandboxed environment, or a reason why there is none here."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from drivers.code.environment import CodeEnvironment
from drivers.code.isolation import Isolation, isolation
from drivers.code.limits import CodeLimits
from drivers.errors import SandboxUnavailable


@pytest.fixture
def isolated() -> Isolation:
    """The sandbox of this machine."""
    try:
        return isolation(required=True)
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))


@pytest.fixture
async def environment(isolated: Isolation) -> AsyncIterator[CodeEnvironment]:
    """An environment with narrow limits."""
    made = CodeEnvironment(isolated, CodeLimits(call_secs=30.0, memory_mb=512, output_chars=1000, images=2, file_mb=8))
    yield made
    await made.aclose()


def hurry(environment: CodeEnvironment, secs: float = 1.0) -> None:
    """From now on it gives each piece of code so long."""
    environment._limits = replace(environment._limits, call_secs=secs)


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file and a key that must not be found."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-you")
    path = tmp_path / "ledger.signalbox"
    path.write_text("everything that was ever decided")
    return path


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is interrupted may take its time, as on a machine that is busy."""
    monkeypatch.setattr("drivers.code.environment.GRACE_SECS", 30.0)
