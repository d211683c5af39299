"""``signalbox demo --unattended``: the real program, a real browser, the real HTTP service, a real file at the end."""

from pathlib import Path

import pytest

from app.core.events import DecisionMade, OutcomeChecked
from app.replay.source import open_source
from drivers.code.isolation import isolation
from drivers.errors import SandboxUnavailable
from tests.end2end.program import signalbox


def no_sandbox() -> str:
    """Why code cannot be run here; empty when it can."""
    try:
        isolation(required=True)
    except SandboxUnavailable as missing:
        return str(missing)
    return ""


needs_sandbox = pytest.mark.skipif(bool(no_sandbox()), reason=no_sandbox())


@pytest.mark.parametrize(
    ("scenario", "decisions", "saved"),
    [
        ("booking", 8, "Ada Park, 2 guests, 3 May 2027 19:00"),
        ("refusal", 5, "Ada Park, 4 guests, 3 May 2027 20:00"),
        ("mixed", 13, "Ada Park, 2 guests, 3 May 2027 20:00"),
        ("two-calls", 3, "no booking was saved"),
        pytest.param("code", 4, "Ada Park, 2 guests, 3 May 2027 19:00", marks=needs_sandbox),
        ("decisions", 5, "Ada Park, 2 guests, 3 May 2027 19:00"),
    ],
)
def test_each_scenario_ends_well_and_really_did_what_it_says(
    scenario: str, decisions: int, saved: str, tmp_path: Path
) -> None:
    ran = signalbox("demo", scenario, "--unattended", home=tmp_path)
    assert ran.code == 0, ran.err
    assert ran.last_line["status"] == "finished"
    assert int(ran.last_line["decisions"]) == decisions
    assert saved in ran.out
    assert signalbox("verify", str(ran.ledger), home=tmp_path).code == 0
    source = open_source(ran.ledger)
    try:
        events = [recorded.event for recorded in source.events]
    finally:
        source.close()
    decided = [event.decision for event in events if isinstance(event, DecisionMade)]
    assert {decision.by for decision in decided} <= {"scripted", "rule"}, "never a person's"
    checks = [event.ok for event in events if isinstance(event, OutcomeChecked)]
    assert checks, "the site was asked at the end"
    assert all(checks)


def test_list_names_the_scenarios(tmp_path: Path) -> None:
    ran = signalbox("demo", "--list", home=tmp_path)
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == [
        *("booking", "code", "decisions", "inventory", "menu", "mixed", "prices"),
        *("refusal", "restock", "takeover", "two-calls", "weather"),
    ]


def test_without_a_display_that_answers_the_demo_says_so_and_leaves_pictures(tmp_path: Path) -> None:
    ran = signalbox("demo", home=tmp_path, QT_QPA_PLATFORM="", DISPLAY=":64997")
    assert ran.code == 0, ran.err
    assert "nothing answers at the display :64997 (DISPLAY)" in ran.out
    assert "So the demo runs by itself" in ran.out
    [folder] = (tmp_path / "runs").glob("*.pictures")
    pictures = sorted(folder.glob("*.png"))
    assert len(pictures) == 8, "seven questions and the end"
    assert "propagateSizeHints" not in ran.err
    assert all(picture.stat().st_size > 20_000 for picture in pictures)
    assert str(folder) in ran.out
