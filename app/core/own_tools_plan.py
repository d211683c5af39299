"""What a run file says about the tools that the console runs by itself: patches, a shell, the search for tools."""

from typing import Annotated, Literal

from pydantic import Field

from app.core.value import Frozen

CallerKind = Literal["direct", "programmatic"]
"""Who may call a tool: the model itself, or programs that it writes."""


class PatchesPlan(Frozen):
    """The tool ``apply_patch``: files of one folder are created, changed and deleted; each patch is asked."""

    folder: Annotated[str, Field(min_length=1)]
    """Nothing outside it is read or written."""
    allowed_callers: tuple[CallerKind, ...] | None = None


class ShellPlan(Frozen):
    """The tool ``shell``: commands in the code sandbox; each call is asked. Where there is no sandbox no run begins."""

    folder: str | None = None
    """A folder that commands may read, as ``/folder``; None: they see none of this machine's files."""
    call_secs: Annotated[float, Field(gt=0, le=3600)] = 60.0
    """The longest that one command may take, whatever the model asks for."""
    memory_mb: Annotated[int, Field(ge=128, le=65_536)] = 1024
    processes: Annotated[int, Field(ge=1, le=1024)] = 32
    output_chars: Annotated[int, Field(ge=100, le=1_000_000)] = 20_000
    """Of each command, of either stream."""
    allowed_callers: tuple[CallerKind, ...] | None = None


class ToolSearchPlan(Frozen):
    """The tool ``tool_search``: the model looks up tools that are deferred."""

    execution: Literal["server", "client"] = "server"
    """``client``: the console searches, and each search is asked."""
    most_found: Annotated[int, Field(ge=1, le=100)] = 5
    """Tools that one search of the console gives at most."""
