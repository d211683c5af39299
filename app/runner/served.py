"""Tools of a local server as registered functions: named after their server, each call asked like any function's."""

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Protocol

from app.core.errors import UsageProblem
from app.core.function_server import FunctionServerPlan
from app.runner.specs import FunctionOutput, FunctionSpec

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
"""What the service takes as a function's name."""


class Described(Protocol):
    """A tool as its server describes it."""

    @property
    def name(self) -> str:
        """As the server calls it."""

    @property
    def description(self) -> str:
        """For the model."""

    @property
    def schema(self) -> dict[str, Any]:
        """Of its arguments."""


def specs_of(
    plan: FunctionServerPlan,
    tools: Sequence[Described],
    call: Callable[[str, dict[str, Any]], Awaitable[FunctionOutput]],
) -> list[FunctionSpec]:
    """The functions of one server, in its order.

    Raises:
        UsageProblem: the run file names a tool that the server does not have, or one has a name that cannot be used.
    """
    known = [tool.name for tool in tools]
    for name in plan.tools or ():
        if name not in known:
            raise UsageProblem(f"function_servers {plan.name!r}: the server has no tool {name!r}")
    specs = []
    for tool in tools:
        if plan.tools is not None and tool.name not in plan.tools:
            continue
        name = f"{plan.name}_{tool.name}"
        if not _NAME.match(name):
            raise UsageProblem(f"function_servers {plan.name!r}: no function can be called {name!r}; leave it out")
        declared = {
            "type": "function",
            "name": name,
            "description": tool.description,
            "parameters": tool.schema,
            "strict": False,
        }
        specs.append(FunctionSpec(declared, partial(call, tool.name)))
    return specs
