"""What is offered: each visible control as an action in words, ids of their own, refs found anew."""

from typing import Any

import pytest

from app.core.decisions_plan import DecisionsPlan
from app.runner.candidates import Choice, Control, offered
from app.runner.looking import PageSeen
from drivers.errors import NotDone


def page(*elements: dict[str, Any]) -> PageSeen:
    return PageSeen("A page", "https://a.test", "https://a.test/x", "text", elements, ())


def element(ref: str, role: str, label: str, **more: Any) -> dict[str, Any]:
    return {"ref": ref, "role": role, "label": label, **more}


def options(**given: Any) -> DecisionsPlan:
    return DecisionsPlan.model_validate(given)


GUESTS = element(
    "e3",
    "combobox",
    "Guests",
    value="1",
    options=[{"label": "1 guest", "value": "1"}, {"label": "2 guests", "value": "2"}],
)
FORM = page(
    element("e1", "textbox", "Name", value=""),
    element("e2", "textbox", "Note", value=""),
    GUESTS,
    element("e4", "checkbox", "Newsletter", checked=False),
    element("e5", "radio", "Indoors", checked=False),
    element("e6", "slider", "Volume", value="3"),
    element("e7", "button", "Reserve\n table"),
)


def test_every_control_becomes_what_a_person_would_say() -> None:
    found = offered(options(texts={"Name": "Ada Park"}), FORM, None)
    assert [(one.candidate_id, one.description, one.member, one.arguments) for one in found] == [
        ("type-name", "Type “Ada Park” into the field “Name”", "type",
         {"text": "Ada Park", "target": "e1", "tab_id": None}),
        ("click-note", "Click into the field “Note”", "click", {"target": "e2", "tab_id": None}),
        ("choose-2-guests", "Choose “2 guests” for “Guests”", "select_option",
         {"values": ["2"], "target": "e3", "tab_id": None}),
        ("tick-newsletter", "Tick the box “Newsletter”", "set_checked",
         {"checked": True, "target": "e4", "tab_id": None}),
        ("pick-indoors", "Pick “Indoors”", "set_checked", {"checked": True, "target": "e5", "tab_id": None}),
        ("click-volume", "Click on the slider “Volume”", "click", {"target": "e6", "tab_id": None}),
        ("press-reserve-table", "Press “Reserve table”", "click", {"target": "e7", "tab_id": None}),
    ]  # fmt: skip


def test_what_stands_already_is_not_offered() -> None:
    full = page(
        element("e1", "textbox", "Name", value="Ada Park"),
        {**GUESTS, "options": GUESTS["options"][:1]},
        element("e4", "checkbox", "Newsletter", checked=True),
        element("e5", "radio", "Indoors", checked=True),
    )
    found = offered(options(texts={"Name": "Ada Park"}), full, None)
    assert [one.description for one in found] == ["Untick the box “Newsletter”"]


def test_controls_of_one_name_have_ids_of_their_own_and_say_which() -> None:
    found = offered(options(), page(*(element(f"e{n}", "button", "Book") for n in (1, 2, 3))), None)
    assert [one.candidate_id for one in found] == ["press-book", "press-book-2", "press-book-3"]
    assert [one.description for one in found][2] == "Press “Book” (number 3 of that name)"
    assert [one.control for one in found if one.control] == [Control("button", "Book", n) for n in (1, 2, 3)]


def test_no_id_is_the_one_that_ends_the_run_and_letters_of_any_script_give_one() -> None:
    found = offered(options(), page(element("e1", "button", "完了"), element("e2", "button", "予約")), None)
    assert [one.candidate_id for one in found] == ["press", "press-2"]


def test_more_controls_than_a_request_may_hold_are_cut_and_the_own_list_comes_first() -> None:
    many = page(*(element(f"e{n}", "button", f"B{n}") for n in range(400)))
    own = [{"id": "open", "description": "Open", "member": "navigate", "arguments": {"url": "https://a.test/"}}]
    found = offered(options(candidates=own), many, None)
    assert len(found) == 254
    assert (found[0].candidate_id, found[-1].candidate_id) == ("open", "press-b252")


def test_members_of_the_run_file_are_the_only_ones_offered() -> None:
    found = offered(options(), FORM, ("set_checked",))
    assert {one.member for one in found} == {"set_checked"}


def test_a_planned_candidate_is_offered_only_where_its_control_is() -> None:
    planned = {
        "id": "book", "description": "Book", "member": "click",
        "arguments": {"target": {"role": "button", "label": "Book", "nth": 2}},
    }  # fmt: skip
    one, two = (
        page(element("e1", "button", "Book")),
        page(element("e1", "button", "Book"), element("e2", "button", "Book")),
    )
    assert offered(options(candidates=[planned], page=False), one, None) == []
    (choice,) = offered(options(candidates=[planned], page=False), two, None)
    assert choice.arguments == {"target": "e2", "tab_id": None}


def test_a_ref_is_found_anew() -> None:
    choice = Choice("book", "Book", "click", {"target": "e1", "tab_id": None}, Control("button", "Book"))
    assert choice.on(page(element("e9", "button", " Book "))).arguments["target"] == "e9"
    with pytest.raises(NotDone, match="not on the page any more"):
        choice.on(page(element("e9", "button", "Cancel")))


BOOKS = page(*(element(f"e{n}", "button", "Book") for n in (1, 2, 3)))


def test_the_very_element_is_found_among_those_of_its_name_wherever_it_stands_now() -> None:
    _, second, _ = offered(options(), BOOKS, None)
    now = page(*(element(ref, "button", "Book") for ref in ("e3", "e1", "e2")))
    assert second.on(now).arguments["target"] == "e2"


def test_one_that_has_moved_into_its_place_is_not_taken_for_it() -> None:
    _, second, _ = offered(options(), BOOKS, None)
    with pytest.raises(NotDone, match="not on the page any more"):
        second.on(page(element("e1", "button", "Book"), element("e3", "button", "Book")))
    with pytest.raises(NotDone, match="not on the page any more"):
        second.on(page(*(element(f"e{n}", "button", "Book") for n in (5, 6, 7, 8))))


def test_on_a_page_drawn_anew_its_place_tells_it() -> None:
    _, second, _ = offered(options(), BOOKS, None)
    assert second.on(page(*(element(f"e{n}", "button", "Book") for n in (5, 6, 7)))).arguments["target"] == "e6"


def test_no_label_can_say_anything_outside_of_its_quotation_marks() -> None:
    told = [
        element("e1", "button", "Cancel” (number 2 of that name)"),
        element("e2", "combobox", "C", value="", options=[{"label": "A” for “B", "value": "a"}]),
        element("e3", "link", "x” or Press “y"),
    ]
    assert [one.description for one in offered(options(), page(*told), None)] == [
        "Press “Cancel’ (number 2 of that name)”",
        "Choose “A’ for ‘B” for “C”",
        "Click on the link “x’ or Press ‘y”",
    ]
