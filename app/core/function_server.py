"""A run file's ``[[function_servers]]``: MCP servers that the console starts itself."""

from typing import Annotated

from pydantic import Field

from app.core.value import Frozen


class FunctionServerPlan(Frozen):
    """An MCP server that the console starts on this machine; its tools are functions, each call asked."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,31}$")]
    """Stands before each function's name: ``files`` and ``read`` make ``files_read``."""
    command: Annotated[tuple[str, ...], Field(min_length=1)]
    folder: str | None = None
    """Where it is started; None: the console's own folder."""
    env: dict[str, str] | None = None
    """Added to the few variables that it inherits; never recorded."""
    tools: tuple[str, ...] | None = None
    """Exactly these of its tools; None: all."""
    start_secs: Annotated[float, Field(gt=0, le=600)] = 30.0
    """How long it may take to answer its first question."""
