"""Python of the user's own that cannot be loaded, or does not fit, is told before anything of a run is on record."""

from pathlib import Path
from typing import Any

import pytest

from app.core.errors import UsageProblem
from app.core.plan import RunPlan
from app.gate.inbox import AskInbox
from app.runner.session_ports import ModelService
from app.wiring import make_session

MODULE = """
def declared(name, **more):
    async def run(arguments):
        return "ran"
    return {"type": "function", "name": name, "parameters": {"type": "object"}, "strict": False, **more}, run

plain = declared("plain")
later = declared("later", defer_loading=True)
async def observe(_page): return {}
not_async = len
"""


@pytest.fixture(autouse=True)
def _own_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_fitting.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "own_leaves.py").write_text("raise SystemExit(3)", encoding="utf-8")
    (tmp_path / "own_broken.py").write_text("def f(:\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))


def begun(home: Path, tables: dict[str, Any]) -> None:
    session = make_session(
        RunPlan.model_validate({"task": "t", "model": "m", **tables}),
        home=home,
        inbox=AskInbox(),
        service=ModelService(model="m", api_key="no-key", base_url="http://127.0.0.1:9/v1"),
        provenance="live",
        unattended=False,
    )
    session.start()
    session.request_stop("signal")
    assert session.join(300)


def function(path: str, name: str = "plain", **more: Any) -> dict[str, Any]:
    return {"name": name, "import": path, **more}


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        (
            {"functions": [function("no_such_module_here:f")]},
            "function 'plain' cannot be imported from 'no_such",
        ),
        ({"functions": [function("own_fitting:gone")]}, "cannot be imported from 'own_fitting:gone': AttributeError"),
        ({"functions": [function("own_leaves:f")]}, "cannot be imported from 'own_leaves:f': SystemExit: 3"),
        ({"functions": [function("own_broken:f")]}, "cannot be imported from 'own_broken:f': SyntaxError"),
        ({"functions": [function("own_fitting:not_async")]}, "is no async function with a tool declaration"),
        ({"functions": [function("own_fitting:later", "other")]}, "declares 'later', the run file says 'other'"),
        ({"custom_tools": [function("own_fitting:plain")]}, "declares a 'function', no custom tool"),
        (
            {"engine": "decisions", "decisions": {"import": "own_leaves:f", "observe": "own_fitting:observe"}},
            "decisions.import cannot be imported",
        ),
        (
            {"engine": "decisions", "decisions": {"import": "own_fitting:observe", "observe": "own_fitting:not_async"}},
            "is no async function",
        ),
        ({"tool_search": {}}, r"\[tool_search\] has nothing to look up"),
        ({"tool_search": {}, "functions": [function("own_fitting:plain")]}, r"\[tool_search\] has nothing to look up"),
        (
            {"engine": "programs", "functions": [function("own_fitting:later", "later")]},
            r"'later' is deferred, and there is no \[tool_search\]",
        ),
    ],
)
def test_it_is_told_before_there_is_a_record(tmp_path: Path, tables: dict[str, Any], why: str) -> None:
    home = tmp_path / "home"
    with pytest.raises(UsageProblem, match=why):
        begun(home, tables)
    assert list(home.rglob("*.signalbox")) == []


def test_what_fits_begins(tmp_path: Path) -> None:
    begun(tmp_path / "home", {"tool_search": {}, "functions": [function("own_fitting:later", "later")]})
    assert len(list((tmp_path / "home").rglob("*.signalbox"))) == 1
