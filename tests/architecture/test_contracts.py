"""The layers: the import contracts of pyproject.toml hold, and they name every package there is."""

import subprocess
import sys
import tomllib
from pathlib import Path

from tests.architecture.source import ROOT


def test_the_import_contracts_hold() -> None:
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([command, "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_part_of_the_console_has_its_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "layers")
    named = {part.strip(" ()") for layer in layers for part in layer.replace(":", "|").split("|")}
    parts = {f"app.{path.stem}" for path in (ROOT / "app").iterdir() if path.suffix == ".py" or path.is_dir()}
    assert parts - named - {"app.__init__", "app.__main__", "app.__pycache__"} == set()
