"""Scenario files are checked whole, and each complaint says in which file, at which line, about which key."""

from pathlib import Path

import pytest

from app.core.errors import UsageProblem
from app.rehearsal.scenario import load_scenario, parse_scenario

GOOD = """\
name = "one"
title = "One"
summary = "One answer."
task = "Say something."
members = ["read_page"]

[[answers]]
[[answers.output]]
message = "Something."

[check]
claim = "Something."
bookings = []
"""


def test_a_small_file_is_enough() -> None:
    scenario = parse_scenario(GOOD, source="one.toml")
    assert scenario.operator.default == "deny"
    assert scenario.answers[0].repeat == 1


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            'message = "Something."',
            'mesage = "x"',
            "one.toml, line 8: answers[0].output[0]: an output needs exactly one of",
        ),
        ('title = "One"', 'titel = "One"', "one.toml, line 2: titel: Extra inputs are not permitted"),
        ('title = "One"', "", "one.toml: title: Field required"),
        ('title = "One"', "title = 1", "one.toml, line 2: title: Input should be a valid string"),
        ('title = "One"', "title = ", "one.toml: not TOML"),
        ("[check]", '[operator]\ndefault = "yes"\n[check]', "one.toml, line 12: operator.default: Input should be"),
        (
            "[check]",
            "[[answers.faults]]\n[check]",
            "line 11: answers[0].faults[0]: a fault needs exactly one of status",
        ),
        ('title = "One"', 'title = "One"\nengine = "decisions"', "engine 'decisions' takes decisions, and no answers"),
        (
            'message = "Something."',
            "computer = []",
            "answers[0].output[0].computer: a computer call needs at least one",
        ),
        (
            'message = "Something."',
            "computer = [{ x = 1 }]",
            "line 9: answers[0].output[0].computer: action 0 needs a type",
        ),
    ],
)
def test_a_wrong_file_says_where(old: str, new: str, complaint: str) -> None:
    with pytest.raises(UsageProblem) as problem:
        parse_scenario(GOOD.replace(old, new), source="one.toml")
    assert complaint in str(problem.value)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageProblem, match=r"no scenario 'bookin'. Known: .*booking, .*mixed"):
        load_scenario("bookin")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match=r"gone\.toml cannot be read"):
        load_scenario(tmp_path / "gone.toml")


def test_a_file_is_read_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(GOOD)
    assert load_scenario(str(tmp_path / "one.toml")).source == str(tmp_path / "one.toml")
