"""``signalbox rules``: what a run file's rules would have answered in a saved run."""

import tomllib
from pathlib import Path

import pytest

from app.cli.rules import toml_of
from app.cli.runfile import load_run_file
from app.core.errors import UsageProblem
from app.core.plan import RulePlan, RunPlan
from app.main import main

RECORDING = Path(__file__).parents[3] / "recordings" / "format-1.signalbox"


def rules(tmp_path: Path, *lines: str) -> Path:
    file = tmp_path / "run.toml"
    file.write_text("\n".join(['task = "t"', *lines]), encoding="utf-8")
    return file


def test_the_recorded_run_under_other_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = rules(tmp_path, "[[rules]]", 'verdict = "deny"', 'text = "nothing is done"', 'kinds = ["browser_action"]')
    assert main(["rules", str(file), str(RECORDING)]) == 0
    said = capsys.readouterr().out
    assert "asks in 1 run" in said
    assert "rule 1: deny, " in said
    assert "nothing is done" in said


def test_a_broken_rule_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = rules(tmp_path, "[[rules]]", 'verdict = "perhaps"')
    assert main(["rules", str(file), str(RECORDING)]) == 2
    assert "run.toml:3: rules[0].verdict" in capsys.readouterr().err


def test_where_only_rules_are_broken_a_run_has_none_and_says_why(tmp_path: Path) -> None:
    file = rules(tmp_path, "max_steps = 7", "[[rules]]", 'verdict = "allow"', "[[rules]]", 'verdict = "perhaps"')
    plan = load_run_file(file, without_broken_rules=True)
    assert (plan.rules, plan.max_steps) == ((), 7)
    assert "run.toml:6: rules[1].verdict" in plan.broken_rules
    with pytest.raises(UsageProblem):
        load_run_file(rules(tmp_path, "max_steps = 0", "[[rules]]", 'verdict = "perhaps"'), without_broken_rules=True)


def test_a_proposed_rule_is_toml_that_reads_back() -> None:
    rule = RulePlan(verdict="allow", members=("click",), origins=("https://a.test",), text='said "yes"')
    (read,) = tomllib.loads(toml_of(rule))["rules"]
    assert RulePlan.model_validate(read) == rule


def test_why_rules_are_broken_is_no_key_of_a_run_file(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="broken_rules: there is no such key"):
        load_run_file(rules(tmp_path, 'broken_rules = "all is well"'))
    assert "broken_rules" not in str(RunPlan.model_json_schema(by_alias=True))
