"""What `signalbox run` does before there is a window."""

import importlib.util
import sys
from pathlib import Path

import pytest

from app.cli.run import look_beside


def test_a_file_beside_the_run_file_is_found_and_never_stands_in_for_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("my_own_tools", "this", "openai"):
        (tmp_path / f"{name}.py").write_text("", encoding="utf-8")
    look_beside(tmp_path / "run.toml")
    found = {name: importlib.util.find_spec(name) for name in ("my_own_tools", "this", "openai")}
    places = {name: Path(spec.origin).parent for name, spec in found.items() if spec is not None and spec.origin}
    assert [name for name, place in places.items() if place == tmp_path] == ["my_own_tools"]
    assert set(places) == set(found)
