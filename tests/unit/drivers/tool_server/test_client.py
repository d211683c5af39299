"""A local tool server, a real process: what it says, what it gets wrong, and that it ends with the run."""

import asyncio
import contextlib
import json
import os
import select
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from drivers.errors import NotDone
from drivers.tool_server.client import ToolServer, ToolServerError
from tests.helpers import tool_server

SCRIPT = str(Path(tool_server.__file__))


@contextlib.asynccontextmanager
async def opened(fault: str = "", *, timeout_secs: float = 30) -> AsyncGenerator[ToolServer]:
    command = [sys.executable, SCRIPT, fault]
    async with ToolServer.open(command, env={"GIVEN": "x"}, folder=None, timeout_secs=timeout_secs) as server:
        yield server


async def test_all_pages_of_the_list_and_every_kind_of_answer() -> None:
    async with opened() as server:
        assert [tool.name for tool in await server.tools()] == tool_server.TOOLS
        assert await server.call("say", {"text": "hé"}) == "said hé"
        shown = await server.call("picture", {})
        assert isinstance(shown, list)
        text, picture = shown
        assert text == {"type": "input_text", "text": "here"}
        assert picture["image_url"] == f"data:image/png;base64,{tool_server.PIXEL}"
        assert await server.call("fails", {}) == "The tool says that it failed.\nno luck"
        assert await server.call("broken", {}) == "The tool server answers with an error: inside"
        assert json.loads(str(await server.call("odd", {}))) == {"type": "audio", "data": "AAAA"}
        with pytest.raises(NotDone, match="refuses the call: unknown tool"):
            await server.call("refuse", {})
        assert await server.call("say", {"text": "on"}) == "said on"


async def test_a_server_inherits_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sesame")
    async with opened() as server:
        assert json.loads(str(await server.call("inherits", {}))) == ["GIVEN"]


async def test_a_server_that_leaves_in_a_call_says_why_and_nothing_of_the_call_is_known() -> None:
    async with opened() as server:
        with pytest.raises(ToolServerError, match="broke off: I have had enough"):
            await server.call("leave", {})
        with pytest.raises(ToolServerError, match="broke off"):
            await server.call("say", {"text": "x"})


@pytest.mark.parametrize(
    ("fault", "secs", "words"),
    [("leaves", 30, "broke off: no licence"), ("silent", 0.2, "did not answer within 0.2 s")],
)
async def test_a_server_that_does_not_greet(fault: str, secs: float, words: str) -> None:
    with pytest.raises(ToolServerError, match=words):
        async with opened(fault, timeout_secs=secs):
            pytest.fail("it was opened")


async def test_a_server_without_a_list() -> None:
    async with opened("listless") as server:
        with pytest.raises(ToolServerError, match="lists no tools"):
            await server.tools()


async def test_a_program_that_is_not_there() -> None:
    with pytest.raises(ToolServerError, match="cannot be started"):
        async with ToolServer.open(["/nowhere/at/all"], env={}, folder=None, timeout_secs=1):
            pytest.fail("it was opened")


async def test_a_call_that_is_given_up_leaves_the_next_one_its_own_answer() -> None:
    async with opened() as server:
        waiting = asyncio.ensure_future(server.call("say", {"text": "late"}))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await server.call("say", {"text": "next"}) == "said next"


@pytest.mark.skipif(sys.platform != "linux", reason="watches a process by its handle")
async def test_what_a_server_started_ends_with_it(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    inner = f"import os,time; open({str(told)!r},'w').write(str(os.getpid())); time.sleep(600)"
    outer = f"import subprocess,sys,runpy; subprocess.Popen([sys.executable,'-c',{inner!r}]); " + (
        f"sys.argv=['x','']; runpy.run_path({SCRIPT!r}, run_name='__main__')"
    )
    async with ToolServer.open([sys.executable, "-c", outer], env={}, folder=None, timeout_secs=30) as server:
        assert await server.call("say", {"text": "x"}) == "said x"
        while not told.exists() or not told.read_text():
            await server.call("say", {"text": "x"})
        handle = os.pidfd_open(int(told.read_text()))
    out: Any = server._process._process.stdout
    assert out.at_eof(), "it holds the pipes, too"
    try:
        assert await asyncio.to_thread(select.select, [handle], [], [], 60) != ([], [], [])
    finally:
        os.close(handle)
