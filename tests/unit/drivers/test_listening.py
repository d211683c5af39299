"""Connections on loopback: whatever moment its listener ends in, no connection is left to the garbage collector."""

import asyncio
import contextlib
import gc
import socket

import pytest

from drivers.listening import Listening, ending, stop_taking
from tests.helpers.log_watch import LogWatch


async def echoed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(await reader.read(4))


async def for_ever(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


def connected(port: int) -> socket.socket:
    """A connection that the system has taken and nobody has accepted yet; later reads of it do not block the loop."""
    caller = socket.create_connection(("127.0.0.1", port))
    caller.setblocking(False)
    return caller


async def test_it_serves_and_closes_what_it_has_served() -> None:
    listening = Listening(echoed)
    with connected(await listening.start()) as caller:
        await asyncio.get_running_loop().sock_sendall(caller, b"four")
        assert await asyncio.get_running_loop().sock_recv(caller, 9) == b"four"
        assert await asyncio.get_running_loop().sock_recv(caller, 9) == b"", "it is closed by the one that served it"
    await listening.close()


@pytest.mark.parametrize("turns", range(6))
async def test_what_came_just_before_the_end_is_ended_too(turns: int) -> None:
    """However far its taking has got: not accepted, accepted, reported, its task made, its task begun."""
    listening = Listening(for_ever)
    with connected(await listening.start()) as caller:
        for _ in range(turns):
            await asyncio.sleep(0)
        await listening.close()
        # What was never accepted is reset by the system.
        with contextlib.suppress(ConnectionResetError):
            assert await asyncio.get_running_loop().sock_recv(caller, 1) == b""
    gc.collect()


async def test_a_server_that_closes_as_somebody_calls_leaves_no_socket_behind() -> None:
    loop = asyncio.get_running_loop()
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    near, far = socket.socketpair()
    with near, far, connected(server.sockets[0].getsockname()[1]) as caller:
        # Both are there at once, so that the selector reports both and the end comes in the turn of the acceptance.
        far.send(b"x")
        loop.add_reader(near.fileno(), stop_taking, server)
        assert await loop.sock_recv(caller, 1) == b""
        loop.remove_reader(near.fileno())
    gc.collect()


async def test_who_shuts_goes_on_with_those_that_are_open() -> None:
    listening = Listening(echoed)
    port = await listening.start()
    with connected(port) as caller:
        for _ in range(5):
            await asyncio.sleep(0)
        listening.shut()
        listening.shut()
        await asyncio.sleep(0)
        with pytest.raises(ConnectionRefusedError):
            connected(port)
        await asyncio.get_running_loop().sock_sendall(caller, b"four")
        assert await asyncio.get_running_loop().sock_recv(caller, 9) == b"four"
    await listening.close()


async def test_a_caller_that_reads_nothing_does_not_keep_it_open() -> None:
    begun = asyncio.Event()
    size = 64_000_000

    async def flood(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with ending(writer):
            writer.write(bytes(size))
            begun.set()
            await asyncio.Event().wait()

    listening = Listening(flood)
    with connected(await listening.start()) as caller:
        await begun.wait()
        await listening.close()
        got = 0
        with contextlib.suppress(ConnectionResetError):
            while data := await asyncio.get_running_loop().sock_recv(caller, 1 << 20):
                got += len(data)
        assert got < size, "only what the system had taken over by then"


async def test_a_failure_is_logged_without_its_words(expected_log: LogWatch) -> None:
    async def failing(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        raise LookupError("a secret")

    listening = Listening(failing)
    with connected(await listening.start()) as caller:
        assert await asyncio.get_running_loop().sock_recv(caller, 1) == b""
    expected_log(r"serving a connection failed: LookupError$")
    await listening.close()
