"""A server in its own thread that starts, ends, and can cut one of its connections."""

import socket
import threading

import httpx2
import pytest
from starlette.types import Receive, Scope, Send

from app.core.errors import RehearsalProblem
from app.rehearsal.loopback import Loopback


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


def test_it_serves_from_start_to_stop_and_its_port_is_free_again() -> None:
    server = Loopback(hello, what="The test")
    url = server.start()
    with httpx2.Client(trust_env=False) as client:
        assert client.get(url).text == "hello"
    assert "The test" in {thread.name for thread in threading.enumerate()}
    server.stop()
    assert "The test" not in {thread.name for thread in threading.enumerate()}
    port = int(url.rpartition(":")[2])
    again = Loopback(hello, what="The test", port=port)
    assert again.start() == url
    again.stop()


def test_it_is_not_started_twice() -> None:
    with Loopback(hello, what="The test") as server, pytest.raises(RehearsalProblem, match="running already"):
        server.start()


def test_a_taken_port_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(RehearsalProblem, match=f"The test: port {port} on 127.0.0.1 cannot be used"):
            Loopback(hello, what="The test", port=port).start()


def test_an_unknown_connection_cannot_be_cut() -> None:
    with Loopback(hello, what="The test") as server:
        server.cut(("127.0.0.1", 1))
