"""What `signalbox run` does before there is a window."""

import importlib.util
import sys
from pathlib import Path

import pytest

from app.cli.run import ahead, look_beside
from app.core.plan import RunPlan


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


def test_what_will_be_asked_is_said_before_there_is_a_window_and_nothing_in_it_is_hidden() -> None:
    plan = RunPlan.model_validate(
        {
            "task": "t",
            "functions": [{"name": "look\u202eup", "import": "a:b"}],
            "mcp": [{"server_label": "notes", "server_url": "https://a.test/", "require_approval": "never"}],
            "rules": [{"verdict": "deny", "text": "never\x1b[2K", "members": ["look\u202eup"]}],
            "store": True,
        }
    )
    assert ahead(plan) == [
        'not asked: Every tool of the server "notes" (require_approval says never)',
        'denied: The function "look\\u202eup" (rule 1 denies it "never\\u001b[2K")',
        "The service keeps the answers (store).",
    ]
