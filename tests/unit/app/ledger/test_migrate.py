"""An older event becomes a newer one step by step; a missing step is named."""

import pytest

from app.core.errors import LedgerProblem
from app.ledger import migrate
from app.ledger.migrate import upgraded
from app.ledger.schema import FORMAT


def test_this_format_needs_no_step() -> None:
    assert upgraded({"type": "run_ended"}, FORMAT) == {"type": "run_ended"}
    assert upgraded({"type": "run_ended"}, FORMAT + 1) == {"type": "run_ended"}


def test_each_older_format_has_its_step() -> None:
    assert sorted(migrate.CONVERTERS) == list(range(1, FORMAT))


def test_steps_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "FORMAT", 3)
    monkeypatch.setitem(migrate.CONVERTERS, 1, lambda body: {**body, "second": body["first"] + 1})
    monkeypatch.setitem(migrate.CONVERTERS, 2, lambda body: {**body, "third": body["second"] + 1})
    assert upgraded({"first": 1}, 1) == {"first": 1, "second": 2, "third": 3}
    assert upgraded({"second": 5}, 2) == {"second": 5, "third": 6}
    monkeypatch.delitem(migrate.CONVERTERS, 2)
    with pytest.raises(LedgerProblem, match="format 2"):
        upgraded({"first": 1}, 1)


def test_what_is_no_object_is_no_event() -> None:
    with pytest.raises(LedgerProblem, match="not an object"):
        upgraded([], 1)
