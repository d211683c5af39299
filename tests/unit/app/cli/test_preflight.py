"""Checks before a run, against real services on this machine: each thing is said as it is, with how to mend it."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from app.cli.preflight import check_run
from app.core.check_line import CheckLine
from app.core.plan import RunPlan
from app.rehearsal.loopback import Loopback

KEY = "sesame"


class Service:
    """A model service that knows one model, and pages beside it."""

    def __init__(self) -> None:
        self.headers: list[dict[str, str]] = []
        routes = [
            Route("/v1/models/{name}", self._model),
            Route("/bare/models/{name}", lambda _request: PlainTextResponse("?", status_code=404)),
            Route("/away/models/{name}", lambda _request: RedirectResponse("http://elsewhere.invalid/")),
            Route("/page", lambda _request: PlainTextResponse("hello")),
            Route("/gone", lambda _request: PlainTextResponse("", status_code=410)),
        ]
        self.loopback = Loopback(Starlette(routes=routes), what="The service")

    async def _model(self, request: Request) -> Response:
        self.headers.append(dict(request.headers))
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return JSONResponse({"error": {"code": "invalid_api_key"}}, status_code=401)
        if request.path_params["name"] != "known":
            return JSONResponse({"error": {"code": "model_not_found"}}, status_code=404)
        return JSONResponse({"id": "known"})


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    made.url = made.loopback.start()  # type: ignore[attr-defined]
    yield made
    made.loopback.stop()


def url_of(service: Service) -> str:
    url: str = service.url  # type: ignore[attr-defined]
    return url


def looked(tmp_path: Path, environment: dict[str, str], beside: Path | None = None, **tables: Any) -> list[CheckLine]:
    lines: list[CheckLine] = []
    plan = RunPlan.model_validate({"task": "t", **tables})
    check_run(plan, lines.append, home=tmp_path / "home", beside=beside, environment=environment)
    return lines


def states(lines: list[CheckLine]) -> dict[str, str]:
    return {line.what: line.state for line in lines}


def closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def env(base: str, *, key: str = KEY, model: str = "known") -> dict[str, str]:
    return {"OPENAI_API_KEY": key, "OPENAI_BASE_URL": base, "OPENAI_MODEL": model}


def test_all_is_there(tmp_path: Path, service: Service) -> None:
    client = {"organization": "org-1", "default_headers": {"X-Desk": "three"}}
    lines = looked(tmp_path, env(f"{url_of(service)}/v1"), client=client)
    assert states(lines) == {"Model service": "ok", "Key": "ok", "Model": "ok", "Data folder": "ok"}
    (sent,) = service.headers
    assert (sent["openai-organization"], sent["x-desk"]) == ("org-1", "three")
    assert KEY not in str(lines)


@pytest.mark.parametrize(
    ("change", "what", "state", "words"),
    [
        ({"OPENAI_API_KEY": ""}, "Key", "not ok", "is not set"),
        ({"OPENAI_MODEL": ""}, "Model", "not ok", "none is named"),
        ({"OPENAI_API_KEY": "wrong"}, "Key", "not ok", "the service refuses it (401)"),
        ({"OPENAI_MODEL": "other"}, "Model", "not ok", "the service does not have it"),
        ({"path": "/bare"}, "Model", "note", "does not say whether it has it (404)"),
        ({"path": "/away"}, "Model service", "not ok", "to another address (307), and none is sent there"),
    ],
)
def test_what_is_wrong_with_key_and_model(
    tmp_path: Path, service: Service, change: dict[str, str], what: str, state: str, words: str
) -> None:
    given = {**env(url_of(service) + change.get("path", "/v1")), **change}
    found = {line.what: line for line in looked(tmp_path, given)}
    assert found[what].state == state
    assert words in found[what].says
    assert found[what].mend


def test_a_service_that_cannot_be_reached(tmp_path: Path) -> None:
    lines = looked(tmp_path, env(f"http://127.0.0.1:{closed_port()}/v1"))
    assert (lines[0].what, lines[0].state, lines[0].says) == (
        "Model service",
        "not ok",
        "it cannot be reached (ConnectError)",
    )


def test_servers_are_looked_at_without_their_secrets(tmp_path: Path, service: Service) -> None:
    url = url_of(service)
    servers = [
        {"server_label": "there", "server_url": f"{url}/page", "authorization": KEY},
        {"server_label": "gone", "server_url": f"http://127.0.0.1:{closed_port()}/"},
        {"server_label": "elsewhere", "connector_id": "connector_dropbox"},
    ]
    lines = [line for line in looked(tmp_path, {}, mcp=servers) if line.what == "MCP server"]
    assert [(line.outside, line.state) for line in lines] == [("there", "ok"), ("gone", "note")]


def test_functions_are_found_and_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "own_tools_here.py").write_text("raise SystemExit('loaded')\n", encoding="utf-8")
    functions = [{"name": "f", "import": "own_tools_here:f"}, {"name": "g", "import": "nowhere_at_all.x:g"}]
    assert states(looked(tmp_path, {}, beside=tmp_path, functions=functions)) | {"Data folder": ""} == {
        "Key": "not ok",
        "Model": "not ok",
        "Function f": "ok",
        "Function g": "not ok",
        "Data folder": "",
    }


@pytest.mark.parametrize(
    ("functions", "state"),
    [([], "not ok"), ([None], "note"), ([False], "not ok"), ([False, True], "ok")],
)
def test_a_search_with_nothing_to_look_up_is_told(tmp_path: Path, functions: list[bool | None], state: str) -> None:
    tools = [
        {"name": f"f{at}", "import": "json:loads"} | ({} if deferred is None else {"defer_loading": deferred})
        for at, deferred in enumerate(functions)
    ]
    found = {line.what: line for line in looked(tmp_path, {}, functions=tools, tool_search={})}
    assert found["Tool search"].state == state


def test_code_without_a_sandbox_is_named(tmp_path: Path) -> None:
    found = {line.what: line for line in looked(tmp_path, {}, code={"isolation": "none"})}
    assert (found["Code"].state, "can then do what you can do" in found["Code"].says) == ("note", True)


def test_programs_of_local_servers_are_looked_for_and_not_started(tmp_path: Path) -> None:
    servers = [
        {"name": "there", "command": ["python3", "-c", "raise SystemExit('started')"]},
        {"name": "gone", "command": ["nowhere-at-all"]},
        {"name": "lost", "command": ["python3"], "folder": str(tmp_path / "none")},
    ]
    found = states(looked(tmp_path, {}, function_servers=servers))
    assert [found[f"Local server {name}"] for name in ("there", "gone", "lost")] == ["ok", "not ok", "not ok"]


@pytest.mark.parametrize(
    ("browser", "state", "words"),
    [
        ({"start_url": "{site}/page"}, "ok", "the site answers 200"),
        ({"start_url": "{site}/gone"}, "note", "the site answers 410"),
        ({"start_url": "https://ada:secret@a.test/"}, "not ok", "it is never opened"),
        ({"start_url": "{site}/page", "allow_origins": ["https://a.test"]}, "not ok", "allow_origins does not have it"),
        ({"start_url": "{site}/page", "allow_private_network": False}, "not ok", "of this machine"),
        ({"start_url": "http://127.0.0.1:{port}/"}, "not ok", "it cannot be reached (ConnectError)"),
    ],
)
def test_the_start_page(tmp_path: Path, service: Service, browser: dict[str, Any], state: str, words: str) -> None:
    url = browser["start_url"].replace("{site}", url_of(service)).replace("{port}", str(closed_port()))
    given = {**browser, "start_url": url, "executable_path": "/usr/bin/env", "sandbox": False}
    found = {line.what: line for line in looked(tmp_path, {}, browser=given)}
    assert found["Browser"].state == "ok"
    assert (found["Start page"].state, words in found["Start page"].says) == (state, True), found["Start page"]


def test_a_browser_that_is_not_there(tmp_path: Path) -> None:
    found = states(looked(tmp_path, {}, browser={"executable_path": str(tmp_path / "none"), "sandbox": False}))
    assert found["Browser"] == "not ok"


def test_a_browser_elsewhere_is_reached_for_and_what_is_not_encrypted_is_said(tmp_path: Path, service: Service) -> None:
    def found(address: str, **more: Any) -> CheckLine:
        browser = {"remote": {"via": "cdp", "address": address, **more}}
        return next(line for line in looked(tmp_path, {}, browser=browser) if line.what == "Browser")

    here = url_of(service)
    assert found(here).state == "ok"
    assert found(f"http://127.0.0.1:{closed_port()}").state == "not ok"
    refused = found("http://far.invalid")
    assert (refused.state, "without encryption" in refused.says) == ("not ok", True)


def test_the_files_of_grants(tmp_path: Path, service: Service) -> None:
    papers = tmp_path / "papers.txt"
    papers.write_text("all of it")
    grants = [
        {"id": "there", "upload": str(papers)},
        {"id": "gone", "upload": str(tmp_path / "gone")},
        {"id": "large", "upload": str(papers), "most_bytes": 3},
        {"id": "other", "upload": str(papers), "sha256": "0" * 64},
        {"id": "list", "download": "https://a.test/list"},
    ]
    browser = {"additional_members": ["upload_file", "download_file"], "executable_path": "/nowhere"}
    lines = looked(tmp_path, env(f"{url_of(service)}/v1"), grants=grants, browser=browser)
    found = {line.what.removeprefix("File grant "): line for line in lines if line.what.startswith("File grant")}
    assert {what: line.state for what, line in found.items()} == {
        "there": "ok", "gone": "not ok", "large": "not ok", "other": "not ok", "list": "ok",
    }  # fmt: skip
    assert found["large"].says == "it has 9 bytes, and most_bytes allows 3"
    assert "sha256" in found["other"].mend
