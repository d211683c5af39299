"""Asks about what lies on the page: shown fresh, watched while it is asked, asked anew when the page has changed."""

from typing import Any

from app.core.ask import AskKind, Source
from app.core.breakpoint import Point
from app.core.changes import Change, Replaced, changes_between
from app.core.decision import Decision
from app.core.value import Json
from app.gate.control import PERSON_ACTED
from app.runner.aim import Aimed, aim_of
from app.runner.asking import Asking
from app.runner.holding import Holding
from app.runner.screen import Screen, Shown
from drivers.errors import NotDone

LOOK_SECS = 0.5
"""How often the page is looked at while a question stands; a change that the driver tells of is looked at at once."""

ASKED_AT_MOST = 3
"""So often one action is asked about while its page keeps changing; then it is not done."""

NOT_ON_THE_PAGE = frozenset({"navigate", "new_tab", "switch_tab", "wait_for"})
"""Members for which it does not matter what the page in front shows."""


class ShownPage:
    """The page as one question was shown with it, compared with the page now."""

    def __init__(self, screen: Screen, shown: Shown, arguments: Json, aim: Aimed) -> None:
        self._screen = screen
        self._shown = shown
        self._arguments = arguments
        self._aim = aim

    async def changed(self) -> tuple[Change, ...]:
        """Look again and again, at most one look at a time, until something has changed."""
        while True:
            await self._screen.next_look(LOOK_SECS)
            if found := await self._look():
                return found

    async def last_look(self) -> tuple[Change, ...]:
        """What an Allow must be held against here: the driver checks targets itself, at the act."""
        return () if self._shown.expected is not None else await self._look()

    async def _look(self) -> tuple[Change, ...]:
        return changes_between(self._shown.evidence, await self._screen.look_again(self._arguments, self._aim))


class PageAsking:
    """One per run."""

    def __init__(self, asking: Asking, screen: Screen, holding: Holding) -> None:
        self._asking = asking
        self._screen = screen
        self._holding = holding

    async def ask(
        self, kind: AskKind, source: Source, call_id: str, member: str, arguments: Json, **more: Any
    ) -> tuple[Decision, Shown]:
        """Raise the ask with fresh evidence, and anew while it is withdrawn; the last decision and what it was about.

        Raises:
            NotDone: the target is not there, the arguments cannot be shown, or a person has had the page meanwhile:
                there is nothing to ask.
        """
        await self._holding.at(Point("approval", source, member, arguments, call_id, kind, more.get("part", 0)))
        aim, replaces, asked = aim_of(member, arguments), None, 0
        watched = kind != "navigation" and member not in NOT_ON_THE_PAGE
        while True:
            await self._give_way(kind)
            shown = await self._screen.shown_with(arguments, aim)
            if await self._give_way(kind):
                continue
            asked += 1
            decision = await self._asking.ask(
                kind, source, call_id, member, arguments,
                evidence=shown.evidence, blobs=shown.blobs, replaces=replaces,
                watch=ShownPage(self._screen, shown, arguments, aim) if watched else None,
                **more,
            )  # fmt: skip
            if not decision.withdrawn or asked == ASKED_AT_MOST:
                return decision, shown
            replaces = Replaced(ask_id=decision.ask_id, changes=decision.withdrawn, evidence=shown.evidence)

    async def _give_way(self, kind: AskKind) -> bool:
        """Wait while a person has the page. What was chosen from an older look at it is not even asked about."""
        had_it = await self._asking.gate.control.give_way()
        if had_it and kind != "protected_read":
            raise NotDone(PERSON_ACTED)
        return had_it
