"""Drives the SDK's ``AsyncDecisionsToolRunner``: one question a step, each selected candidate asked before it acts."""

import asyncio
import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from openai import AsyncOpenAI
from openai.lib.decisions_tool_runner import (
    AsyncDecisionsToolRunner,
    DecisionsToolRunnerCancelledError,
    DecisionsToolRunnerError,
)
from openai.lib.tool_diagnostics import ToolDiagnostic

from app.core.breakpoint import Point
from app.core.decisions_plan import DONE_ID
from app.core.errors import NotDurable
from app.core.events import CallAnswered, ProposedCall, SegmentStarted, TurnAnswered
from app.core.offer import Candidate, Offer
from app.core.plan import RunPlan
from app.core.ports import Journal
from app.core.value import Json
from app.gate.control import PERSON_ACTED
from app.runner.candidates import Choice, offered, own_choice
from app.runner.checkpoints import StoppedBeforeRequest
from app.runner.decision_endings import Endings
from app.runner.decision_requests import DecisionRequests
from app.runner.decision_words import (
    CHOSEN_BEFORE,
    NOT_EXECUTED,
    QUESTION,
    NotGoneOn,
    answer_of,
    root_cause,
    tokens_of,
)
from app.runner.diagnostics import diagnostic_reported
from app.runner.effects import Effects
from app.runner.ending import Ending, unwritable
from app.runner.holding import Holding
from app.runner.imports import OwnFunction
from app.runner.leaving import Leaving
from app.runner.observations import Observer
from app.runner.received import Received
from app.runner.selected import CandidateDenied, Selected
from app.runner.session_ports import Beginning
from app.runner.stopping import Stopping
from app.runner.verification import Verification
from drivers.errors import NotDone


@dataclass
class DecisionParts:
    """What a decisions run is made of, already tied together."""

    plan: RunPlan
    model: str
    client: AsyncOpenAI
    journal: Journal
    requests: DecisionRequests
    effects: Effects
    observer: Observer
    selected: Selected
    verification: Verification | None
    own_candidates: OwnFunction | None
    stopping: Stopping
    received: Received
    holding: Holding
    leaving: Leaving
    beginning: Beginning | None = None
    """Of a run that goes on from another process or another run."""
    choices: dict[str, Choice] = field(default_factory=dict)
    """Of the newest question, by id."""


