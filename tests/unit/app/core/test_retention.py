"""Nothing goes unless it is set, and then only what is old or too much, the oldest first, never what is needed."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.core.retention import DAY_MS, MB, Retention, overdue

NOW = 1_800_000_000_000


@dataclass(frozen=True)
class Run:
    started_wall_ms: int
    size_bytes: int = MB
    removable: bool = True


def days_ago(days: float, **more: object) -> Run:
    return Run(NOW - int(days * DAY_MS), **more)  # type: ignore[arg-type]


def test_off_keeps_everything() -> None:
    assert Retention().off
    assert overdue([days_ago(9000)], Retention(), now_wall_ms=NOW) == []


def test_by_age() -> None:
    runs = [days_ago(1), days_ago(31), days_ago(29.9), days_ago(400), days_ago(50, removable=False), Run(0)]
    found = overdue(runs, Retention(older_than_days=30), now_wall_ms=NOW)
    assert [(one.run, one.reason) for one in found] == [
        (runs[3], "older than 30 days"),
        (runs[1], "older than 30 days"),
    ]


def test_by_size_the_oldest_first_and_no_more_than_needed() -> None:
    runs = [days_ago(number, size_bytes=10 * MB) for number in range(1, 6)]
    found = overdue(runs, Retention(above_total_mb=30), now_wall_ms=NOW)
    assert [one.run for one in found] == [runs[4], runs[3]]
    both = overdue(runs, Retention(older_than_days=3, above_total_mb=30), now_wall_ms=NOW)
    assert [one.reason for one in both] == ["older than 3 days", "older than 3 days"]


RUNS = st.builds(Run, st.integers(0, NOW), st.integers(0, 50 * MB), st.booleans())


@given(st.lists(RUNS, max_size=12), st.none() | st.integers(1, 9999), st.none() | st.integers(1, 300))
def test_whatever_is_set(runs: list[Run], days: int | None, megabytes: int | None) -> None:
    retention = Retention(older_than_days=days, above_total_mb=megabytes)
    found = [one.run for one in overdue(runs, retention, now_wall_ms=NOW)]
    assert all(run.removable and run.started_wall_ms for run in found)
    assert [run.started_wall_ms for run in found] == sorted(run.started_wall_ms for run in found)
    if days is None and megabytes is None:
        assert found == []


@pytest.mark.parametrize("wrong", [{"older_than_days": 0}, {"above_total_mb": -1}, {"older": 3}])
def test_a_bound_is_at_least_one(wrong: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        Retention.model_validate(wrong)
