"""The SDK's diagnostics as the journal keeps them."""

from openai.lib.tool_diagnostics import ToolDiagnostic

from app.core.events import DiagnosticReported


def diagnostic_reported(said: ToolDiagnostic, *, held_ms: float = 0.0) -> DiagnosticReported:
    """The event for one diagnostic; its usage, where it has one, laid out flat.

    `held_ms`: how long its request was held before it left, which the SDK counts in.
    """
    usage, duration_ms = said["usage"], said["duration_ms"]
    if said["stage"] == "request" and duration_ms is not None:
        duration_ms = max(0.0, duration_ms - held_ms)
    return DiagnosticReported(
        api=said["api"],
        stage=said["stage"],
        reason=said["reason"],
        call_id=said["call_id"],
        member=said["member"],
        duration_ms=duration_ms,
        input_tokens=usage["input_tokens"] if usage else None,
        output_tokens=usage["output_tokens"] if usage else None,
        total_tokens=usage["total_tokens"] if usage else None,
    )
