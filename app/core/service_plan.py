"""What a run file says about the model service: the request's own fields, the client, server tools, MCP filters."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from app.core.programs_plan import NOT_HERE, PROGRAMMATIC, hosted_shell
from app.core.value import Frozen, Json, Text

SERVER_TOOLS = frozenset(
    {
        "web_search",
        "web_search_2025_08_26",
        "web_search_preview",
        "web_search_preview_2025_03_11",
        "file_search",
        "code_interpreter",
        "image_generation",
    }
)
"""Tools that the service runs and that the SDK's runner accepts beside ``mcp``."""

COMPUTER_TOOLS = frozenset({"computer", "computer_use_preview"})
"""Declarations that take the place of the computer tool's own."""

_NEEDED = {"file_search": "vector_store_ids", "code_interpreter": "container"}

LOCAL_CHOICES = frozenset({"function", "computer", "computer_use", "computer_use_preview"})
"""What a tool choice may name that is done here, not at the service."""


def _word_or_table(value: object) -> str:
    """Which of two forms a value is meant to have, so that only that one complains; `core.faults` drops the marks."""
    return "=word" if isinstance(value, str) else "=table"


def _list_or_table(value: object) -> str:
    return "=list" if isinstance(value, list | tuple) else "=table"


class McpFilter(Frozen):
    """Which tools of a server are meant: all of the given must hold; an empty one means every tool."""

    tool_names: tuple[str, ...] | None = None
    read_only: bool | None = None
    """Tools that the server itself calls read-only; the service judges it, nothing here can check it."""


class McpApprovals(Frozen):
    """Which tools of a server need an approval, and which do not."""

    always: McpFilter | None = None
    never: McpFilter | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "McpApprovals":
        if self.always is None and self.never is None:
            raise ValueError("give always or never, or both")
        return self


Approval = Annotated[
    Annotated[Literal["always", "never"], Tag("=word")] | Annotated[McpApprovals, Tag("=table")],
    Discriminator(_word_or_table),
]
Allowed = Annotated[
    Annotated[tuple[str, ...], Tag("=list")] | Annotated[McpFilter, Tag("=table")],
    Discriminator(_list_or_table),
]
Choice = Annotated[
    Annotated[Literal["auto", "none", "required"], Tag("=word")] | Annotated[dict[str, Json], Tag("=table")],
    Discriminator(_word_or_table),
]


class CompactionPlan(Frozen):
    """One entry of the service's own context management."""

    type: Literal["compaction"] = "compaction"
    compact_threshold: Annotated[int, Field(ge=1_000)] | None = None
    """Tokens from which the service compacts the conversation."""


class RequestPlan(Frozen):
    """Fields of each request, under the service's own names. What is left out is not sent."""

    tool_choice: Choice | None = None
    parallel_tool_calls: bool | None = None
    max_tool_calls: Annotated[int, Field(ge=1)] | None = None
    """Calls of the service's own tools in one answer."""
    max_output_tokens: Annotated[int, Field(ge=16)] | None = None
    reasoning: dict[str, Json] | None = None
    text: dict[str, Json] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    top_logprobs: Annotated[int, Field(ge=0, le=20)] | None = None
    truncation: Literal["auto", "disabled"] | None = None
    context_management: Annotated[tuple[CompactionPlan, ...], Field(min_length=1)] | None = None
    """The service shortens the conversation itself; not together with ``[context_budget]``."""
    include: tuple[str, ...] | None = None
    metadata: dict[str, str] | None = None
    service_tier: str | None = None
    prompt_cache_key: Text | None = None
    prompt_cache_retention: Literal["in_memory", "24h"] | None = None
    safety_identifier: Text | None = None
    user: Text | None = None

    def fields(self) -> dict[str, Json]:
        """As they are sent: plain JSON, nothing that was left out."""
        sent: dict[str, Json] = self.model_dump(mode="json", exclude_none=True)
        return sent


