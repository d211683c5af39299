"""What a scenario leaves open is found in what the run sent, or the message says what was there instead."""

from typing import Any

import pytest

from app.rehearsal.items import ElementTarget
from app.rehearsal.references import NotThere, Seen
from tests.unit.app.rehearsal.seen_body import call, element, picture_output, read_output, refused_output

NAME = ElementTarget(role="textbox", label="Name")


def seen(*items: dict[str, Any], tools: list[dict[str, Any]] | None = None) -> Seen:
    return Seen({"input": list(items), "tools": tools or []}, site="http://127.0.0.1:1")


def test_the_ref_comes_from_the_newest_page_read() -> None:
    old = read_output("c1", [element("e1", "textbox", "Name")])
    new = read_output("c2", [element("e9", "textbox", " Name\n"), element("e10", "textbox", "Note")])
    assert seen(old, new).fill({"text": "Ada", "target": {"role": "textbox", "label": "Name"}}) == {
        "text": "Ada",
        "target": "e9",
    }


def test_an_element_of_an_older_read_is_gone() -> None:
    old = read_output("c1", [element("e1", "textbox", "Name")])
    new = read_output("c2", [element("e2", "button", "Reserve table")])
    with pytest.raises(
        NotThere, match="textbox 'Name' is not in the newest page read, which has: button 'Reserve table'"
    ):
        seen(old, new).ref(NAME)


def test_a_role_must_fit_as_well_as_the_label() -> None:
    with pytest.raises(NotThere, match="which has: button 'Name'"):
        seen(read_output("c1", [element("e1", "button", "Name")])).ref(NAME)


def test_without_a_page_read_there_is_no_ref() -> None:
    with pytest.raises(NotThere, match="the run has sent no page read yet"):
        seen(refused_output("c1")).ref(NAME)


def test_two_fitting_elements_need_a_number() -> None:
    twice = seen(read_output("c1", [element("e1", "textbox", "Name"), element("e2", "textbox", "Name")]))
    with pytest.raises(NotThere, match="2 elements fit; give nth"):
        twice.ref(NAME)
    assert twice.ref(ElementTarget(role="textbox", label="Name", nth=2)) == "e2"
    with pytest.raises(NotThere, match="number 3 is not in"):
        twice.ref(ElementTarget(role="textbox", label="Name", nth=3))


def test_a_place_is_a_fraction_of_the_newest_picture() -> None:
    sent = seen(picture_output("c1", 10, 10), picture_output("c2", 1280, 800))
    assert sent.point([0.5, 0.25]) == (640, 200)


@pytest.mark.parametrize("at", [[0.5], [1.0, 0.2], [-0.1, 0.2], "middle"])
def test_a_place_off_the_picture_is_refused(at: object) -> None:
    with pytest.raises(NotThere, match="two fractions of the picture"):
        seen(picture_output("c1", 10, 10)).point(at)


def test_without_a_picture_there_is_no_place() -> None:
    with pytest.raises(NotThere, match="no picture yet"):
        seen().point([0.5, 0.5])


def test_text_that_was_read_can_be_quoted() -> None:
    read = read_output("c1", [], text="Reference\nHT-7")
    assert seen(read).fill_text("It is {{seen:HT-[0-9]+}} on {{site}}.") == "It is HT-7 on http://127.0.0.1:1."
    with pytest.raises(NotThere, match="nothing that the run has read fits"):
        seen(read).fill_text("{{seen:XX-[0-9]+}}")


@pytest.mark.parametrize(
    ("newest", "expected"),
    [
        (refused_output("c1"), True),
        (read_output("c1", []), False),
        ({"type": "function_call_output", "call_id": "c1", "output": "Not executed: the operator said no."}, True),
        ({"type": "function_call_output", "call_id": "c1", "output": "Monday: open."}, False),
        ({"type": "mcp_approval_response", "approval_request_id": "m", "approve": False}, True),
        ({"type": "mcp_approval_response", "approval_request_id": "m", "approve": True}, False),
        ({"type": "message", "role": "user", "content": "The click was not allowed."}, True),
        ({"role": "user", "content": [{"type": "input_text", "text": "Go on."}]}, False),
    ],
)
def test_what_was_not_done_is_noticed(newest: dict[str, Any], expected: bool) -> None:
    assert seen(call("c1"), newest).something_not_done() is expected


def test_only_the_last_turn_counts() -> None:
    assert not seen(call("c1"), refused_output("c1"), call("c2"), read_output("c2", [])).something_not_done()


def test_the_task_itself_is_no_refusal() -> None:
    assert not seen({"role": "user", "content": "Say what was refused."}).something_not_done()


def test_an_undeclared_tool_is_named_with_those_there_are() -> None:
    with pytest.raises(NotThere, match="'browser_click' is not declared by the request, whose tools are: f, computer"):
        seen(tools=[{"type": "function", "name": "f"}, {"type": "computer"}]).schema("browser_click")


def test_only_an_approved_request_gives_an_mcp_call() -> None:
    request = {"type": "mcp_approval_request", "id": "m1", "server_label": "s", "name": "t", "arguments": "{}"}
    denied = {"type": "mcp_approval_response", "approval_request_id": "m1", "approve": False}
    approved = {"type": "mcp_approval_response", "approval_request_id": "m1", "approve": True}
    assert seen(request, approved).approved("s", "t") == request
    with pytest.raises(NotThere, match="was not approved"):
        seen(request, denied).approved("s", "t")
