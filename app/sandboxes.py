"""What runs in a sandbox of its own, code and shell: whether there can be one here, and the making of it."""

import contextlib
import os
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from app.core.errors import MissingHere
from app.core.own_tools_plan import ShellPlan
from app.core.plan import RunPlan
from app.runner.code import CodeSandbox

if TYPE_CHECKING:
    from drivers.browser.driver import BrowserDriver
    from drivers.desktop.driver import DesktopDriver


def require_code(plan: RunPlan) -> None:
    """Look for the sandbox and the folders that the plan's code, shell and patches need, before anything is recorded.

    Raises:
        MissingHere: there is none, and the run file does not do without it.
    """
    for table, given in (("patches", plan.patches), ("shell", plan.shell)):
        folder = given.folder if given is not None else None
        if folder is not None and not os.path.isdir(os.path.expanduser(folder)):
            raise MissingHere(f"{table}.folder: there is no folder {folder}")
    if plan.code is None and plan.shell is None:
        return
    from drivers.code.isolation import isolation, node_program
    from drivers.errors import SandboxUnavailable

    try:
        # Commands are never run outside it.
        isolation(required=plan.shell is not None or (plan.code is not None and plan.code.isolation == "required"))
        if plan.code is not None and "js" in plan.code.languages:
            node_program()
    except SandboxUnavailable as missing:
        raise MissingHere(str(missing)) from missing


@contextlib.asynccontextmanager
async def code_environments(
    plan: RunPlan, driver: "BrowserDriver | None", desktop: "DesktopDriver | None"
) -> AsyncGenerator[dict[str, CodeSandbox]]:
    """The code environments of a run; none starts a process before its first call."""
    if plan.code is None:
        yield {}
        return
    from drivers.code.environment import CodeEnvironment
    from drivers.code.isolation import isolation
    from drivers.code.limits import CodeLimits
    from drivers.code.outside import Outside

    own: dict[str, Any] = {}
    if desktop is not None:
        from drivers.desktop.code_input import DesktopInput

        own["pyautogui"] = DesktopInput(desktop)

    def objects() -> dict[str, Any]:
        tab = driver.tabs.active if driver is not None else None
        return {"page": tab.page, **own} if tab is not None else own

    asked = plan.code
    limits = CodeLimits(
        call_secs=asked.call_secs,
        memory_mb=asked.memory_mb,
        total_mb=asked.total_mb,
        processes=asked.processes,
        output_chars=asked.output_chars,
    )
    chosen = isolation(required=plan.code.isolation == "required")
    async with contextlib.AsyncExitStack() as stack:
        made: dict[str, CodeSandbox] = {}
        for language in plan.code.languages:
            outside = Outside() if plan.code.page else None
            environment = CodeEnvironment(chosen, limits, outside, objects, language=language)
            stack.push_async_callback(environment.aclose)
            made[language] = environment
        yield made


def open_shell_of(given: ShellPlan) -> contextlib.AbstractAsyncContextManager[object]:
    """The shell of a run."""
    from drivers.code.limits import CodeLimits
    from drivers.code.shell import open_shell

    limits = CodeLimits(
        call_secs=given.call_secs,
        memory_mb=given.memory_mb,
        processes=given.processes,
        output_chars=given.output_chars,
    )
    return open_shell(limits, given.folder)
