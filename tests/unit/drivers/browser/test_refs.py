"""A reference leads to the one document it was given out for, or nowhere."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.browser.refs import KEPT, Refs, refuse_status
from drivers.browser.world import World
from drivers.errors import NotDone


def world(tab_id: str = "t1", closed: bool = False) -> World:
    return cast(World, SimpleNamespace(tab=SimpleNamespace(id=tab_id, closed=closed)))


@given(st.lists(st.integers(min_value=0, max_value=9), max_size=40))
def test_each_number_belongs_to_the_document_that_gave_it_out(counts: list[int]) -> None:
    refs, owners = Refs(), dict[int, World]()
    for count in counts:
        one = world()
        owners.update({refs.last + n: one for n in range(1, count + 1)})
        refs.issued(one, refs.last + count)
    for number, owner in owners.items():
        assert refs.world_of(f"e{number}", tab_id="t1") is owner
    with pytest.raises(NotDone, match="no such ref"):
        refs.world_of(f"e{refs.last + 1}", tab_id=None)


@pytest.mark.parametrize("ref", ["", "e", "e0", "e01", "e-1", "E1", "1", "e1 ", "#id", "e" + "9" * 30, "button", "s1"])
def test_what_was_never_given_out_is_refused(ref: str) -> None:
    refs = Refs()
    refs.issued(world(), 5)
    with pytest.raises(NotDone):
        refs.world_of(ref, tab_id=None)


def test_another_tab_and_a_closed_one_are_refused() -> None:
    refs = Refs()
    refs.issued(world("t1"), 1)
    refs.issued(world("t2", closed=True), 2)
    with pytest.raises(NotDone, match="another tab"):
        refs.world_of("e1", tab_id="t2")
    with pytest.raises(NotDone, match="stale"):
        refs.world_of("e2", tab_id=None)


def test_scopes_and_elements_are_kept_apart() -> None:
    refs, one = Refs(), world()
    refs.issued(one, 2)
    assert refs.scope_world("s1", tab_id=None) is one
    with pytest.raises(NotDone, match="section"):
        refs.world_of("s1", tab_id=None)
    with pytest.raises(NotDone, match="element"):
        refs.scope_world("e2", tab_id=None)


def test_the_oldest_are_forgotten_and_refused() -> None:
    refs = Refs()
    for number in range(1, KEPT + 2):
        refs.issued(world(), number)
    with pytest.raises(NotDone, match="stale"):
        refs.world_of("e1", tab_id=None)
    assert refs.world_of(f"e{KEPT + 1}", tab_id=None).tab.id == "t1"


@pytest.mark.parametrize("status", ["unknown", "gone", "changed", "unfit"])
def test_every_finding_has_words(status: Any) -> None:
    with pytest.raises(NotDone, match=r"\w+ \w+"):
        refuse_status(status)
