"""Which addresses count as public, whatever form they are written in."""

import pytest

from drivers.browser.proxy import is_public

PUBLIC = ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:808:808"]
PRIVATE = [
    "10.1.2.3", "169.254.169.254", "127.0.0.1", "0.0.0.0", "100.64.0.1", "224.0.0.1", "192.168.1.1",
    "::1", "::", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "fe80::1%eth0", "2002:7f00:1::", "fd00::1", "ff02::1",
    "::7f00:1", "::a9fe:a9fe", "64:ff9b:1::808:808", "::ffff:0:a01:203", "fec0::1", "::ffff:224.0.0.1", "4000::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses(address: str) -> None:
    assert not is_public(address)
