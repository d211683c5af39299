"""MCP approvals: a server's tool may run only if the gate says so. The call itself is made by the service."""

from openai.types.responses.response_output_item import McpApprovalRequest

from app.core.breakpoint import Point
from app.core.value import Json, digest_of
from app.runner.asking import Asking
from app.runner.holding import Holding
from app.runner.outputs import OutputRecorder
from app.runner.turns import json_or_text


class McpApprovals:
    """The SDK's ``approve_mcp``, one for the whole run. It takes an exact bool and has no way to say why.

    Notes go to the next boundary. What was decided about a request stands: the SDK asks about each unused approval
    again when a segment begins, and a person who has answered would be asked for ever.
    """

    def __init__(self, asking: Asking, outputs: OutputRecorder, holding: Holding) -> None:
        self._holding = holding
        self._asking = asking
        self._outputs = outputs
        self._decided: dict[tuple[str, str], bool] = {}

    async def approve(self, request: McpApprovalRequest) -> bool:
        """Ask about one request. May wait for a person."""
        arguments: Json = json_or_text(request.arguments)
        known = (request.id, digest_of([request.server_label, request.name, arguments]))
        if known not in self._decided:
            self._decided[known] = await self._ask(request, arguments)
        return self._decided[known]

    async def _ask(self, request: McpApprovalRequest, arguments: Json) -> bool:
        self._asking.raw_arguments.setdefault(request.id, request.arguments)
        await self._holding.at(Point("arguments", "mcp", request.name, arguments, request.id))
        await self._holding.at(Point("approval", "mcp", request.name, arguments, request.id, "mcp_approval"))
        decision = await self._asking.ask(
            "mcp_approval",
            "mcp",
            request.id,
            request.name,
            arguments,
            server_label=request.server_label,
        )
        if decision.allowed:
            return True
        self._outputs.answered(request.id, {"output": "not approved"}, ok=False)
        if decision.note:
            self._asking.notes.append(
                f"The operator did not approve the tool {request.name} of the server {request.server_label}. "
                f"The operator's note: {decision.note}"
            )
        elif decision.by == "rule":
            self._asking.notes.append(
                f"A rule denies the tool {request.name} of the server {request.server_label}: {decision.reason}"
            )
        return False
