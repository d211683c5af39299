"""A window under a card can be closed by its own button: only that one message of the window manager is heard."""

import ctypes

import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from app.views.decision.close_request import CloseRequests, _ClientMessage

PROTOCOLS, DELETE, WINDOW = 300, 301, 77
XCB = QByteArray(b"xcb_generic_event_t")


def _message(**changes: int) -> _ClientMessage:
    fields = {"response_type": 33, "window": WINDOW, "type": PROTOCOLS, "data": DELETE} | changes
    message = _ClientMessage(response_type=fields["response_type"], window=fields["window"], type=fields["type"])
    message.data[0] = fields["data"]
    return message


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def requests(window: QMainWindow, heard: list[str]) -> CloseRequests:
    made = CloseRequests(window, lambda: heard.append("close"))
    made._protocols, made._delete, made._window_id = PROTOCOLS, DELETE, WINDOW
    return made


def test_the_wish_to_close_this_window_is_heard_and_passed_on(requests: CloseRequests, heard: list[str]) -> None:
    for sent_by_a_client in (0, 0x80):
        message = _message(response_type=33 | sent_by_a_client)
        assert requests.nativeEventFilter(XCB, ctypes.addressof(message)) == (False, 0)
    assert heard == ["close", "close"]


@pytest.mark.parametrize("other", ["response_type", "window", "type", "data"])
def test_any_other_message_is_not(requests: CloseRequests, heard: list[str], other: str) -> None:
    message = _message(**{other: 4})
    requests.nativeEventFilter(XCB, ctypes.addressof(message))
    assert heard == []


def test_without_an_x_server_nothing_is_installed(window: QMainWindow, heard: list[str]) -> None:
    requests = CloseRequests(window, lambda: heard.append("close"))
    requests.listen()
    assert not requests._listening or requests._protocols
    requests.stop()
