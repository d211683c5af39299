"""The demo's registered function answers from its arguments alone."""

import pytest

from app.rehearsal.functions import DEMO_FUNCTIONS


@pytest.mark.parametrize(
    ("day", "start"),
    [("Monday", "Monday: open from 17:30"), ("tuesday", "Tuesday: closed."), ("x", "There is no such day.")],
)
async def test_opening_hours(day: str, start: str) -> None:
    tool, function = DEMO_FUNCTIONS["opening_hours"]
    assert tool["name"] == "opening_hours"
    assert (await function({"day": day})).startswith(start)
