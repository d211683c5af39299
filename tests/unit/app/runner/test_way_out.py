"""Proxies of the environment: none stands between the console and this machine; one of no use is told before a run."""

from pathlib import Path

import pytest

from app.core.errors import MissingHere
from app.runner.way_out import by_proxy, require_way_out
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import run_scenario
from tests.unit.app.runner.scenes import answer, scene

NOBODY_THERE = "http://127.0.0.1:9"
VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize(
    ("url", "by"),
    [
        ("http://127.0.0.1:8071/v1", False),
        ("http://127.9.9.9/v1", False),
        ("http://localhost:8071/v1", False),
        ("http://[::1]:8071/v1", False),
        ("http://localhost.example.com/v1", True),
        ("http://192.168.1.4/v1", True),
        ("https://api.example.com/v1", True),
        ("http://[half", True),
        (None, True),
    ],
)
def test_only_this_machine_is_reached_without(url: str | None, by: bool) -> None:
    assert by_proxy(url) == by


def test_a_service_of_this_machine_is_asked_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES[:3]:
        monkeypatch.setenv(name, NOBODY_THERE)
    run = run_scenario(scene(answer(scenes.DONE)), tmp_path)
    assert (run.ended.status, len(run.model.requests)) == ("finished", 1)


@pytest.mark.parametrize(
    ("name", "proxy", "why"),
    [
        ("ALL_PROXY", "zzz://me:hidden@a.example", "ALL_PROXY names a proxy whose address is none"),
        ("http_proxy", "http://a.example:many", "HTTP_PROXY names a proxy whose address is none"),
        ("Https_Proxy", "http://a.example:many", "HTTPS_PROXY names a proxy whose address is none"),
    ],
)
def test_one_that_cannot_be_used_is_told_without_what_is_in_it(
    name: str, proxy: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, proxy)
    with pytest.raises(MissingHere) as told:
        require_way_out(None)
    assert str(told.value) == why
    require_way_out("http://127.0.0.1:8071/v1")


def test_one_that_can_be_used_is_nothing_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", NOBODY_THERE)
    require_way_out(None)