class DecisionsRun:
    """One run on the Decisions API, from its first observation to its `Ending`. Raises for cancellation only."""

    def __init__(self, parts: DecisionParts) -> None:
        self._parts = parts
        self._recorded_turn = self._held_turn = parts.requests.requests
        self._endings = Endings(parts.effects, parts.selected.begun, parts.stopping, parts.verification)
        self._interrupted = False
        verification = parts.verification
        self._runner = AsyncDecisionsToolRunner(
            observe=self._observe,
            candidates=self._candidates,
            verify=verification.verify if verification is not None else None,
        )

    async def run(self) -> Ending:
        """Question after question, until there is an ending."""
        parts = self._parts
        task = asyncio.current_task()
        parts.stopping.interrupt = lambda: self._interrupt(task)
        try:
            if (stop := parts.stopping()) is not None:
                return Ending("stopped", stop)
            return await self._to_the_end()
        except NotDurable as error:
            return unwritable(error, parts.effects)
        finally:
            parts.stopping.interrupt = lambda: None
            parts.stopping.drained = True

    async def _to_the_end(self) -> Ending:
        """SDK run after SDK run: another begins only where a person has had the page since the model chose."""
        segment = _first_segment(self._parts.beginning)
        while True:
            self._parts.journal.append(segment)
            ending = await self._sdk_run()
            if ending is not None:
                return ending
            segment = SegmentStarted(number=segment.number + 1, base_revision=0, reason=CHOSEN_BEFORE)

    async def _sdk_run(self) -> Ending | None:
        """None when the model must choose anew, on the page as it is now."""
        params: dict[str, Any] = {"model": self._parts.model, "input": self._parts.plan.task}
        if (identifier := self._parts.plan.choosing.safety_identifier) is not None:
            params["safety_identifier"] = identifier
        try:
            result = await self._runner.run(
                self._parts.client,
                cast(Any, params),
                max_steps=self._parts.plan.max_steps - self._parts.requests.requests,
                cancelled=lambda: self._parts.stopping() is not None,
                on_diagnostic=self._diagnostic,
            )
        except DecisionsToolRunnerCancelledError as error:
            return self._endings.cut_short(error)
        except DecisionsToolRunnerError as error:
            return await self._held_and_stopped(error)
        try:
            await self._hold_at_answer()
        except NotGoneOn as refusal:
            return self._endings.completed(result, held=str(refusal))
        return self._endings.completed(result)

    async def _held_and_stopped(self, error: DecisionsToolRunnerError) -> Ending | None:
        """The last answer is held even where the step limit leaves nothing to do with it."""
        try:
            if error.reason == "step_limit":
                await self._hold_at_answer()
        except NotGoneOn as refusal:
            return self._endings.ended("failed", str(refusal), error)
        return self._stopped(error)

    async def _observe(self) -> Any:
        # After a choice that says done: what is observed next is what the check is made on.
        await self._hold_at_answer()
        observation = await self._parts.observer.observe()
        self._parts.holding.gate.control.must_look = False
        return observation

    async def _candidates(self, observation: Any) -> list[Any]:
        parts, options = self._parts, self._parts.plan.choosing
        browser = parts.plan.browser
        if parts.own_candidates is not None:
            given = await parts.own_candidates(observation)
            found = self._guarded_own(given) if isinstance(given, list) else given
        else:
            choices = offered(options, parts.observer.page, browser.members if browser else None)
            done = {"id": DONE_ID, "description": options.done, "done": True}
            found = [*self._guarded(choices), done]
        if isinstance(found, list) and len(found) > 1 and parts.stopping() is None:
            self._question_leaves(found)
        return cast("list[Any]", found)

    def _question_leaves(self, found: Sequence[Any]) -> None:
        listed = [one for one in found if isinstance(one, dict)]
        offer = Offer(
            question=QUESTION,
            observation=self._parts.observer.on_record,
            candidates=tuple(
                Candidate(
                    candidate_id=_text(one.get("id")),
                    description=_text(one.get("description")),
                    done=one.get("done") is True,
                )
                for one in listed
            ),
            chosen="",
        )
        self._parts.received.clear()
        self._parts.requests.admit(offer)
        self._parts.selected.offer = offer

    def _guarded_own(self, given: Sequence[Any]) -> list[Any]:
        """The user's own list with each executor guarded; what is not of the agreed form the SDK refuses."""
        choices = {id(one): own_choice(one) for one in given if isinstance(one, dict)}
        guarded = {one.candidate_id: entry for one, entry in self._pairs([c for c in choices.values() if c])}
        return [guarded[choice.candidate_id] if (choice := choices.get(id(one))) is not None else one for one in given]

    def _guarded(self, choices: Sequence[Choice]) -> list[dict[str, Any]]:
        return [entry for _, entry in self._pairs(choices)]

    def _pairs(self, choices: Sequence[Choice]) -> list[tuple[Choice, dict[str, Any]]]:
        self._parts.choices = {choice.candidate_id: choice for choice in choices}
        return [
            (
                choice,
                {
                    "id": choice.candidate_id,
                    "description": choice.description,
                    "execute": functools.partial(self._execute, choice, tuple(choices)),
                },
            )
            for choice in choices
        ]

    async def _execute(self, choice: Choice, choices: Sequence[Choice]) -> None:
        await self._hold_at_answer()
        control = self._parts.holding.gate.control
        await control.give_way()
        if control.must_look:
            # What was chosen from an older look at the page is not even asked about.
            raise NotDone(PERSON_ACTED)
        await self._parts.selected.execute(choice, choices)

    async def _hold_at_answer(self) -> None:
        """The newest answer goes on record and the run can be held, once, before anything follows from it.

        Raises:
            NotGoneOn: going on was denied.
        """
        self._record_answer()
        turn, offer = self._parts.requests.requests, self._parts.selected.offer
        if not self._held_turn < turn == self._recorded_turn or offer is None:
            return
        self._held_turn = turn
        chosen = _text(answer_of(self._parts.received.answer).get("choice"))
        words = offer.words_for(chosen)
        arguments = self._parts.choices[chosen].arguments if chosen in self._parts.choices else {}
        answer: Json = {"chosen": chosen, "description": words, "arguments": arguments}
        try:
            await self._parts.holding.at(Point("answer", "run", f"choice-{turn}", answer))
        except NotDone as refusal:
            raise NotGoneOn(str(refusal)) from refusal

    def _record_answer(self) -> None:
        """The newest answer as it came, before anything of it is asked or done; also one that the SDK rejected."""
        parts, turn = self._parts, self._parts.requests.requests
        body = parts.received.answer
        if turn <= self._recorded_turn or body is None:
            return
        self._recorded_turn = turn
        answer, tokens = answer_of(body), tokens_of(body)
        chosen = parts.choices.get(_text(answer.get("choice")))
        call = chosen and ProposedCall(
            call_id=f"choice-{turn}", source="decisions", member=chosen.member, arguments=chosen.arguments
        )
        parts.journal.append(
            TurnAnswered(
                turn=turn,
                response_id="",
                calls=(call,) if call else (),
                messages=(),
                final=chosen is None,
                items=_finite(body.get("answers")),
                input_tokens=tokens["input_tokens"],
                output_tokens=tokens["output_tokens"],
                total_tokens=tokens["total_tokens"],
            )
        )
        if parts.selected.offer is not None and chosen is not None:
            confidence = answer.get("confidence")
            parts.selected.offer = parts.selected.offer.model_copy(
                update={
                    "chosen": chosen.candidate_id,
                    "confidence": float(confidence) if isinstance(confidence, int | float) else None,
                    **tokens,
                }
            )

    def _diagnostic(self, said: ToolDiagnostic) -> None:
        if said["stage"] in ("request", "verification"):
            self._endings.said_done = said["stage"] == "verification"
        self._parts.journal.append(diagnostic_reported(said, held_ms=self._parts.leaving.held_ms))

    def _interrupt(self, task: "asyncio.Task[Any] | None") -> None:
        """A stop came. An answer that nothing has begun to act on is not waited for."""
        if task is not None and self._parts.requests.requests > self._recorded_turn and not self._interrupted:
            self._interrupted = True
            task.cancel()

    def _chosen_before(self, error: DecisionsToolRunnerError) -> None:
        """A person has had the page since the model chose: nothing of the choice was done, and the model is told so."""
        self._endings.went_on(error)
        turn, offer = self._parts.requests.requests, self._parts.selected.offer
        said = NOT_EXECUTED.format(offer.words_for(offer.chosen) if offer is not None else "")
        self._parts.observer.tell(said)
        self._parts.journal.append(CallAnswered(call_id=f"choice-{turn}", ok=False, output=[said]))

    def _stopped(self, error: DecisionsToolRunnerError) -> Ending | None:
        root = root_cause(error)
        if isinstance(root, NotDurable):
            return unwritable(root, self._parts.effects)
        self._record_answer()
        had_it = isinstance(root, NotDone) and str(root) == PERSON_ACTED
        if had_it and not self._parts.effects.uncertain and self._parts.stopping() is None:
            self._chosen_before(error)
            return None
        if root is not error and not isinstance(root, CandidateDenied | NotGoneOn | StoppedBeforeRequest):
            self._parts.effects.failed("runner", root)
        return self._endings.stopped(error, root)


def _first_segment(beginning: Beginning | None) -> SegmentStarted:
    if beginning is None:
        return SegmentStarted(number=1, base_revision=0, reason="the run begins")
    number, carried = beginning.segments + 1, beginning.carried
    return SegmentStarted(number=number, base_revision=0, reason=beginning.reason, carried=carried)


def _text(value: object) -> str:
    return value if type(value) is str else ""


def _finite(value: Any) -> Any:
    """JSON from the wire, with what JSON has no word for (NaN) written as text."""
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_finite(entry) for entry in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
