"""The stated check of a decisions run: what it looks at is the world, never what the model says."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

from app.core.decisions_plan import VerifyPlan
from app.core.events import OutcomeChecked
from app.core.ports import Journal
from app.runner.imports import OwnFunction
from app.runner.looking import PageLook
from drivers.errors import NotDone

Verify = Callable[[Any], Awaitable[Any]]


class Verification:
    """Calls of the SDK's ``verify``. Each look goes on record as an outcome, with what was found."""

    def __init__(self, plan: VerifyPlan, look: PageLook | None, own: OwnFunction | None, journal: Journal) -> None:
        self._plan = plan
        self._look = look
        self._own = own
        self._journal = journal
        self.facts: tuple[str, ...] = ()
        """What the newest check found, in words."""

    async def verify(self, observation: Any) -> Any:
        """True only if everything that is stated holds. What the user's function returns is handed on as it is."""
        ok, facts = True, []
        if self._plan.text is not None:
            there = await self._shows(self._plan.text)
            facts.append(f"the page {'shows' if there else 'does not show'} “{self._plan.text}”")
            ok = ok and there
        if self._plan.url is not None:
            fits = await self._at(self._plan.url)
            facts.append(f"the address {'is' if fits else 'is not'} {self._plan.url}")
            ok = ok and fits
        if self._own is not None and ok:
            said = await self._own(observation)
            if said is not True and said is not False:
                self.facts = (f"{self._plan.import_path} returned {type(said).__name__}",)
                return said
            facts.append(f"{self._plan.import_path} says {'yes' if said else 'no'}")
            ok = said
        self.facts = tuple(facts)
        self._journal.append(OutcomeChecked(ok=ok, facts=self.facts))
        return ok

    async def _shows(self, text: str) -> bool:
        assert self._look is not None
        try:
            await self._look.wait_for(text)
        except NotDone:
            return False
        return True

    async def _at(self, pattern: str) -> bool:
        assert self._look is not None
        return fits_address(await self._look.address(), pattern)


def fits_address(url: str, pattern: str) -> bool:
    """Whether the whole address fits; ``*`` stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), url, re.DOTALL) is not None
