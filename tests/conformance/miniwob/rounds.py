"""Playing episodes and keeping the score."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

from drivers.browser.driver import BrowserDriver
from tests.conformance.conftest import Bench
from tests.conformance.miniwob import pages
from tests.conformance.miniwob.hands import Hands
from tests.conformance.miniwob.solver import IN_OWN_TIME, PLAYERS, SLOW, SOLVED


@dataclass
class Table:
    """Where tasks are played, and the score so far: task to seed to what happened."""

    bench: Bench
    driver: BrowserDriver
    address: str
    score: dict[str, dict[int, str]] = field(default_factory=dict)

    async def play(self, task: str, seed: int) -> str:
        """One episode; "" when it was solved, else what went wrong. What runs against the clock gets two tries more."""
        told = ""
        for _ in range(3 if task in SLOW else 1):
            told = await self._once(task, seed)
            if not told:
                break
        self.score.setdefault(task, {})[seed] = told
        return told

    async def _once(self, task: str, seed: int) -> str:
        await self.bench.done("navigate", url=f"{self.address}/{task}.html", tab_id=None)
        assert self.driver.tabs.active is not None
        page = self.driver.tabs.active.page
        aid = self.address.rpartition("/")[0]
        if task in IN_OWN_TIME:
            await pages.stop_the_clock(page)
        hands = Hands(self.bench, await pages.start(page, seed), aid)
        if task in IN_OWN_TIME:
            hands.passes = functools.partial(pages.time_passes, page)
        try:
            await PLAYERS[task](hands)
        except (AssertionError, LookupError, ValueError, StopIteration, RuntimeError) as lost:
            return f"{type(lost).__name__}: {lost} ({hands.goal})"
        got = await pages.reward(page)
        if got is None:
            return f"the episode did not end ({hands.goal})"
        return "" if got >= SOLVED else f"reward {got:g} ({hands.goal})"

    def solved(self, task: str) -> int:
        """How many episodes of a task were solved."""
        return sum(not told for told in self.score.get(task, {}).values())
