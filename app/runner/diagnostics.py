"""The SDK's diagnostics as the journal keeps them."""

from openai.lib.tool_diagnostics import ToolDiagnostic

from app.core.events import DiagnosticReported


def diagnostic_reported(said: ToolDiagnostic) -> DiagnosticReported:
    """The event for one diagnostic; its usage, where it has one, laid out flat."""
    usage = said["usage"]
    return DiagnosticReported(
        api=said["api"],
        stage=said["stage"],
        reason=said["reason"],
        call_id=said["call_id"],
        member=said["member"],
        duration_ms=said["duration_ms"],
        input_tokens=usage["input_tokens"] if usage else None,
        output_tokens=usage["output_tokens"] if usage else None,
        total_tokens=usage["total_tokens"] if usage else None,
    )
