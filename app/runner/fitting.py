"""The user's own Python, loaded and held against the rest of the run file before anything of a run is on record."""

from collections.abc import Sequence

from app.core.errors import UsageProblem
from app.core.plan import RunPlan
from app.runner.decision_parts import load_own
from app.runner.functions import for_the_sdk, own_tools
from app.runner.specs import ToolSpec
from app.runner.tying import UNFITTING


def require_own(plan: RunPlan, more: Sequence[ToolSpec] = ()) -> None:
    """Import what the run file names and see that it can be run so; `more`: tools from elsewhere.

    What local servers of tools bring is not known yet. Runs the modules of the user's own: not for the window's thread.

    Raises:
        UsageProblem: one cannot be imported, is no such thing, or does not fit the others.
    """
    tools = [*more, *own_tools(plan)]
    load_own(plan)
    if plan.engine == "programs":
        # Schemas are checked there; no other run needs what that loads.
        from app.runner.programs.own import require_search
        from app.runner.programs.tools import local_tools

        require_search(plan, list(local_tools(tools).values()))
    elif plan.engine == "responses":
        names = [str(spec.tool["name"]) for spec in for_the_sdk(tools)]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise UsageProblem(f"{UNFITTING}: {twice!r} is declared twice")
