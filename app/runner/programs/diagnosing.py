"""What the SDK's runner would have reported: how each stage of a call or request ended, and how long it took."""

from openai.types.responses import ResponseUsage

from app.core.events import DiagnosticReported
from app.core.ports import Clock, Journal

API = "programs"
NANOS_PER_MILLI = 1e6

FAILURES = {
    "invalid_arguments": ("arguments", "invalid_input"),
    "not_available": ("arguments", "invalid_input"),
    "not_done": ("approval", "refused"),
    "not_approved": ("approval", "refused"),
}
"""Kinds of failures that come before any effect, as stage and reason."""


class Diagnosing:
    """Free of content, in the SDK's own words for stages and reasons; they count for breakpoints like its own."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    def now(self) -> int:
        """What `since` is counted from."""
        return self._clock.mono_ns()

    def said(
        self,
        stage: str,
        reason: str,
        *,
        call_id: str | None = None,
        member: str | None = None,
        since: int | None = None,
        held_ms: float = 0.0,
        usage: ResponseUsage | None = None,
    ) -> None:
        """Put one on record with the next event. Raises `NotDurable`."""
        took = None if since is None else max(0.0, (self._clock.mono_ns() - since) / NANOS_PER_MILLI - held_ms)
        self._journal.append_soon(
            DiagnosticReported(
                api=API,
                stage=stage,
                reason=reason,
                call_id=call_id,
                member=member,
                duration_ms=took,
                input_tokens=usage.input_tokens if usage is not None else None,
                output_tokens=usage.output_tokens if usage is not None else None,
                total_tokens=usage.total_tokens if usage is not None else None,
            )
        )
