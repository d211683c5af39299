"""An address and the action that opens it, as the SDK asks: one question for a person, two records; or two of each."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from app.core.asking_plan import AskingPlan
from app.core.decision import Verdict
from tests.unit.app.runner.page_rig import PageRig
from tests.unit.app.runner.test_withdrawal import Page

URL = "https://a.test/help"
OPEN: dict[str, Any] = {"url": URL, "tab_id": None}


async def opened(rig: PageRig, verdict: Verdict) -> tuple[bool, int]:
    """The SDK's two callbacks for one navigation; whether both said yes, and how many questions were put."""
    put: list[str] = []

    def says(ask: Any) -> Verdict:
        put.append(ask.kind)
        return verdict

    person = asyncio.create_task(rig.person(says))
    context = {"call_id": "call_1", "member": "navigate", "arguments": OPEN, "state": {}}
    said = await rig.calls.url_policy(context, URL) and await rig.calls.confirm(context)
    person.cancel()
    return said, len(put)


async def test_one_press_answers_both_and_each_is_on_record(tmp_path: Path) -> None:
    with PageRig(Page(), tmp_path) as rig:
        assert await opened(rig, "allow") == (True, 1)
        assert [ask.kind for ask in rig.asks] == ["navigation", "browser_action"]
        assert [ask.joined for ask in rig.asks] == [("browser_action",), ()]
        assert [(one.verdict, one.by, one.digest) for one in rig.decisions] == [
            ("allow", "person", rig.asks[0].digest)
        ] * 2
        assert rig.decisions[1].reason == "answered together with ask a0001"


async def test_a_denial_of_both_asks_nothing_more(tmp_path: Path) -> None:
    with PageRig(Page(), tmp_path) as rig:
        assert await opened(rig, "deny") == (False, 1)
        assert [one.verdict for one in rig.decisions] == ["deny"]


@pytest.mark.parametrize("together", [True, False])
async def test_they_are_put_apart_where_the_run_file_says_so(tmp_path: Path, together: bool) -> None:
    with PageRig(Page(), tmp_path, asking=AskingPlan(together=together)) as rig:
        assert await opened(rig, "allow") == (True, 1 if together else 2)
