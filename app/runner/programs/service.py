"""One request of the own loop and its answer, streamed or in one piece. No request is ever sent twice."""

from collections.abc import Mapping, Sequence
from typing import Any

from openai import AsyncOpenAI
from openai.types.responses import Response

from app.core.plan import RunPlan
from app.runner.programs.items import Wire
from app.runner.received import CLOSING_EVENTS, Received

SEALED = "reasoning.encrypted_content"
"""What the service must send along when it keeps nothing: reasoning that goes back with the rest."""


class BrokenOff(Exception):
    """The stream ended before its answer did."""


class Service:
    """The Responses API as this loop uses it."""

    def __init__(
        self, client: AsyncOpenAI, plan: RunPlan, model: str, tools: Sequence[Wire], received: Received
    ) -> None:
        self._client = client.with_options(max_retries=0)
        self._plan = plan
        self._received = received
        self._fixed = _fixed_fields(plan, model, tools)

    async def answer(self, input_items: Sequence[Wire], previous: str | None) -> Response:
        """Send the items and wait for the answer. `previous`: id of the stored answer that they follow.

        Raises:
            BrokenOff: the stream ended early.
            openai.APIError: the service refused, or could not be reached.
        """
        fields: dict[str, Any] = {**self._fixed, "input": list(input_items)}
        if previous is not None:
            fields["previous_response_id"] = previous
        if not self._plan.streaming.stream:
            whole: Response = await self._client.responses.create(**fields)
            return whole
        answer: Response | None = None
        stream = await self._client.responses.create(**fields, stream=True)
        async with stream:
            async for event in stream:
                self._received.event(event)
                if event.type in CLOSING_EVENTS:
                    answer = event.response
        if answer is None:
            raise BrokenOff
        return answer


def _fixed_fields(plan: RunPlan, model: str, tools: Sequence[Wire]) -> Mapping[str, Any]:
    fields: dict[str, Any] = {"model": model, "store": plan.store, "tools": list(tools)}
    if (instructions := plan.told_instructions) is not None:
        fields["instructions"] = instructions
    if plan.request is not None:
        fields |= plan.request.fields()
    if not plan.store:
        fields["include"] = list(dict.fromkeys([SEALED, *fields.get("include", [])]))
    return fields
