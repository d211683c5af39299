"""The journal's numbers are exact, and no address that the SDK would choke on gets out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.lib.browser import _observed_state, _state_origin

from drivers.browser.observation import Journal, PageChange, shown_url


def test_the_window_drops_the_oldest_and_counts_them() -> None:
    journal = Journal(window=3)
    for number in range(10):
        journal.record(PageChange("navigation", f"t{number}"))
    seen = journal.observation()
    assert (seen["sequence"], seen["dropped_changes"]) == (10, 7)
    assert [c["sequence"] for c in seen["changes"]] == [8, 9, 10]
    _observed_state(seen)


def test_every_kind_passes_the_sdk() -> None:
    journal = Journal()
    for kind in ("tab_opened", "tab_closed", "tab_switched", "navigation"):
        journal.record(PageChange(kind, "t1"))
    for reason in ("policy", "unsupported"):
        journal.record(PageChange("navigation_refused", None, reason))
    for dialog in ("alert", "confirm", "prompt", "beforeunload", "other"):
        journal.record(PageChange("dialog_dismissed", "t1", dialog))
    for status in ("blocked", "started", "completed", "failed"):
        journal.record(PageChange("download", "t1", status))
    assert len(_observed_state(journal.observation())["changes"]) == 15


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://User:pw@Shop.example:443/a?b#c", "https://shop.example"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
        ("http://127.0.0.1:80/", "http://127.0.0.1"),
        ("chrome-error://chromewebdata/", "about:blank"),
        ("file:///etc/passwd", "about:blank"),
        ("http://0x7f.1/", "about:blank"),
        ("http://a_b.example/", "about:blank"),
        ("", "about:blank"),
    ],
)
def test_addresses_are_cut_to_what_a_state_may_show(url: str, shown: str) -> None:
    assert shown_url(url) == shown


@given(st.one_of(st.text(), st.from_regex(r"https?://[^/]{0,40}(/.*)?")))
def test_whatever_the_address_the_sdk_takes_what_is_shown(url: str) -> None:
    _state_origin(shown_url(url))
