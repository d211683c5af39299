"""The steps of docs/decisions.md, run as they stand there: only ports and, as root, the sandbox are filled in."""

import asyncio
import contextlib
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.cli.run import service_of
from app.cli.runfile import load_run_file
from app.cli.window import in_window, settings_file
from app.core.timeline import Timeline
from app.gate.inbox import AskInbox
from app.rehearsal.scenario import load_scenario
from app.rehearsal.server import ScriptedModel
from app.rehearsal.site import DemoSite
from app.views.application import open_live_window
from app.views.window import ConsoleWindow
from app.wiring import make_session, runs_as_root
from tests.end2end.program import signalbox
from tests.helpers.pilot import Pilot

TEXT = (Path(__file__).parents[2] / "docs" / "decisions.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SAVED_AS = re.compile(r"`([\w-]+\.(?:toml|py))`(?: beside the run file)?:?\n*\Z")
MODEL_URL, SITE_URL = "http://127.0.0.1:8071/v1", "http://127.0.0.1:8072"


def files() -> dict[str, str]:
    """What the tutorial says to save, by name."""
    found = {}
    for block in BLOCK.finditer(TEXT):
        if block[1] != "sh" and (name := SAVED_AS.search(TEXT[: block.start()])):
            found[name[1]] = block[2]
    return found


def commands() -> list[list[str]]:
    """Its command lines, without those that only set the environment."""
    lines = [line for block in BLOCK.finditer(TEXT) if block[1] == "sh" for line in block[2].splitlines()]
    return [shlex.split(line) for line in lines if not line.startswith("export ")]


@contextlib.contextmanager
def served(scenario: str) -> Iterator[tuple[str, str, DemoSite]]:
    """``python -m app.rehearsal SCENARIO`` on ports that are free."""
    site = DemoSite()
    with contextlib.ExitStack() as stack:
        site_url = site.start()
        stack.callback(site.stop)
        model = ScriptedModel(load_scenario(scenario), site=site_url)
        stack.callback(model.stop)
        yield model.start(), site_url, site


def run_by_hand(file: Path, home: Path) -> Timeline:
    """``signalbox run FILE`` with a person who allows every card; the fold that the window showed."""
    left: list[Timeline] = []

    async def main(window: ConsoleWindow) -> int:
        plan = load_run_file(file)
        inbox = AskInbox()
        session = await asyncio.to_thread(
            make_session,
            plan,
            home=home,
            inbox=inbox,
            service=service_of(plan),
            provenance="live",
            unattended=False,
        )
        open_live_window(session, inbox, settings_path=settings_file(home), window=window)
        await asyncio.to_thread(session.start)
        pilot = Pilot(window)
        try:
            await pilot.answer_all(lambda ask: "allow")
        finally:
            session.request_stop("console")
            await asyncio.to_thread(session.join)
        assert window.model is not None
        left.append(window.model.timeline)
        window.close()
        await window.wait_closed()
        return 0

    in_window(main, home)
    return left[0]


def test_the_tutorial_names_every_file_that_a_step_needs() -> None:
    assert set(files()) == {"table.toml", "till.py", "till.toml", "till-model.toml"}
    assert [" ".join(command[:3]) for command in commands()] == [
        "signalbox demo decisions",
        "signalbox demo decisions",
        "python -m app.rehearsal",
        "signalbox run table.toml",
        "python -m app.rehearsal",
        "signalbox run till.toml",
        "signalbox demo booking",
        "signalbox compare RESPONSES.signalbox",
        "signalbox fork DECISIONS.signalbox",
    ]


def test_step_2_your_own_run_file(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served("decisions") as (model_url, site_url, site):
        monkeypatch.setenv("OPENAI_API_KEY", "no-key-is-needed")
        monkeypatch.setenv("OPENAI_BASE_URL", model_url)
        assert f"OPENAI_BASE_URL={MODEL_URL}" in TEXT
        text = files()["table.toml"].replace(SITE_URL, site_url)
        file = tmp_path / "table.toml"
        file.write_text(text.replace("[browser]\n", "[browser]\nsandbox = false\n") if runs_as_root() else text)
        timeline = run_by_hand(file, tmp_path / "home")
        assert [booking.name for booking in site.bookings] == ["Ada Park"]
    (ended,) = timeline.ended
    assert (ended.status, ended.verification) == ("finished", "verified")
    assert [(decision.by, decision.verdict) for decision in timeline.decisions] == [("person", "allow")] * 5


def test_step_3_your_own_python(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in files().items():
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    with served(str(tmp_path / "till-model.toml")) as (model_url, _, _site):
        monkeypatch.setenv("OPENAI_API_KEY", "no-key-is-needed")
        monkeypatch.setenv("OPENAI_BASE_URL", model_url)
        timeline = run_by_hand(tmp_path / "till.toml", tmp_path / "home")
    assert sys.modules.pop("till").pressed == ["open", "close"]
    (ended,) = timeline.ended
    assert ended.reason == "verified: till:opened_and_closed says yes"
    assert [record.ask.member for record in timeline.asks] == ["open", "close"]


def test_steps_1_4_and_5_the_demo_the_comparison_and_where_it_can_be_forked(tmp_path: Path) -> None:
    unattended = [command[1:] for command in commands() if "--unattended" in command]
    ran = [signalbox(*command, home=tmp_path) for command in unattended]
    assert [one.code for one in ran] == [0, 0], [one.err for one in ran]
    compared = signalbox("compare", *(str(one.ledger) for one in ran), home=tmp_path)
    assert compared.code == 0
    rows = {line[:26].strip(): line[26:].split() for line in compared.out.splitlines()}
    assert rows["engine"] == ["decisions", "responses"]
    assert rows["requests"] == ["6", "12"]
    assert rows["asks"] == ["5", "8"]
    assert "finished · verified" in compared.out
    tokens = [int(cell.replace(",", "")) for cell in rows["tokens"]]
    assert 0 < tokens[0] < tokens[1]
    assert "not given the same task" not in compared.err
    [decided] = [one.ledger for one, engine in zip(ran, rows["engine"], strict=True) if engine == "decisions"]
    listed = signalbox("fork", str(decided), "--list", home=tmp_path)
    assert [line.split()[0] for line in listed.out.splitlines()] == [str(number) for number in range(1, 7)]
    assert listed.out.splitlines()[0].endswith("from the task alone")
