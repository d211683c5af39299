"""The schema that editors use accepts what the program accepts."""

import json

import pytest

from app.cli.schema import print_schema
from app.core.plan import RunPlan
from app.core.plan_toml import NOT_IN_A_FILE


def test_the_schema_names_every_key_as_run_files_spell_it(capsys: pytest.CaptureFixture[str]) -> None:
    print_schema()
    schema = json.loads(capsys.readouterr().out)
    assert set(schema["properties"]) == set(RunPlan.model_fields) - NOT_IN_A_FILE
    assert schema["required"] == ["task"]
    assert schema["additionalProperties"] is False
    function = schema["$defs"]["FunctionPlan"]
    assert "import" in function["properties"]
    assert "import_path" not in function["properties"]
    assert set(schema["$defs"]["RulePlan"]["properties"]["verdict"]["enum"]) == {"allow", "hold", "deny"}
