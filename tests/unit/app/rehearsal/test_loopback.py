"""A server in its own thread that starts, ends, and can cut one of its connections."""

import contextlib
import gc
import socket
import threading

import httpx2
import pytest
from starlette.types import Receive, Scope, Send

from app.core.errors import RehearsalProblem
from app.rehearsal.loopback import Loopback
from tests.helpers.log_watch import LogWatch


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


def test_a_connection_that_comes_as_it_ends_is_closed() -> None:
    """Wherever its taking has got to: a socket that nobody closed fails this test when it is collected."""
    for _ in range(20):
        server = Loopback(hello, what="The test")
        port = int(server.start().rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)):
            server.stop()
        gc.collect()


def test_an_answer_that_nobody_reads_does_not_outlive_it(expected_log: LogWatch) -> None:
    expected_log("uvicorn.error: Cancel 1 running task")
    expected_log("uvicorn.error: Exception in ASGI application")

    async def flood(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await send({"type": "http.response.body", "body": bytes(8_000_000), "more_body": True})

    server = Loopback(flood, what="The test")
    port = int(server.start().rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as caller:
        caller.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert caller.recv(8) == b"HTTP/1.1"
        server.stop()
        caller.settimeout(60)
        with contextlib.suppress(ConnectionResetError):
            while caller.recv(1 << 20):
                pass
