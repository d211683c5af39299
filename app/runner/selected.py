"""The selected candidate: its control found anew, put to the operator, and only then executed, on record."""

import functools
import inspect
from collections.abc import Sequence
from typing import Any

from app.core.breakpoint import Point
from app.core.decision import Decision
from app.core.events import Outcome
from app.core.offer import ChosenBy, Offer
from app.core.value import Json
from app.runner.asking import Asking
from app.runner.candidates import Choice
from app.runner.effects import Effect, Effects
from app.runner.holding import Holding
from app.runner.looking import PageLook
from app.runner.observations import Observer
from app.runner.page_asking import PageAsking
from app.runner.screen import Screen, Shown
from drivers.errors import NotDone


class CandidateDenied(Exception):
    """The selected candidate may not be executed; nothing of it was done."""

    def __init__(self, decision: Decision) -> None:
        super().__init__("the chosen action was denied")
        self.decision = decision


class Selected:
    """Executes what was selected, one at a time. Only what was asked about, and allowed, reaches a driver."""

    def __init__(
        self,
        asking: Asking,
        effects: Effects,
        observer: Observer,
        look: PageLook | None,
        screen: Screen | None,
        driver: Any,
        holding: Holding,
    ) -> None:
        self._holding = holding
        self._asking = asking
        self._effects = effects
        self._observer = observer
        self._look = look
        self._screen = screen
        self._driver = driver
        self._page_asking = PageAsking(asking, screen, holding) if screen is not None else None
        self.offer: Offer | None = None
        """The newest question and its answer; set by the run before a candidate can be executed."""
        self._allowed: list[tuple[str, str]] = []
        """Call id and candidate of each that was allowed, in order."""

    def begun(self) -> list[tuple[str, Outcome]]:
        """Each candidate whose effect was begun, whoever chose it, and what became of it."""
        outcomes = self._effects.outcomes
        return [(candidate, outcomes[call_id]) for call_id, candidate in self._allowed if call_id in outcomes]

    async def execute(self, chosen: Choice, others: Sequence[Choice]) -> None:
        """The SDK's ``execute`` of one candidate. May wait for a person, who may take one of `others` instead.

        Raises:
            CandidateDenied: the operator, a rule or the console said no.
            NotDone: the control is not there any more, or the driver refused.
        """
        turn = self._asking.checkpoints.requests
        await self._holding.at(Point("arguments", "decisions", chosen.member, chosen.arguments, f"choice-{turn}"))
        decision, choice, shown = await self._ask(chosen, f"choice-{turn}", "model")
        call_id, by_operator = f"choice-{turn}", False
        if decision.picked:
            instead = next(one for one in others if one.candidate_id == decision.picked)
            call_id, by_operator = f"choice-{turn}-operator", True
            decision, choice, shown = await self._ask(instead, call_id, "operator")
        if not decision.allowed:
            raise CandidateDenied(decision)
        if shown is not None and self._screen is not None:
            self._screen.hold_to(shown)
        self._allowed.append((call_id, choice.candidate_id))
        effect = Effect(call_id, "decisions", choice.member, choice.arguments, reads_only=False, needs_permit=True)
        await self._effects.perform(effect, functools.partial(self._act, choice))
        said = self._observer.completed(choice.description, by_operator=by_operator)
        told: Json = {"ok": True, "output": said}
        await self._holding.at(Point("output", "decisions", choice.member, told, call_id))

    async def _ask(self, choice: Choice, call_id: str, by: ChosenBy) -> tuple[Decision, Choice, Shown | None]:
        offer = self.offer
        if offer is None:
            raise RuntimeError("a candidate was selected without a question on record")
        if choice.control is not None and self._look is not None:
            # Its ref may be of an older document by now.
            choice = choice.on(await self._look.page())
        offer = offer.model_copy(update={"chosen": choice.candidate_id, "chosen_by": by})
        more: dict[str, Any] = {"offer": offer, "on_deny": "run_ends", "url": _url(choice)}
        if choice.execute is None and self._page_asking is not None:
            decision, shown = await self._page_asking.ask(
                "candidate", "decisions", call_id, choice.member, choice.arguments, **more
            )
            return decision, choice, shown
        await self._holding.at(Point("approval", "decisions", choice.member, choice.arguments, call_id, "candidate"))
        decision = await self._asking.ask("candidate", "decisions", call_id, choice.member, choice.arguments, **more)
        return decision, choice, None

    async def _act(self, choice: Choice) -> Any:
        if choice.execute is not None:
            extra = {}
            if "cancelled" in inspect.signature(choice.execute).parameters:
                extra["cancelled"] = lambda: self._effects.gate.closed
            return await choice.execute(**extra)
        if self._driver is None:
            raise NotDone("Not done: this run has no browser.")
        return await getattr(self._driver, choice.member)(dict(choice.arguments))


def _url(choice: Choice) -> str | None:
    url = choice.arguments.get("url")
    return url if choice.execute is None and isinstance(url, str) else None
