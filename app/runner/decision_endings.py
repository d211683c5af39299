"""How a decisions run came to its end, from the SDK's result or error and what the console knows beside it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from openai.lib.decisions_tool_runner import (
    DecisionsRunResult,
    DecisionsToolRunnerCancelledError,
    DecisionsToolRunnerError,
)

from app.core.events import Outcome, RunStatus
from app.core.offer import Verification as HowVerified
from app.runner.decision_words import CHECK_FAILED, executed_words, explained
from app.runner.effects import Effects
from app.runner.ending import UNCERTAIN, Ending
from app.runner.selected import CandidateDenied
from app.runner.verification import Verification

SdkError = DecisionsToolRunnerError | DecisionsToolRunnerCancelledError


@dataclass
class Endings:
    """One per run. Every ending names the ids of all SDK runs of the run, in order."""

    effects: Effects
    begun: Callable[[], Sequence[tuple[str, Outcome]]]
    """The candidates whose effects were begun, and what became of each: the words of an ending are of these."""
    stopping: Callable[[], str | None]
    verification: Verification | None
    said_done: bool = False
    """Whether the newest selection was the one that ends the run."""
    _attempted: list[str] = field(default_factory=list)
    _completed: list[str] = field(default_factory=list)
    """Of SDK runs before the one in progress."""

    def went_on(self, error: SdkError) -> None:
        """One SDK run has ended and another begins; its evidence is kept."""
        self._attempted += error.attempted_candidate_ids
        self._completed += error.completed_candidate_ids

    def completed(self, result: DecisionsRunResult, *, held: str = "") -> Ending:
        """The SDK's runner has returned; `held`: why its last answer could not be gone on from."""
        status = result["status"]
        attempted, completed = result["attempted_candidate_ids"], result["completed_candidate_ids"]
        if held:
            return self._ending("failed", held, attempted, completed)
        if status == "refused":
            words = "refused: the model refused to select an action"
            return self._ending("failed", words, attempted, completed, "refused")
        if status == "verified" and self.verification is not None:
            return self._ending("finished", f"verified: {self._facts()}", attempted, completed, "verified")
        if (stop := self.stopping()) is not None:
            # Said where the answer was held: what the model claims is not taken for an end.
            return self._ending("stopped", stop, attempted, completed)
        words = "unverified: the model says that the task is complete; the run states no check"
        return self._ending("finished", words, attempted, completed, "unverified")

    def stopped(self, error: DecisionsToolRunnerError, root: BaseException) -> Ending:
        """The SDK's runner has raised; `root` is what it hides."""
        ids = executed_words(self.begun(), error.attempted_candidate_ids)
        stop = self.stopping()
        if self.effects.uncertain:
            return self.ended("needs_reconciling", f"{UNCERTAIN}{ids}", error)
        if stop is not None:
            return self.ended("stopped", f"{stop}{ids}", error)
        if isinstance(root, CandidateDenied):
            return self._denied(root, ids, error)
        words = explained(error)
        if error.reason in ("verification_failed", "step_limit") and self.said_done:
            words = f"{CHECK_FAILED if error.reason == 'step_limit' else words}: {self._facts()}"
        return self.ended("failed", f"{words}{ids}", error)

    def cut_short(self, error: DecisionsToolRunnerCancelledError) -> Ending:
        """The run's task was cancelled: by a stop while an answer was awaited, or because something did not end."""
        stop, task = self.stopping(), asyncio.current_task()
        if stop is None or task is None:
            raise asyncio.CancelledError from error
        task.uncancel()
        ids = executed_words(self.begun(), error.attempted_candidate_ids)
        if self.effects.uncertain:
            words = f"{stop}; an action did not end in time and was cut off. {UNCERTAIN}"
            return self.ended("needs_reconciling", f"{words}{ids}", error)
        return self.ended("stopped", f"{stop}{ids}", error)

    def ended(self, status: RunStatus, reason: str, error: SdkError) -> Ending:
        """An ending with the evidence of `error`."""
        return self._ending(status, reason, list(error.attempted_candidate_ids), list(error.completed_candidate_ids))

    def _denied(self, root: CandidateDenied, ids: str, error: DecisionsToolRunnerError) -> Ending:
        decision = root.decision
        if decision.by in ("person", "scripted"):
            return self.ended("stopped", f"the chosen action was denied; nothing of it was done{ids}", error)
        who = "a rule" if decision.by == "rule" else "the console"
        return self.ended("failed", f"{who} denied the chosen action: {decision.reason}{ids}", error)

    def _ending(
        self, status: RunStatus, reason: str, attempted: list[str], completed: list[str], verified: HowVerified = ""
    ) -> Ending:
        both = (tuple([*self._attempted, *attempted]), tuple([*self._completed, *completed]))
        return Ending(status, reason, "", verified, *both)

    def _facts(self) -> str:
        return "; ".join(self.verification.facts) if self.verification is not None else ""
