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
