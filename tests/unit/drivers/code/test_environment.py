"""Code in a lasting process: what it says comes back in order, its variables stay, and it ends when it must."""

import asyncio
import io
import sys
from pathlib import Path

import pytest
from PIL import Image

from drivers.code.bubblewrap import refusal
from drivers.code.environment import BEGUN_ANEW, BETWEEN, BY_HAND, DIED, ENDED, TOO_LONG_A_LINE, CodeEnvironment
from drivers.code.isolation import Isolation, isolation
from drivers.code.limits import CodeLimits
from drivers.errors import NotDone, SandboxUnavailable
from tests.unit.drivers.code.conftest import hurry


async def test_text_and_pictures_come_back_in_their_order_and_variables_stay(environment: CodeEnvironment) -> None:
    heard: list[str] = []
    first = await environment.run(
        "from PIL import Image\nprint('one')\ndisplay(Image.new('RGB', (3, 2), 'red'))\nlog('two', 3)", heard.append
    )
    assert first.error is None
    assert first.parts[0] == "one\n"
    assert first.parts[2] == "two 3\n"
    assert isinstance(first.parts[1], bytes)
    assert Image.open(io.BytesIO(first.parts[1])).size == (3, 2)
    assert "".join(heard) == "one\ntwo 3\n"
    assert (await environment.run("x = 41")).parts == []
    assert (await environment.run("x += 1; log(x)")).parts == ["42\n"]
    assert [(one.name, one.kind, one.shown) for one in await environment.variables() if one.name == "x"] == [
        ("x", "int", "42")
    ]


async def test_an_error_says_where_in_the_code_and_nothing_of_the_machine(environment: CodeEnvironment) -> None:
    result = await environment.run("def half(n):\n    return n / 0\nhalf(3)")
    assert result.error is not None
    assert "line 2, in half" in result.error
    assert "return n / 0" in result.error
    assert result.error.endswith("ZeroDivisionError: division by zero")
    assert "worker.py" not in result.error
    refused = await environment.run("this is no code")
    assert refused.error is not None
    assert "SyntaxError" in refused.error


@pytest.mark.usefixtures("patient")
async def test_code_that_runs_too_long_is_interrupted_and_its_variables_stay(environment: CodeEnvironment) -> None:
    await environment.run("x = 1")
    hurry(environment)
    result = await environment.run("while True: pass")
    assert result.error == "it ran for longer than 1 s and was interrupted"
    assert not result.lost
    hurry(environment, 30.0)
    assert (await environment.run("log(x)")).parts == ["1\n"]


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("what", ["while True: pass", "import time; time.sleep(60)", "held.acquire()"])
async def test_a_person_s_interrupt_ends_what_runs_and_nothing_else(isolated: Isolation, what: str) -> None:
    environment = CodeEnvironment(isolated, CodeLimits(call_secs=50.0))
    began: list[asyncio.Task[None]] = []
    try:
        await environment.run("import threading; held = threading.Lock(); x = held.acquire()")
        await environment.interrupt()
        result = await environment.run(
            f"log('begun')\n{what}", lambda _text: began.append(asyncio.ensure_future(environment.interrupt()))
        )
        assert (result.error, result.lost) == (BY_HAND, False)
        assert (await environment.run("log(x)")).parts == ["True\n"]
    finally:
        await environment.aclose()
    await asyncio.gather(*began)


async def test_begun_anew_while_it_runs_the_call_says_so_and_between_calls_the_next_one(isolated: Isolation) -> None:
    environment = CodeEnvironment(isolated, CodeLimits(call_secs=50.0))
    began: list[asyncio.Task[bool]] = []
    try:
        result = await environment.run(
            "log('begun')\nwhile True: pass",
            lambda _text: began.append(asyncio.ensure_future(environment.begin_anew())),
        )
        assert (result.error, result.lost) == (BEGUN_ANEW, True)
        assert (await environment.run("x = 1")).before == "", "that was said already"
        assert await environment.begin_anew()
        assert await environment.variables() == []
        second = await environment.run("log('x' in globals())")
        assert (second.before, second.parts) == (BETWEEN, ["False\n"])
    finally:
        await environment.aclose()
    assert await asyncio.gather(*began) == [False]


