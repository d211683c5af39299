"""Every MiniWoB++ task that needs no language model, played through members of the toolset alone.

A run of all tests plays each task once. With SIGNALBOX_MINIWOB_SEEDS=10 each is played with ten seeds, and
`pytest --log-cli-level=INFO` shows the score.
"""

import logging
import os
import re
from pathlib import Path

import pytest

from tests.conformance.miniwob.pages import task_names
from tests.conformance.miniwob.rounds import Table
from tests.conformance.miniwob.solver import PLAYERS, SEED, SLOW, SOMETIMES, UNPLAYED

pytestmark = pytest.mark.asyncio(loop_scope="module")

log = logging.getLogger(__name__)

MANY = int(os.environ.get("SIGNALBOX_MINIWOB_SEEDS", "0"))
DOCS = (Path(__file__).parents[3] / "docs/drivers.md").read_text(encoding="utf-8")


async def test_each_task_is_played_or_its_reason_is_given() -> None:
    assert sorted([*PLAYERS, *UNPLAYED]) == task_names()
    assert set(SOMETIMES) <= set(PLAYERS)


@pytest.mark.parametrize("task", sorted(PLAYERS.keys() - SLOW))
async def test_a_task_is_solved(table: Table, task: str) -> None:
    told = await table.play(task, SEED)
    assert told == "" or task in SOMETIMES


async def test_the_guide_tells_these_numbers(table: Table) -> None:
    if len(table.score) < len(PLAYERS.keys() - SLOW):
        pytest.skip("only some of the tasks were played")
    always = PLAYERS.keys() - SOMETIMES.keys()
    assert {task for task in always - SLOW if table.solved(task) == 0} == set()
    assert f"{len(task_names())} tasks, {len(PLAYERS)} played, {len(always)} solved at every seed" in DOCS
    section = DOCS.partition("## MiniWoB++")[2].partition("\n## ")[0]
    told = dict(re.findall(r"^\| ([a-z0-9-]+) \| (.+?) \|", section, re.MULTILINE))
    assert {task: reason for task, reason in told.items() if task in task_names()} == UNPLAYED | SOMETIMES


@pytest.mark.skipif(not MANY, reason="SIGNALBOX_MINIWOB_SEEDS is not set")
@pytest.mark.timeout(7200)
async def test_many_seeds(table: Table) -> None:
    for task in sorted(PLAYERS):
        for seed in range(1, MANY + 1):
            await table.play(task, seed)
        lost = [f"seed {seed}: {told}" for seed, told in table.score[task].items() if told]
        log.info("%s: %d of %d %s", task, table.solved(task), MANY, lost)
    log.info("%d of %d episodes", sum(map(table.solved, PLAYERS)), MANY * len(PLAYERS))
    assert {task for task in PLAYERS if table.solved(task) < MANY} <= set(SOMETIMES)
