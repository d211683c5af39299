"""MCP approvals: a server's tool may run only if the gate says so. The call itself is made by the service."""

from openai.types.responses.response_output_item import McpApprovalRequest

from app.core.value import Json
from app.runner.asking import Asking
from app.runner.outputs import OutputRecorder
from app.runner.turns import json_or_text


class McpApprovals:
    """The SDK's ``approve_mcp``. It takes an exact bool and has no way to say why; notes go to the next boundary."""

    def __init__(self, asking: Asking, outputs: OutputRecorder) -> None:
        self._asking = asking
        self._outputs = outputs

    async def approve(self, request: McpApprovalRequest) -> bool:
        """Ask about one request. May wait for a person."""
        arguments: Json = json_or_text(request.arguments)
        self._asking.raw_arguments.setdefault(request.id, request.arguments)
        decision = await self._asking.ask(
            "mcp_approval",
            "mcp",
            request.id,
            request.name,
            arguments,
            server_label=request.server_label,
        )
        if not decision.allowed:
            self._outputs.answered(request.id, {"output": "not approved"}, ok=False)
        if decision.note:
            self._asking.notes.append(
                f"The operator did not approve the tool {request.name} of the server {request.server_label}. "
                f"The operator's note: {decision.note}"
            )
        return decision.allowed