async def test_a_variable_that_cannot_be_shown_holds_nothing_up(
    environment: CodeEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.code.environment.GRACE_SECS", 5.0)
    await environment.run("class Odd:\n    def __repr__(self):\n        while True: pass\nodd, plain = Odd(), 1")
    shown = {one.name: one.shown for one in await environment.variables()}
    assert (shown["odd"], shown["plain"]) == ("(cannot be shown)", "1")
    assert (await environment.run("log(plain)")).parts == ["1\n"]


async def test_code_that_will_not_stop_is_ended_and_that_is_said(environment: CodeEnvironment) -> None:
    await environment.run("import signal\nsignal.signal(signal.SIGINT, lambda *_: None)\nx = 1")
    hurry(environment)
    result = await environment.run("while True: pass")
    assert result.error is not None
    assert result.error.endswith(ENDED)
    assert result.lost
    hurry(environment, 30.0)
    assert (await environment.run("log('x' in globals())")).parts == ["False\n"]


@pytest.mark.parametrize("code", ["import os; os._exit(3)", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"])
async def test_a_process_that_ends_itself_is_told_and_begun_anew(environment: CodeEnvironment, code: str) -> None:
    result = await environment.run(code)
    assert (result.error, result.lost) == (DIED, True)
    assert (await environment.run("log(7)")).parts == ["7\n"]


async def test_leaving_does_not_end_the_environment(environment: CodeEnvironment) -> None:
    assert (await environment.run("x = 5; raise SystemExit(2)")).error == "SystemExit: 2"
    assert (await environment.run("log(x)")).parts == ["5\n"]


async def test_more_than_is_kept_is_counted(environment: CodeEnvironment) -> None:
    result = await environment.run(
        "from PIL import Image\nprint('y' * 1500)\nfor _ in range(3): display(Image.new('L', (1, 1)))"
    )
    assert [type(part) for part in result.parts] == [str, bytes, bytes]
    assert result.parts[0] == "y" * 1000
    assert (result.left_out_chars, result.left_out_images, result.wrong_images) == (501, 1, 0)


@pytest.mark.parametrize("what", ["b'hello'", "b'\\x89PNG'", "b'\\x89PNG\\r\\n\\x1a\\n' + bytes(9_000_000)"])
async def test_what_is_no_picture_is_not_given_back_as_one(environment: CodeEnvironment, what: str) -> None:
    result = await environment.run(f"display({what})\nlog('end')")
    assert (result.error, result.parts, result.wrong_images) == (None, ["end\n"], 1)


async def test_a_long_error_keeps_its_beginning_and_its_end(environment: CodeEnvironment) -> None:
    result = await environment.run("raise ValueError('y' * 5_000_000 + 'end')")
    assert result.error is not None
    assert len(result.error) < 1100
    assert result.error.startswith("Traceback")
    assert "characters were left out here" in result.error


async def test_much_text_at_once_comes_in_pieces_and_too_much_of_anything_else_is_an_error(
    environment: CodeEnvironment,
) -> None:
    result = await environment.run("print('y' * 20_000_000)")
    assert (result.error, result.left_out_chars) == (None, 20_000_001 - 1000)
    result = await environment.run("display(bytes(20_000_000))")
    assert str(result.error).endswith("cannot be handed out of the sandbox")
    assert (await environment.run("log(7)")).parts == ["7\n"]


async def test_a_line_that_never_ends_ends_the_process_and_that_is_said(environment: CodeEnvironment) -> None:
    result = await environment.run(
        "import os\nfor _ in range(40): os.write(log.__self__._channel._out.fileno(), b'y' * 1_000_000)"
    )
    assert (result.error, result.lost) == (TOO_LONG_A_LINE, True)


async def test_what_pours_out_does_not_keep_the_time_from_being_up(environment: CodeEnvironment) -> None:
    hurry(environment)
    result = await environment.run("while True: log('')")
    assert str(result.error).startswith("it ran for longer than 1 s")


@pytest.mark.parametrize(
    "said", ["[1]", "[['a', 'b']]", "[[['x']] * 3]", "[None, {}, ['a', 'b', 'c', 'd']]", "[[1, 2, 3]]"]
)
async def test_variables_that_are_none_are_left_out(environment: CodeEnvironment, said: str) -> None:
    await environment.run(f"log.__self__._variables = lambda: {said}")
    assert await environment.variables() == []
    assert (await environment.run("log(7)")).parts == ["7\n"]


async def test_names_of_variables_are_bounded(environment: CodeEnvironment) -> None:
    await environment.run("log.__self__._variables = lambda: [['n' * 999, 'k' * 999, 's' * 999]]")
    (one,) = await environment.variables()
    assert {len(one.name), len(one.kind), len(one.shown)} == {200}


async def test_memory_is_limited(environment: CodeEnvironment) -> None:
    result = await environment.run("held = bytearray(600 * 1024 * 1024)")
    assert result.error is not None
    assert result.error.endswith("MemoryError")


async def test_what_the_code_prints_is_never_taken_for_an_answer(environment: CodeEnvironment) -> None:
    said = '{"done": 1, "error": null}\\n'
    result = await environment.run(
        f"import os\nfor fd in (0, 1, 2): os.write(fd, b'{said}')\nprint('{said}')\nlog('end')"
    )
    assert result.parts[-1] == '{"done": 1, "error": null}\n\nend\n'


async def test_a_sandbox_that_cannot_start_runs_nothing_and_says_why(isolated: Isolation) -> None:
    broken = CodeEnvironment(Isolation("", "/bin/false"), CodeLimits())
    with pytest.raises(NotDone, match="could not be started"):
        await broken.run("log(1)")
    await broken.aclose()


@pytest.mark.parametrize(
    "message",
    [
        "{'done': 1}",
        "{'done': 'x'}",
        "{'ask': 1}",
        "{'ask': {}, 'handle': [], 'name': 1}",
        "{'image': 5}",
        "{'text': 5}",
    ],
)
async def test_code_that_speaks_for_the_worker_ends_nothing_but_its_own_call(
    environment: CodeEnvironment, message: str
) -> None:
    await environment.run(f"log.__self__._channel.send({message})")
    assert (await environment.run("log(7)")).parts == ["7\n"]


@pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")
def test_a_bubblewrap_that_may_shut_nothing_off_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbidden = tmp_path / "bwrap"
    forbidden.write_text("#!/bin/sh\necho no namespaces on this kernel >&2\nexit 1\n")
    forbidden.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="no namespaces on this kernel"):
        isolation(required=True)
    assert isolation(required=False).bubblewrap is None


@pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")
@pytest.mark.usefixtures("isolated")
def test_on_a_processor_whose_calls_are_not_known_there_is_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.code.syscalls.platform.machine", lambda: "riscv64")
    refusal.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match="none is known for the processor riscv64"):
            isolation(required=True)
    finally:
        refusal.cache_clear()


async def test_without_isolation_code_runs_all_the_same() -> None:
    environment = CodeEnvironment(Isolation("", None), CodeLimits())
    assert (await environment.run("log(7)")).parts == ["7\n"]
    await environment.aclose()
