"""A registered function as the application offers it; needs no SDK to be described."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

FunctionOutput = str | list[dict[str, Any]]
Executor = Callable[[dict[str, Any]], Awaitable[FunctionOutput]]


@dataclass(frozen=True)
class FunctionSpec:
    """The declaration for the model, and what runs when it is called."""

    tool: dict[str, Any]
    execute: Executor
    allow_output_override: bool = False
    independent: bool = False
    kind: Literal["function_call", "code"] = "function_call"
    """What is asked about a call of it."""
    reads_only: bool = False
    """Its author's word that it changes nothing."""


CustomExecutor = Callable[[str], Awaitable[FunctionOutput]]


@dataclass(frozen=True)
class CustomToolSpec:
    """A custom tool: what runs is given the model's free text."""

    tool: dict[str, Any]
    execute: CustomExecutor
    reads_only: bool = False


ToolSpec = FunctionSpec | CustomToolSpec


def spec_of(tool: dict[str, Any], execute: Callable[[Any], Awaitable[FunctionOutput]], *, reads_only: bool) -> ToolSpec:
    """The one that fits the declaration's type."""
    if tool.get("type") == "custom":
        return CustomToolSpec(tool, execute, reads_only)
    return FunctionSpec(tool, execute, reads_only=reads_only)
