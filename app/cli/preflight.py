"""Whether all that a run needs is there, looked at before it starts; nothing of the run is done or loaded."""

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import PathFinder
from pathlib import Path

import httpx2

from app.cli.run import KEY_VARIABLE, MODEL_VARIABLE, URL_VARIABLE
from app.core.check_line import CheckLine, CheckState
from app.core.errors import MissingHere
from app.core.grant_plan import GrantPlan
from app.core.plan import BrowserPlan, RunPlan
from app.core.remote_plan import RemoteBrowserPlan, RemoteDesktopPlan
from app.core.service_plan import ClientPlan
from app.doctor.browser import check_browser, check_sandbox
from app.doctor.finding import Finding, State
from app.doctor.storage import check_data_folder
from app.doctor.system import this_system
from app.gate.url_policy import origin_of, read_address
from app.paths import data_folder
from app.runner.granting import why_not
from app.runner.way_out import by_proxy, require_way_out

Say = Callable[[CheckLine], None]

DEFAULT_URL = "https://api.openai.com/v1"
PATIENCE_SECS = 10.0

_STATES: dict[State, CheckState] = {State.OK: "ok", State.NOTE: "note", State.MISSING: "not ok"}


def check_run(plan: RunPlan, say: Say, *, home: Path | None, beside: Path | None, environment: dict[str, str]) -> None:
    """Say a line for each thing that the run needs, as it is looked at. Blocks for the network and the browser.

    `beside`: the folder of the run file, where import paths are looked for as well.
    """
    _service(plan, say, environment)
    if plan.browser is not None:
        _browser(plan, plan.browser, say, home)
        if plan.browser.start_url is not None:
            say(_page(plan.browser, plan.browser.start_url))
    if plan.code is not None or plan.shell is not None or plan.patches is not None:
        say(_code_sandbox(plan))
    if plan.computer is not None and plan.computer.remote is not None:
        say(_elsewhere("Desktop", plan.computer.remote))
    elif plan.computer is not None and plan.computer.on_desktop:
        say(_desktop(plan))
    for server in plan.mcp:
        if server.server_url is not None:
            say(_server(server.server_label, server.server_url))
    for grant in plan.grants:
        say(_grant(grant))
    for name, path in plan.imports:
        say(_function(name, path, beside))
    if plan.tool_search is not None:
        say(_search(plan))
    for started in plan.function_servers:
        say(_command(started.name, started.command[0], started.folder))
    say(_of_doctor(check_data_folder(this_system(), data_folder(home))))


def _service(plan: RunPlan, say: Say, environment: dict[str, str]) -> None:
    key = environment.get(KEY_VARIABLE)
    model = plan.model or environment.get(MODEL_VARIABLE)
    if not key:
        say(CheckLine("Key", "not ok", f"{KEY_VARIABLE} is not set", f"Set {KEY_VARIABLE} and start again."))
    if not model:
        say(CheckLine("Model", "not ok", "none is named", f"Name one in the form, or set {MODEL_VARIABLE}."))
    if not key or not model:
        return
    base = (environment.get(URL_VARIABLE) or DEFAULT_URL).rstrip("/")
    try:
        with _client(base) as client:
            answer = client.get(f"{base}/models/{model}", headers=_headers(plan.client, key))
    except MissingHere as missing:
        say(CheckLine("Model service", "not ok", str(missing), "Set it to a proxy's address, or to nothing.", base))
        return
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        mend = f"Look at the network, and at {URL_VARIABLE}."
        say(CheckLine("Model service", "not ok", f"it cannot be reached ({type(error).__name__})", mend, base))
        return
    if answer.is_redirect:
        words = f"it sends requests on to another address ({answer.status_code}), and none is sent there"
        say(CheckLine("Model service", "not ok", words, f"Set {URL_VARIABLE} to the service's own address.", base))
        return
    say(CheckLine("Model service", "ok", "it answers", outside=base))
    for line in _model(answer, model):
        say(line)


def _desktop(plan: RunPlan) -> CheckLine:
    from app.wiring import require_desktop

    try:
        require_desktop(plan)
    except MissingHere as missing:
        return CheckLine("Desktop", "not ok", str(missing), 'Or say target = "browser".')
    return CheckLine("Desktop", "ok", "it can be had here")


