"""What the loader lacks, and which package brings it."""

import shutil
import sys
from pathlib import Path

import pytest

from app.doctor.libraries import missing_libraries, packages_for, qt_binaries

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="ldd is asked")


@pytest.fixture
def binary_lacking_a_library(tmp_path: Path) -> Path:
    """A copy of a program whose list of needed libraries names one that is nowhere."""
    program = Path(shutil.which("cat") or "/bin/cat").read_bytes()
    assert b"libc.so.6\0" in program
    needy = tmp_path / "needy"
    needy.write_bytes(program.replace(b"libc.so.6\0", b"gone.so.6\0"))
    needy.chmod(0o755)
    return needy


@LINUX
def test_a_library_that_is_gone_is_named(binary_lacking_a_library: Path) -> None:
    assert missing_libraries([binary_lacking_a_library]) == ["gone.so.6"]


def test_what_runs_lacks_nothing() -> None:
    assert missing_libraries([Path(sys.executable)]) == []


def test_a_script_is_no_binary_and_lacks_nothing(tmp_path: Path) -> None:
    script = tmp_path / "browser"
    script.write_text("#!/bin/sh\nexec true\n")
    assert missing_libraries([script]) == []


def test_packages_are_named_once_and_unknown_libraries_not_at_all() -> None:
    assert packages_for(["libnss3.so", "libsmime3.so", "libgone.so.1"]) == ("libnss3",)


def test_qt_offscreen_needs_the_widgets_and_its_plugin() -> None:
    names = [path.name for path in qt_binaries("offscreen")]
    assert "libqoffscreen.so" in names or sys.platform != "linux"
    assert missing_libraries(qt_binaries("offscreen")) == []
