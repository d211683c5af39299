"""The command that shows one address in a real browser without any frame, as a program on a desktop."""

import os

from drivers.browser.launch import find_browser


def kiosk(url: str) -> tuple[str, ...]:
    """Fills its screen with the page at `url`."""
    found = find_browser()
    assert found is not None
    flags = ["--kiosk", "--no-first-run", "--disable-gpu", "--disable-sync", "--disable-background-networking"]
    flags += ["--disable-component-update", "--password-store=basic", "--disable-dev-shm-usage", "--disable-quic"]
    flags += ["--disable-features=Translate", "--disable-smooth-scrolling", "--disable-domain-reliability"]
    flags += ["--no-sandbox", "--test-type"] if os.geteuid() == 0 else []
    return (str(found.path), *flags, url)