def _model(answer: httpx2.Response, model: str) -> Iterator[CheckLine]:
    if answer.status_code in (401, 403):
        mend = f"Look at {KEY_VARIABLE}: the key may be wrong, or have no right to this model or project."
        yield CheckLine("Key", "not ok", f"the service refuses it ({answer.status_code})", mend)
        return
    if answer.is_success:
        yield CheckLine("Key", "ok", f"{KEY_VARIABLE} is set, and the service takes it")
        yield CheckLine("Model", "ok", "the service has it", outside=model)
        return
    yield CheckLine("Key", "ok", f"{KEY_VARIABLE} is set")
    if answer.status_code == 404 and _error_code(answer) == "model_not_found":
        yield CheckLine("Model", "not ok", "the service does not have it", "Name another model.", model)
    else:
        words = f"the service does not say whether it has it ({answer.status_code})"
        yield CheckLine("Model", "note", words, "The first request will show it.", model)


def _error_code(answer: httpx2.Response) -> str:
    with contextlib.suppress(ValueError, AttributeError):
        return str(json.loads(answer.text).get("error", {}).get("code"))
    return ""


def _headers(options: ClientPlan | None, key: str) -> dict[str, str]:
    headers = {"Authorization": f"Bearer {key}"}
    if options is not None:
        named = {"OpenAI-Organization": options.organization, "OpenAI-Project": options.project}
        headers |= {name: value for name, value in named.items() if value is not None}
        headers |= options.default_headers or {}
    return headers


def _browser(plan: RunPlan, browser: BrowserPlan, say: Say, home: Path | None) -> None:
    from app.wiring import require_browser

    try:
        require_browser(plan)
    except MissingHere as missing:
        mend = "Run: signalbox doctor" if browser.remote is None else "Look at browser.remote."
        say(CheckLine("Browser", "not ok", str(missing), mend))
        return
    if browser.remote is not None:
        say(_elsewhere("Browser", browser.remote))
        return
    if browser.executable_path is not None:
        say(CheckLine("Browser", "ok", "the named one is there", outside=browser.executable_path))
        return
    system, folder = this_system(), data_folder(home)
    say(_of_doctor(check_browser(system, folder)))
    if browser.sandbox is not False and not system.is_root:
        say(_of_doctor(check_sandbox(system, folder)))


def _elsewhere(what: str, remote: RemoteBrowserPlan | RemoteDesktopPlan) -> CheckLine:
    """Whether something answers there, checked as the run will check it; nothing is sent, and no secret is read."""
    from app.elsewhere import reach

    try:
        encrypted = reach(remote)
    except MissingHere as missing:
        return CheckLine(what, "not ok", str(missing), "Look at its address and certificate.", remote.address)
    if not encrypted:
        words = "it is NOT encrypted: who is on the way sees and can change everything done there"
        return CheckLine(what, "note", words, "Leave allow_plain out.", remote.address)
    return CheckLine(what, "ok", "it answers; the run leaves what it finds there alone", outside=remote.address)


def _code_sandbox(plan: RunPlan) -> CheckLine:
    from app.sandboxes import require_code

    try:
        require_code(plan)
    except MissingHere as missing:
        return CheckLine("Code", "not ok", str(missing))
    if plan.code is None:
        words = "there is a sandbox for commands" if plan.shell is not None else "the folder for patches is there"
        return CheckLine("Shell" if plan.shell is not None else "Patches", "ok", words)
    if plan.code.isolation == "none":
        words = "it runs without a sandbox where there is none, and can then do what you can do"
        return CheckLine("Code", "note", words, "Leave code.isolation out.")
    return CheckLine("Code", "ok", "there is a sandbox for it")


def _of_doctor(found: Finding) -> CheckLine:
    mend = found.get or ("Run: signalbox doctor --fix" if found.packages or found.wants_browser else "")
    return CheckLine(found.what, _STATES[found.state], found.says, "" if found.state is State.OK else mend)


