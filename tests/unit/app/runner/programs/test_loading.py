"""What a run file names by import path: custom tools, and declarations of which the run file replaces parts."""

import pytest

from app.core.errors import UsageProblem
from app.core.programs_plan import CustomToolPlan, FunctionPlan
from app.runner.functions import load_custom_tool, load_function

OURS = "tests.unit.app.runner.programs.own_tools"


def test_a_custom_tool_is_loaded_with_what_the_run_file_says() -> None:
    given = {"name": "note", "import": f"{OURS}:note", "async": True, "allowed_callers": ("direct",)}
    spec = load_custom_tool(CustomToolPlan.model_validate(given))
    assert spec.tool == {"type": "custom", "name": "note", "async": True, "allowed_callers": ["direct"]}


def test_a_function_s_declaration_is_replaced_where_the_run_file_says_something() -> None:
    schema = {"type": "object"}
    given = {"name": "stock", "import": f"{OURS}:stock", "output_schema": schema, "reads_only": True}
    spec = load_function(FunctionPlan.model_validate(given))
    assert spec.tool == {"type": "function", "name": "stock", "async": True, "output_schema": schema}
    assert spec.reads_only


@pytest.mark.parametrize("name", ["stock", "missing"])
def test_what_is_no_custom_tool_is_named(name: str) -> None:
    with pytest.raises(UsageProblem, match=name if name == "missing" else "no custom tool"):
        load_custom_tool(CustomToolPlan.model_validate({"name": name, "import": f"{OURS}:{name}"}))
