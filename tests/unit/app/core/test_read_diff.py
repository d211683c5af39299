"""A page read is compared with the one before it of the same kind and tab; refs do not count, states do."""

from typing import Any

from app.core.events import PageRead
from app.core.read_diff import previous_read, read_diff
from tests.helpers.journals import JournalWriter, booking, folded


def read(*elements: dict[str, Any], text: Any = "", url: str = "http://a", tab: str = "t1") -> PageRead:
    report = {"version": 1, "text": text, "elements": list(elements), "omitted": []}
    return PageRead(call_id="c", member="read_page", report=report, tab_id=tab, url=url)


def button(label: str, ref: str = "e1", **more: Any) -> dict[str, Any]:
    return {"ref": ref, "role": "button", "label": label, **more}


def test_elements_that_came_went_and_changed() -> None:
    old = read(button("Stay"), button("Go"), button("Box", checked=False), button("Stay"))
    new = read(button("Stay", "e9"), button("Box", "e8", checked=True), button("New"), button("Stay", "e7"))
    diff = read_diff(old, new)
    assert [(one.what, one.element["label"]) for one in diff.elements] == [
        ("changed", "Box"),
        ("new", "New"),
        ("gone", "Go"),
    ]
    assert diff.elements[0].before is not None
    assert diff.elements[0].before["checked"] is False
    assert not diff.other_page
    assert diff.count == 3


def test_one_of_several_of_the_same_name_that_goes_is_missed() -> None:
    diff = read_diff(read(button("Ok"), button("Ok")), read(button("Ok")))
    assert [one.what for one in diff.elements] == ["gone"]


def test_sentences_that_came_and_went() -> None:
    diff = read_diff(read(text="Book. It is noon. Closed."), read(text="Book. It is one. Bye!\nOpen"))
    assert [(one.what, one.text) for one in diff.texts] == [
        ("gone", "It is noon. Closed."),
        ("new", "It is one. Bye! Open"),
    ]
    assert read_diff(read(text="Same"), read(text="Same", url="http://b")).other_page


def test_reports_of_odd_shapes_have_no_differences() -> None:
    odd = PageRead(call_id="c", member="read_page", report=["no"], tab_id="t1", url="")
    assert read_diff(odd, odd).count == 0
    assert read_diff(odd, read(text=7)).count == 0


def test_the_read_before_is_of_the_same_kind_and_tab() -> None:
    writer = JournalWriter(records=[])
    for one in booking().records[:1]:
        writer.add(one.event)
    for tab in ("t1", "t2", "t1"):
        writer.add(read(tab=tab, text=tab))
    timeline = folded(writer.records)
    assert previous_read(timeline, 4) is timeline.reads[0]
    assert previous_read(timeline, 3) is None
    assert previous_read(timeline, 1) is None
