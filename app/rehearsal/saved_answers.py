"""A saved run as a rehearsal needs it: its answers in order, what each was asked with, and what a person decided."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.ask import Ask
from app.core.decision import Decision
from app.core.errors import LedgerProblem
from app.core.events import AskRaised, DecisionMade, RequestSent, RunStarted, TurnAnswered
from app.core.offer import Offer
from app.core.value import Json
from app.ledger.chain import manifest_fits
from app.ledger.checkpoints import Shape, Slot
from app.ledger.codec import decode
from app.ledger.reader import LedgerReader

_NOT_OURS = frozenset({"copied", "damaged", "older", "newer"})
_ADDED_BY_THE_SDK = frozenset({"parsed", "parsed_arguments"})
"""What its client adds to an answer; no service sends it."""

Item = Mapping[str, Any]


@dataclass(frozen=True)
class SavedAnswer:
    """One answer of the model and the request that it was given to."""

    items: tuple[dict[str, Any], ...]
    """As the service sent them; of a decisions run its ``answers``."""
    revision: int
    """The checkpoint whose history was sent with the request; 0 in a decisions run."""
    offer: Offer | None
    """What a decisions request offered."""
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class SavedDecision:
    """What was asked and what was answered."""

    ask: Ask
    decision: Decision


class SavedAnswers:
    """A ledger that was made here and is whole as far as it goes, opened to be rehearsed. Any thread."""

    def __init__(self, path: Path) -> None:
        """Read it.

        Raises:
            LedgerProblem: it may be looked at only, or holds nothing to rehearse.
        """
        self.path = path
        self._reader = LedgerReader.open(path)
        try:
            self.answers: list[SavedAnswer] = []
            self.decisions: list[SavedDecision] = []
            self.run = self._read()
            self._slots = dict(self._histories())
        except BaseException:
            self._reader.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._reader.close()

    def slots(self, revision: int) -> list[Slot]:
        """Where the items of the input lie that was sent with checkpoint `revision`; equal ones are equal here."""
        return self._slots.get(revision, [])

    def item(self, slot: Slot) -> Json:
        """One of them."""
        if isinstance(slot, str):
            return decode(self._reader.blob(slot).decode("ascii"), self._reader.blob)
        return decode(json.dumps(slot), self._reader.blob)[0]

    def tool_names(self) -> set[str]:
        """Functions that the run declared."""
        newest = self._reader.latest_checkpoint() if self._slots else None
        tools = newest.get("tools", []) if newest else []
        return {str(tool.get("name")) for tool in tools if isinstance(tool, dict) and tool.get("type") == "function"}

    def _read(self) -> RunStarted:
        started: RunStarted | None = None
        asks: dict[str, Ask] = {}
        requests: list[RequestSent] = []
        for recorded in self._reader.events():
            match recorded.event:
                case RunStarted() as started:
                    pass
                case RequestSent() as request:
                    requests.append(request)
                case TurnAnswered() as answered:
                    self.answers.append(_answer(answered, requests[-1] if requests else None))
                case AskRaised(ask=ask):
                    asks[ask.ask_id] = ask
                case DecisionMade(decision=decision) if decision.ask_id in asks:
                    self.decisions.append(SavedDecision(asks[decision.ask_id], decision))
                case _:
                    pass
        wrong = sorted(self._reader.flags & _NOT_OURS)
        if wrong:
            # Its plan says what to import and where to go: only of a run that was made here is it known who wrote it.
            raise LedgerProblem(f"may be looked at but not rehearsed ({', '.join(wrong)}): {self.path}")
        if started is not None and started.origin is not None:
            raise LedgerProblem(f"a fork begins with another run's history and cannot be rehearsed: {self.path}")
        if started is None or not any(answer.items for answer in self.answers):
            raise LedgerProblem(f"there is no answer of a model in it to rehearse: {self.path}")
        return started

    def _histories(self) -> Iterator[tuple[int, list[Slot]]]:
        wanted = {answer.revision for answer in self.answers}
        shape = Shape()
        for revision, _, _, body, attached, _ in self._reader.manifests():
            if not manifest_fits(body, attached):
                raise LedgerProblem(f"checkpoint {revision} was changed or damaged: {self.path}")
            shape.add(body)
            if revision in wanted:
                yield revision, list(shape.lists.get("history", []))


def _answer(answered: TurnAnswered, request: RequestSent | None) -> SavedAnswer:
    found = answered.items if isinstance(answered.items, list) else []
    return SavedAnswer(
        items=tuple(_as_sent(item) for item in found if isinstance(item, dict)),
        revision=request.revision if request is not None else 0,
        offer=request.offer if request is not None else None,
        input_tokens=answered.input_tokens,
        output_tokens=answered.output_tokens,
    )


def _as_sent(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_sent(item) for key, item in value.items() if key not in _ADDED_BY_THE_SDK}
    if isinstance(value, list):
        return [_as_sent(item) for item in value]
    return value
