"""Decisions runs for tests: real session, gate, ledger, SDK and HTTP service; the page comes over plain HTTP."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.core.plan import RunPlan
from app.core.timeline import Timeline
from app.ledger.verify import verify
from app.rehearsal.scenario import Scenario, parse_scenario
from app.replay.source import open_source
from drivers.errors import NotDone
from tests.unit.app.runner.harness import Run, SeenDriver, run_scenario
from tests.unit.app.runner.scenes import ALLOW, FORM

OWN = "tests.unit.app.runner.own_choices"
RESERVED = 'verify_text = "Your table is reserved"'
BOOKED = ("type-name", "press-reserve-table", "done")


class ChoosingDriver(SeenDriver):
    """The page driver whose reads say what each field holds and may hold."""

    def _elements(self) -> list[dict[str, Any]]:
        return [{**element, **self._state(self._control(element["ref"]))} for element in super()._elements()]

    async def set_checked(self, args: Any) -> str:
        self.did.append(("set_checked", dict(args)))
        control = self._control(args["target"])
        control.pop("checked", None)
        if args["checked"]:
            control["checked"] = ""
        return "set"

    async def wait_for(self, args: Any) -> str:
        if args["text"] not in " ".join(self._page.text):
            raise NotDone("The text did not come.")
        return "there"

    @staticmethod
    def _state(control: dict[str, Any]) -> dict[str, Any]:
        if control["tag"] == "button":
            return {}
        if control.get("type") == "checkbox":
            return {"checked": "checked" in control}
        options = {"options": [{"label": value, "value": value} for value in control["options"]]}
        return {"value": control["value"], **(options if control["tag"] == "select" else {})}


def choosing(
    *steps: str, choosing: str = 'texts = { Name = "Ada Park" }', operator: str = ALLOW, keys: str = ""
) -> Scenario:
    """A scenario of these decisions: each an id to choose, or the lines of a step."""
    written = [step if "=" in step else f'choose = "{step}"' for step in steps]
    text = f"""name = "choosing"
title = "Choose"
summary = "Chooses."
task = "Book a table for Ada Park."
engine = "decisions"
start = "{FORM}"
members = []
{keys}
[choosing]
{choosing}
{chr(10).join(f"[[decisions]]{chr(10)}{step}" for step in written)}
{operator}
[check]
claim = ""
bookings = []
"""
    return parse_scenario(text, source="choosing.toml")


def with_options(**changes: Any) -> Callable[[RunPlan], RunPlan]:
    """The plan with other options in its ``[decisions]`` table, checked anew."""

    def changed(plan: RunPlan) -> RunPlan:
        made: dict[str, Any] = plan.choosing.model_dump(by_alias=True)
        made.update(changes)
        given = plan.model_dump(by_alias=True, exclude={"streaming"})
        return RunPlan.model_validate({**given, "decisions": made})

    return changed


def own(candidates: str, *, observe: str = "observe", verify: str | None = None) -> Callable[[RunPlan], RunPlan]:
    """The plan with the user's own Python in place of the page."""
    return with_options(
        observe=f"{OWN}:{observe}",
        **{"import": f"{OWN}:{candidates}"},
        texts={},
        candidates=(),
        verify={"import": f"{OWN}:{verify}"} if verify else None,
    )


def run_choosing(scenario: Scenario, folder: Path, **more: Any) -> Run:
    """Run it, and hold the saved run against the live one: the ledger is whole and tells the very same."""
    run = run_scenario(scenario, folder, **{"make_driver": ChoosingDriver, **more})
    assert verify(run.ledger_path).whole
    source = open_source(run.ledger_path)
    saved = Timeline()
    for recorded in source.events:
        saved.apply(recorded)
    source.close()
    assert list(saved.events) == list(run.timeline.events)
    return run
