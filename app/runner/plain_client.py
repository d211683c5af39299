"""The SDK's client, which sends a conversation as it is. Nothing else of it is different."""

from functools import cached_property
from typing import Any

from openai import AsyncOpenAI
from openai.resources.responses import AsyncResponses

AS_THEY_ARE = ("input", "tools")


class PlainResponses(AsyncResponses):
    """Sends what is JSON already without looking through it.

    The SDK looks at every value of a request for one that has another name or form on the wire. It knows of none in
    conversations and tools, and the runner's are plain JSON; but looking takes longer with each turn.
    """

    async def create(self, **given: Any) -> Any:
        """As `AsyncResponses.create`; the body is equal to what that would send."""
        plain = {name: given.pop(name) for name in AS_THEY_ARE if isinstance(given.get(name), (str, list))}
        body = {**plain, **(given.pop("extra_body", None) or {})}
        return await super().create(**given, extra_body=body)


class PlainClient(AsyncOpenAI):
    """Also every client that the SDK makes of it with other options."""

    @cached_property
    def responses(self) -> PlainResponses:
        """Create and manage model responses."""
        return PlainResponses(self)
