"""``signalbox rules``: what a run file's rules would have answered in a saved run."""

import tomllib
from pathlib import Path

import pytest

from app.cli.rules import toml_of
from app.core.plan import RulePlan
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
    assert "asks in 1 runs" in said
    assert "rule 1: deny, " in said
    assert "nothing is done" in said


def test_a_broken_rule_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = rules(tmp_path, "[[rules]]", 'verdict = "perhaps"')
    assert main(["rules", str(file), str(RECORDING)]) == 2
    assert "run.toml:3: rules[0].verdict" in capsys.readouterr().err


def test_a_proposed_rule_is_toml_that_reads_back() -> None:
    rule = RulePlan(verdict="allow", members=("click",), origins=("https://a.test",), text='said "yes"')
    (read,) = tomllib.loads(toml_of(rule))["rules"]
    assert RulePlan.model_validate(read) == rule
