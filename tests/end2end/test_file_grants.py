"""``[[grants]]`` of a run file: the model is told of them, each use is asked with the file, and each is for one use."""

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from app.cli.runfile import load_run_file
from app.core.errors import MissingHere, UsageProblem
from app.core.events import ActionEnded, AskRaised, RunEnded
from app.core.grant_plan import unused
from app.core.timeline import Timeline
from app.paths import downloads_of
from app.rehearsal.loopback import Loopback
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.server import MODEL, ScriptedModel
from app.runner.session_ports import ModelService
from app.wiring import make_session, runs_as_root
from tests.unit.app.runner.scenes import DONE, answer, scene

FORM = "<form method=post enctype=multipart/form-data><input type=file aria-label=Papers name=f></form>"


@pytest.fixture
def site() -> Iterator[str]:
    """The address of a site with a form and a file."""
    sent = {"Content-Disposition": 'attachment; filename="list.csv"'}
    routes = [
        Route("/form", lambda _request: HTMLResponse(FORM)),
        Route("/list.csv", lambda _request: Response(b"a,b\n", headers=sent)),
    ]
    loopback = Loopback(Starlette(routes=routes), what="The site")
    yield loopback.start()
    loopback.stop()


def run_file(folder: Path, site: str, *grants: str) -> Path:
    """A run file with these grants, beginning on a page with a file field."""
    sandbox = "sandbox = false" if runs_as_root() else ""
    tables = "\n".join(f"[[grants]]\n{grant}" for grant in grants)
    file = folder / "run.toml"
    file.write_text(
        f"""task = "Hand in the papers."
instructions = "Be brief."
model = "{MODEL}"
[browser]
start_url = "{site}/form"
additional_members = ["upload_file", "download_file"]
{sandbox}
{tables}
"""
    )
    return file


def uses(member: str, grant: str) -> str:
    return answer(f'browser = "{member}"\narguments = {{ grant_id = "{grant}" }}')


def ran(file: Path, home: Path, *answers: str) -> tuple[Timeline, Any, Path]:
    """The timeline, the model's requests and the ledger of a run in which everything is allowed."""
    with contextlib.ExitStack() as stack:
        model = ScriptedModel(scene(*answers, answer(DONE), operator='[operator]\ndefault = "allow"'))
        base_url = model.start()
        stack.callback(model.stop)
        inbox = OperatorInbox(ScriptedOperator(model.scenario.operator))
        service = ModelService(MODEL, "no-key", base_url)
        plan = load_run_file(file)
        session = make_session(plan, home=home, inbox=inbox, service=service, provenance="demo", unattended=True)
        timeline = Timeline()
        session.subscribe(timeline.apply)
        session.start()
        assert session.join(300)
        return timeline, model.requests, session.ledger_path


def of(timeline: Timeline, kind: Any) -> list[Any]:
    return [one.event for one in timeline.events if isinstance(one.event, kind)]


def test_a_file_is_handed_over_once_and_another_fetched(tmp_path: Path, site: str) -> None:
    papers = tmp_path / "papers.txt"
    papers.write_text("all of it")
    digest = hashlib.sha256(b"all of it").hexdigest()
    address = f"{site}/list.csv"
    file = run_file(
        tmp_path,
        site,
        f'id = "papers"\nupload = "{papers}"\nsha256 = "{digest}"',
        f'id = "list"\ndownload = "{address}"',
    )
    calls = (uses("upload_file", "papers"), uses("download_file", "list"), uses("upload_file", "papers"))
    timeline, requests, ledger = ran(file, tmp_path / "home", *calls)
    (ended,) = of(timeline, RunEnded)
    assert ended.status == "finished", ended.reason
    told = requests[0].body["instructions"]
    assert told.startswith("Be brief.")
    assert f"- papers: upload_file, {papers}" in told
    asked = [event.ask for event in of(timeline, AskRaised) if event.ask.kind == "file_grant"]
    first, second, third = (ask.evidence.file for ask in asked)
    assert (first.name, first.size, first.sha256, first.preview) == ("papers.txt", 9, digest, "all of it")
    assert (second.direction, second.url) == ("download", address)
    assert third is None
    assert [event.outcome for event in of(timeline, ActionEnded)] == ["done", "done", "not_done"]
    (kept,) = downloads_of(ledger).iterdir()
    assert (kept.name, kept.read_bytes()) == ("list.csv", b"a,b\n")
    assert unused(load_run_file(file).grants, timeline.events) == ()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("most_bytes = 3", "it has 9 bytes, and most_bytes allows 3"),
        (f'sha256 = "{"0" * 64}"', "it is another file than its sha256 says"),
        ("", "there is no such plain file"),
    ],
)
def test_a_run_with_a_file_that_is_not_as_said_does_not_begin(tmp_path: Path, site: str, more: str, words: str) -> None:
    papers = tmp_path / "papers.txt"
    if more:
        papers.write_text("all of it")
    with pytest.raises(MissingHere, match=words):
        ran(run_file(tmp_path, site, f'id = "papers"\nupload = "{papers}"\n{more}'), tmp_path / "home")
    assert not list((tmp_path / "home").rglob("*.signalbox"))


@pytest.mark.parametrize(
    ("grant", "words"),
    [
        ('id = "a"', "grants[0]: give upload or download"),
        ('id = "a"\nupload = "x"\ndownload = "https://a.test/"', "grants[0]: give upload or download"),
        ('id = "a"\nupload = "x"\n[[grants]]\nid = "a"\nupload = "y"', "'a' is named twice"),
        ('id = "a b"\nupload = "x"', "grants[0].id"),
    ],
)
def test_a_grant_that_cannot_be_is_wrong_in_the_run_file(tmp_path: Path, site: str, grant: str, words: str) -> None:
    with pytest.raises(UsageProblem) as wrong:
        load_run_file(run_file(tmp_path, site, grant))
    assert words in str(wrong.value)
