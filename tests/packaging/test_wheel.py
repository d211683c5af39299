"""The wheel: built without a network, holding the three packages and nothing else, working from any folder."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES, ROOT

pytest.importorskip("hatchling", reason="builds the wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-index"]
    subprocess.run([*command, "--no-deps", "--no-build-isolation", "-w", folder, ROOT], check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment with the wheel in it, its dependencies lent by this environment."""
    place = tmp_path_factory.mktemp("installed")
    venv.create(place, with_pip=False)
    commands = place / ("Scripts" if sys.platform == "win32" else "bin")
    (packages,) = place.rglob("site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    lent = [folder for folder in sys.path if folder.endswith("site-packages")]
    (packages / "zz_lent.pth").write_text("\n".join(lent))
    return commands


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_it_holds_exactly_the_three_packages(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in names(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)


def test_every_file_of_the_packages_is_in_it(wheel: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert set(tracked) - set(names(wheel)) == set()


def test_it_brings_its_licence_and_the_command(wheel: Path) -> None:
    (licence,) = [name for name in names(wheel) if name.endswith("/LICENSE")]
    (points,) = [name for name in names(wheel) if name.endswith("/entry_points.txt")]
    with zipfile.ZipFile(wheel) as archive:
        assert b"The Signalbox authors" in archive.read(licence)
        assert b"signalbox = app.start:main" in archive.read(points)


@pytest.mark.parametrize("way", [["-m", "app"], ["-c", "import sys; from app.start import main; sys.exit(main())"]])
def test_the_installed_command_works_from_another_folder(installed: Path, tmp_path: Path, way: list[str]) -> None:
    done = subprocess.run(
        [installed / "python", *way, "--help"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "doctor" in done.stdout


def test_shipped_files_are_read_from_the_installed_package(installed: Path, tmp_path: Path) -> None:
    code = "import app, app.paths; print(app.__file__); print(app.paths.resource_text('__init__.py'))"
    done = subprocess.run([installed / "python", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert str(installed.parent) in done.stdout.splitlines()[0]
