"""Loads what a run file names by import path: async functions of the user's own."""

import importlib
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from app.core.errors import UsageProblem

OwnFunction = Callable[..., Awaitable[Any]]


def load_async(path: str, *, what: str) -> OwnFunction:
    """The async function at ``package.module:name``; `what` is what the run file calls it.

    Raises:
        UsageProblem: it cannot be imported or is none; names the path.
    """
    module_name, _, name = path.partition(":")
    try:
        found: OwnFunction = getattr(importlib.import_module(module_name), name)
    except (Exception, SystemExit) as error:
        # The module is the user's own: whatever it raises while it loads is a fault of the run file's words.
        raise UsageProblem(f"{what} cannot be imported from {path!r}: {type(error).__name__}: {error}") from error
    if not inspect.iscoroutinefunction(found):
        raise UsageProblem(f"{what}: {path!r} is no async function")
    return found
