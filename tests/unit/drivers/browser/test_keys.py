"""Key names as models write them mean the browser's keys; a name that no key has is refused."""

import pytest

from drivers.browser.keys import chords, modifiers
from drivers.errors import NotDone


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["ctrl+a"], [["Control", "a"]]),
        (["CTRL", "A"], [["Control", "a"]]),
        (["Enter"], [["Enter"]]),
        (["CMD"], [["Meta"]]),
        (["cmd+shift+T"], [["Meta", "Shift", "t"]]),
        (["alt+PRTSCR"], [["Alt", "PrintScreen"]]),
        (["ctrl+,"], [["Control", ","]]),
        (["ctrl++"], [["Control", "+"]]),
        (["+"], [["+"]]),
        (["Shift", "Tab"], [["Shift", "Tab"]]),
        (["Tab", "Tab", "Return"], [["Tab"], ["Tab"], ["Enter"]]),
        (["page_down"], [["PageDown"]]),
        (["Page Up"], [["PageUp"]]),
        (["F12"], [["F12"]]),
        (["A"], [["A"]]),
        (["shift+A"], [["Shift", "A"]]),
        (["esc"], [["Escape"]]),
        (["é"], [["é"]]),
    ],
)
def test_names_become_chords(given: list[str], meant: list[list[str]]) -> None:
    assert chords(given) == meant


@pytest.mark.parametrize("given", [[], [""], ["nonsense"], ["ctrl+ctrl+a"], ["F25"], ["x" * 65], ["a"] * 33])
def test_what_no_keyboard_has_is_refused(given: list[str]) -> None:
    with pytest.raises(NotDone):
        chords(given)


def test_only_modifiers_can_be_held_during_a_pointer_action() -> None:
    assert modifiers(["CTRL", "Control", "shift"]) == ["Control", "Shift"]
    with pytest.raises(NotDone):
        modifiers(["a"])