class ClientPlan(Frozen):
    """Options of the SDK's client. Key and address come from the environment, never from a run file."""

    organization: str | None = None
    project: str | None = None
    default_headers: dict[str, str] | None = None
    """Sent with every request, never recorded."""
    default_query: dict[str, str] | None = None
    max_retries: Annotated[int, Field(ge=0, le=10)] | None = None
    """Of a decisions run. A run on the Responses API repeats no request: each is on record once."""


class EarlyExecutionPlan(Frozen):
    """Which calls may run before an answer is complete, with ``streaming.eager``. An empty one lets none."""

    functions: tuple[str, ...] = ()
    """Names as the model calls them: those of ``[[functions]]``, and ``browser_`` before a member."""
    computer: bool = False


def wrong_server_tool(tool: dict[str, Any], *, store: bool, computer: bool) -> str | None:
    """Why the service's tool cannot be declared so; None when it can."""
    kind = tool.get("type")
    if not isinstance(kind, str):
        return "a server tool needs a type"
    if kind == "mcp":
        return "declare it as [[mcp]], so that its approvals are asked"
    if kind in COMPUTER_TOOLS:
        return None if computer else f"{kind!r} needs a [computer] table"
    if kind == PROGRAMMATIC:
        return None
    if hosted_shell(tool):
        return None
    if kind in NOT_HERE:
        return f"the engine cannot run {kind!r}: {NOT_HERE[kind]}"
    if kind not in SERVER_TOOLS:
        return f"the engine cannot run {kind!r}; it can declare {', '.join(sorted({*SERVER_TOOLS, PROGRAMMATIC}))}"
    if kind == "image_generation" and not store:
        return "image_generation needs store = true: the service must keep an answer to go on from its picture"
    needed = _NEEDED.get(kind)
    return f"{kind} needs {needed}" if needed is not None and not tool.get(needed) else None


def wrong_choice(
    choice: Any,
    *,
    local: frozenset[str],
    servers: frozenset[str],
    elsewhere: frozenset[str],
    started: tuple[str, ...] = (),
) -> str | None:
    """Why a tool choice can never lead to a final message, or what it names that the run lacks; None when it may stand.

    `local` are the names of functions that the model can call here, `servers` the labels of MCP servers, `elsewhere`
    the types of all tools that the service runs. Names that begin as `started` says may be known later.
    """
    if choice in (None, "auto", "none"):
        return None
    if choice == "required":
        return None if elsewhere else "required can never end: every tool of this run is done here"
    if not isinstance(choice, dict) or not isinstance(choice.get("type"), str):
        return "write auto, none, required, or a table with a type"
    if choice["type"] in LOCAL_CHOICES:
        return f"always {choice['type']} can never end: no answer could be the final message"
    if choice["type"] != "allowed_tools":
        return _unknown_tool(choice, local, servers, elsewhere, started)
    tools = choice.get("tools")
    if choice.get("mode") not in ("auto", "required") or not isinstance(tools, list) or not tools:
        return "allowed_tools needs mode (auto or required) and a list of tools"
    if any(not isinstance(tool, dict) for tool in tools):
        return "each of the allowed tools is a table with a type"
    if choice["mode"] == "required" and all(tool.get("type") in LOCAL_CHOICES for tool in tools):
        return "allowed_tools with mode required can never end: every tool named is done here"
    return next((wrong for tool in tools if (wrong := _unknown_tool(tool, local, servers, elsewhere, started))), None)


def _unknown_tool(
    tool: dict[str, Any],
    local: frozenset[str],
    servers: frozenset[str],
    elsewhere: frozenset[str],
    started: tuple[str, ...],
) -> str | None:
    kind, name = tool.get("type"), tool.get("name")
    if kind == "function":
        known = name in local or (isinstance(name, str) and name.startswith(started))
        return None if known else f"this run has no function {name!r}"
    if kind == "mcp":
        label = tool.get("server_label")
        return None if label in servers else f"this run has no MCP server {label!r}"
    if kind in LOCAL_CHOICES:
        return None if "computer" in local else "this run has no computer tool"
    return None if kind in elsewhere else f"this run declares no tool {kind!r}"
