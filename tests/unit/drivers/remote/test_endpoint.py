"""Addresses of somebody else's: none holds a secret, and none is reached in the clear unless that was said."""

import pytest

from drivers.remote.endpoint import Endpoint, RemoteMissing, Secret

WEB = ("https", "http", "wss", "ws")


@pytest.mark.parametrize(
    "address",
    ["", "127.0.0.1:9222", "file:///etc/passwd", "ws://", "ws://host:99999", "ws://ada:pass@host", "ws://host/?token=1",
     "ws://host/#a", "vnc://host"],
)  # fmt: skip
def test_what_is_no_address_or_holds_a_secret_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(RemoteMissing) as refused:
        Endpoint.at(address, schemes=WEB)
    assert "pass" not in str(refused.value).replace("password", "")


@pytest.mark.parametrize(
    ("address", "refused"),
    [("ws://127.0.0.1:9222", False), ("http://localhost:9222", False), ("ws://[::1]:9222", False),
     ("wss://far.example", False), ("ws://far.example", True), ("http://127.0.0.1.far.example", True),
     ("ws://192.168.1.5", True)],
)  # fmt: skip
def test_in_the_clear_only_to_this_machine_unless_it_was_said(address: str, refused: bool) -> None:
    endpoint = Endpoint.at(address, schemes=WEB)
    if refused:
        with pytest.raises(RemoteMissing, match="without encryption"):
            endpoint.require_encryption()
    else:
        endpoint.require_encryption()
    said = Endpoint.at(address, schemes=WEB, allow_plain=True)
    said.require_encryption()
    # A secret kept for the encrypted place is another one's.
    assert (said.place != endpoint.place) == refused


def test_a_secret_is_shown_nowhere() -> None:
    endpoint = Endpoint.at("wss://far.example", schemes=WEB, secret=Secret("hunter2"))
    assert "hunter2" not in repr(endpoint)
    with pytest.raises(RemoteMissing, match="control character"):
        Endpoint.at("wss://far.example", schemes=WEB, secret=Secret("a\r\nHost: elsewhere"))
