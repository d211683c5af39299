"""The compact form in which a scenario writes the output items of a model; `responses` makes wire items of them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Tag, field_validator

Fields = dict[str, Any]


class Strict(BaseModel):
    """A part of a scenario file: it never changes and knows all of its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ElementTarget(Strict):
    """An element of the newest page read; stands wherever an argument wants a ref."""

    role: Literal["button", "textbox", "combobox", "checkbox", "radio", "slider", "listbox"]
    label: str
    nth: int | None = None
    """Counted from 1, for when several elements carry the same role and label."""


class MessageItem(Strict):
    """Words of the model."""

    message: str
    phase: Literal["commentary", "final_answer"] = "final_answer"


class ReasoningItem(Strict):
    """A reasoning item; `reasoning` is its summary and may be empty."""

    reasoning: str


class BrowserItem(Strict):
    """A call of one browser member. Arguments that may be null and are left out are sent as null."""

    browser: str
    arguments: Fields = {}
    invalid: bool = False
    """The toolset is expected to refuse it before anybody is asked."""


class FunctionItem(Strict):
    """A call of a registered function; in the background where the request declares the function so."""

    function: str
    arguments: Fields = {}
    by_program: bool = False
    """The newest program makes the call."""


class CustomItem(Strict):
    """A call of a custom tool."""

    custom: str
    """The tool's name."""
    text: str
    by_program: bool = False


class PatchItem(Strict):
    """A patch of one file of the scenario's folder."""

    patch: Literal["create_file", "update_file", "delete_file"]
    path: str
    diff: str | None = None
    by_program: bool = False


class ShellItem(Strict):
    """Commands for the sandbox."""

    shell: tuple[str, ...]
    timeout_ms: int | None = None
    by_program: bool = False


class SearchItem(Strict):
    """A search of the console for tools that are deferred."""

    tool_search: str
    """What is looked for."""


class ProgramItem(Strict):
    """A program that the service runs; its calls follow in this answer or in later ones."""

    program: str
    """Its source."""


class ProgramOutputItem(Strict):
    """The end of the newest program."""

    program_output: str
    """Its result."""
    status: Literal["completed", "incomplete"] = "completed"


class SafetyCheckEntry(Strict):
    """A pending safety check of a computer call."""

    code: str
    message: str


class ComputerItem(Strict):
    """A batch of computer actions. ``at = [0.5, 0.25]`` gives a place as fractions of the newest picture."""

    computer: tuple[Fields, ...]
    safety: tuple[SafetyCheckEntry, ...] = ()

    @field_validator("computer")
    @classmethod
    def _actions_have_types(cls, actions: tuple[Fields, ...]) -> tuple[Fields, ...]:
        if not actions:
            raise ValueError("a computer call needs at least one action")
        for number, action in enumerate(actions):
            if not isinstance(action.get("type"), str):
                raise ValueError(f"action {number} needs a type")
        return actions


class McpApprovalItem(Strict):
    """A request to let an MCP server's tool run."""

    mcp_approval: str
    """The tool's name."""
    server: str
    arguments: Fields = {}


class McpCallItem(Strict):
    """A finished MCP call. Its arguments are those of the newest approved request for the same tool."""

    mcp_call: str
    server: str
    output: str


class RawItem(Strict):
    """An item sent as it stands, for what the compact forms cannot say. Text templates are still filled in."""

    raw: Fields


_FORMS = (
    "message",
    "reasoning",
    "browser",
    "function",
    "custom",
    "program",
    "program_output",
    "computer",
    "mcp_approval",
    "mcp_call",
    "patch",
    "shell",
    "tool_search",
    "raw",
)


def _form_of(item: object) -> str | None:
    if isinstance(item, dict):
        present = [form for form in _FORMS if form in item]
        return present[0] if len(present) == 1 else None
    return next((form for form in _FORMS if hasattr(item, form)), None)


OutputItem = Annotated[
    Annotated[MessageItem, Tag("message")]
    | Annotated[ReasoningItem, Tag("reasoning")]
    | Annotated[BrowserItem, Tag("browser")]
    | Annotated[FunctionItem, Tag("function")]
    | Annotated[CustomItem, Tag("custom")]
    | Annotated[ProgramItem, Tag("program")]
    | Annotated[ProgramOutputItem, Tag("program_output")]
    | Annotated[ComputerItem, Tag("computer")]
    | Annotated[McpApprovalItem, Tag("mcp_approval")]
    | Annotated[McpCallItem, Tag("mcp_call")]
    | Annotated[PatchItem, Tag("patch")]
    | Annotated[ShellItem, Tag("shell")]
    | Annotated[SearchItem, Tag("tool_search")]
    | Annotated[RawItem, Tag("raw")],
    Discriminator(
        _form_of,
        custom_error_type="output_form",
        custom_error_message="an output needs exactly one of " + ", ".join(_FORMS),
    ),
]
