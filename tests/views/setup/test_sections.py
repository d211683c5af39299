"""The form gives back every run file as it was put in, and says what is wrong at the field that it is about."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.core.faults import plan_of_values
from app.core.plan import RunPlan
from app.core.plan_toml import values_of
from app.rehearsal.plan import plan_of
from app.rehearsal.scenario import list_scenarios, load_scenario
from app.views.setup.fields import fields_of
from app.views.setup.sections import MAIN, Sections
from app.views.setup.setup_panel import SetupPanel
from tests.views.setup.plans import WHOLE_RUN_FILES, without_defaults

ALL = fields_of(RunPlan)
TABLES = [field.key for field in ALL if field.kind in ("table", "tables", "values")]


@pytest.fixture
def sections(qtbot: QtBot) -> Sections:
    """With every page made, so that what comes back has been through the fields."""
    made = Sections()
    qtbot.addWidget(made)
    for section in (MAIN, *TABLES):
        made.page(section)
    return made


@given(values=WHOLE_RUN_FILES)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_is_put_in_comes_back(sections: Sections, values: dict[str, Any]) -> None:
    sections.put(values)
    assert without_defaults(sections.values(), ALL) == without_defaults(values, ALL)
    sections.put({})
    assert without_defaults(sections.values(), ALL) == {}


@pytest.mark.parametrize("name", list_scenarios())
def test_a_plan_goes_through_the_form_unchanged(sections: Sections, name: str) -> None:
    plan = plan_of(load_scenario(name), "http://127.0.0.1:1", sandbox=False)
    sections.put(values_of(plan))
    assert plan_of_values(sections.values()) == plan


def test_what_a_page_would_show_that_nobody_opened_is_kept(qtbot: QtBot) -> None:
    sections = Sections()
    qtbot.addWidget(sections)
    values = {"task": "t", "browser": {"viewport": [800, 600]}, "rules": [{"verdict": "deny"}]}
    sections.put(values)
    assert sections.values() == values


FAULTY: dict[str, dict[str, Any]] = {
    "max_steps": {"max_steps": 0},
    "browser.members": {"browser": {"members": ["clik"]}},
    "browser.viewport": {"browser": {"viewport": [1280]}},
    "browser": {"browser": {"members": [], "additional_members": []}},
    "mcp[].require_approval": {"mcp": [{"server_label": "a", "connector_id": "c", "require_approval": "no"}]},
    "mcp[]": {"mcp": [{"server_label": "a"}]},
    "rules[].verdict": {"rules": [{"verdict": "allow"}, {"text": "x"}]},
    "server_tools[].tool": {"server_tools": [{"type": "web_search"}, {"type": "shell"}]},
    "request.tool_choice": {"request": {"tool_choice": "required"}},
    "streaming.early_execution": {"streaming": {"early_execution": {}}},
    "client.max_retries": {"client": {"max_retries": 1}},
    "context_budget": {"context_budget": {}, "request": {"truncation": "auto"}},
    "limits.drain_secs": {"limits": {"drain_secs": "soon"}},
    "decisions": {"decisions": {}},
}


class NoFiles:
    """Ports of a form that is only written in."""

    def presets(self) -> list[Any]:
        return []


@pytest.mark.parametrize("place", list(FAULTY))
def test_what_is_wrong_is_said_at_its_field_and_nowhere_else(qtbot: QtBot, place: str) -> None:
    panel = SetupPanel(NoFiles())  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    with qtbot.waitSignal(panel.settled):
        pass
    panel.put({"task": "t", **FAULTY[place]})
    section = place.replace("[]", "").partition(".")[0]
    panel.sections.open(section if section in TABLES else MAIN)
    said = {
        label.objectName().removeprefix("wrong_")
        for label in panel.findChildren(QLabel)
        if label.objectName().startswith("wrong_") and label.text()
    }
    assert said == {place}
    assert not panel.start_button.isEnabled()
    assert panel.status.text() == "1 field is wrong"
    panel.put({"task": "t"})
    assert panel.plan == RunPlan(task="t")
    assert panel.start_button.isEnabled()
