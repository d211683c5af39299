"""An address that a check states."""

import pytest

from app.runner.verification import fits_address


@pytest.mark.parametrize(
    ("url", "pattern", "fits"),
    [
        ("https://a.test/done", "https://a.test/done", True),
        ("https://a.test/done?x=1", "https://a.test/done", False),
        ("https://a.test/done?x=1", "https://a.test/done*", True),
        ("https://evil.test/?https://a.test/done", "https://a.test/*", False),
        ("https://a.test/a.b", "https://a.test/a?b", False),
        ("https://a.test/booking/7/thanks", "https://a.test/booking/*/thanks", True),
        ("https://axtest/", "https://a.test/", False),
    ],
)
def test_the_whole_address_must_fit(url: str, pattern: str, fits: bool) -> None:
    assert fits_address(url, pattern) is fits