def _page(browser: BrowserPlan, url: str) -> CheckLine:
    what = "Start page"
    address = read_address(url)
    if address.refused is not None:
        return CheckLine(what, "not ok", f"it is never opened: {address.refused}", "Write a whole address.", url)
    if browser.allow_origins is not None and origin_of(url) not in browser.allow_origins:
        mend = "Add its origin to browser.allow_origins."
        return CheckLine(what, "not ok", "browser.allow_origins does not have it", mend, url)
    if address.private and not browser.allow_private_network:
        mend = "Allow it with browser.allow_private_network, or begin on another page."
        return CheckLine(what, "not ok", "it is of this machine or a private network", mend, url)
    status = _status(url)
    if isinstance(status, str):
        return CheckLine(what, "not ok", f"it cannot be reached ({status})", "Look at the address, the network.", url)
    if status >= 400:
        return CheckLine(
            what, "note", f"the site answers {status} to a plain request", "A browser may fare better.", url
        )
    return CheckLine(what, "ok", f"the site answers {status}", outside=url)


def _server(label: str, url: str) -> CheckLine:
    status = _status(url)
    if isinstance(status, str):
        words = f"it does not answer this machine ({status}); the service calls it, from elsewhere"
        return CheckLine("MCP server", "note", words, "Look at server_url.", label)
    return CheckLine("MCP server", "ok", f"something answers there ({status})", outside=label)


def _status(url: str) -> int | str:
    """What the address answers, without any credentials; the kind of error where nothing does."""
    try:
        with _client(url) as client, client.stream("GET", url) as answer:
            return answer.status_code
    except MissingHere as missing:
        return str(missing)
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        return type(error).__name__


def _client(url: str) -> httpx2.Client:
    """As a run reaches `url`. Raises `MissingHere` where a proxy that the environment names is of no use."""
    require_way_out(url)
    # No redirect is followed: the key must not travel to another place.
    return httpx2.Client(timeout=PATIENCE_SECS, follow_redirects=False, trust_env=by_proxy(url))


def _grant(grant: GrantPlan) -> CheckLine:
    what, outside = f"File grant {grant.id}", grant.upload or grant.download or ""
    if grant.upload is None:
        return CheckLine(what, "ok", "it is fetched when that is allowed", outside=outside)
    if (reason := why_not(grant)) is not None:
        return CheckLine(what, "not ok", reason, "Look at its path, most_bytes and sha256.", outside)
    return CheckLine(what, "ok", "the file is there; it is copied when the run begins", outside=outside)


def _search(plan: RunPlan) -> CheckLine:
    """Whether a tool is known to be looked up; one that only its own declaration defers is known once it is loaded."""
    named = [tool.name for tool in (*plan.functions, *plan.custom_tools) if tool.defer_loading]
    named += [server.server_label for server in plan.mcp if server.defer_loading]
    if named:
        return CheckLine("Tool search", "ok", "these are looked up before they can be called", outside=", ".join(named))
    mend = "Give a tool defer_loading = true, or leave [tool_search] out."
    if any(tool.defer_loading is None for tool in (*plan.functions, *plan.custom_tools)):
        words = "no tool says defer_loading here; unless a function's own declaration does, Start refuses the run"
        return CheckLine("Tool search", "note", words, mend)
    return CheckLine("Tool search", "not ok", "there is no tool that could be looked up", mend)


def _command(name: str, program: str, folder: str | None) -> CheckLine:
    """Whether there is such a program. It is not started."""
    what = f"Local server {name}"
    if folder is not None and not os.path.isdir(folder):
        return CheckLine(what, "not ok", "there is no such folder", "Look at its folder.", folder)
    if shutil.which(program) is None:
        return CheckLine(what, "not ok", "there is no such program", "Install it, or write its whole path.", program)
    return CheckLine(what, "ok", "the program is there; it is started with the run", outside=program)


def _function(name: str, path: str, beside: Path | None) -> CheckLine:
    """Whether there is such a module. It is not loaded: that would run it before Start was pressed."""
    top = path.partition(":")[0].partition(".")[0]
    places = [*sys.path, *([str(beside)] if beside is not None else [])]
    if top in sys.modules or PathFinder.find_spec(top, places) is not None:
        return CheckLine(name, "ok", "there is such a module; it is loaded at Start", outside=path)
    mend = "Put the module beside the run file, or install it where Signalbox is installed."
    return CheckLine(name, "not ok", "there is no such module", mend, path)
