"""exec_js: the same lasting, shut-off, interruptible environment, with the page in Playwright's own words."""

import asyncio
import base64
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from drivers.browser.session import BrowserSession
from drivers.code.environment import BY_HAND, DIED, CodeEnvironment
from drivers.code.isolation import Isolation, node_program
from drivers.code.limits import CodeLimits
from drivers.code.outside import Outside
from drivers.errors import SandboxUnavailable
from tests.unit.drivers.code.test_escapes import HOME
from tests.unit.drivers.code.test_outside import PAGE
from tests.unit.drivers.conftest import OPTIONS

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
"""A picture of one black pixel."""


@pytest.fixture
async def node(isolated: Isolation) -> AsyncIterator[CodeEnvironment]:
    """An environment with short limits."""
    try:
        node_program()
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))
    limits = CodeLimits(call_secs=30.0, memory_mb=256, output_chars=1000, images=2, file_mb=8)
    made = CodeEnvironment(isolated, limits, language="js")
    yield made
    await made.aclose()


async def test_what_is_declared_stays_and_may_be_declared_anew(node: CodeEnvironment) -> None:
    first = await node.run(
        "const x = await Promise.resolve(41); class Guest {}; console.log('one', {two: 2})\nlog('%d', 3)"
    )
    assert (first.error, first.parts) == (None, ["one { two: 2 }\n3\n"])
    second = await node.run(
        f"const DOT = '{DOT}'; const x = [42]; console.log(x, typeof Guest); display(Buffer.from(DOT, 'base64'))"
    )
    assert second.parts == ["[ 42 ] function\n", base64.b64decode(DOT)]
    assert [(one.name, one.kind, one.shown) for one in await node.variables()] == [
        ("DOT", "String", f"'{DOT}'"),
        ("Guest", "Function", "[class Guest]"),
        ("x", "Array", "[ 42 ]"),
    ]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("null.a", "TypeError: Cannot read properties of null (reading 'a')\n    at code-1:1:6"),
        ("function half(n) {\n  throw new Error('odd')\n}\nhalf(3)",
         "Error: odd\n    at half (code-1:2:9)\n    at code-1:4:1"),
        ("this is no code", "SyntaxError: Unexpected identifier 'is'"),
        ("await Promise.reject(7)", "7"),
        ("process.exit(3)", "Error: process.exit(3)\n    at code-1:1:9"),
    ],
)  # fmt: skip
async def test_an_error_says_where_in_the_code_and_nothing_of_the_machine(
    node: CodeEnvironment, code: str, error: str
) -> None:
    assert (await node.run(code)).error == error
    assert (await node.run("log(7)")).parts == ["7\n"]


async def test_what_goes_wrong_later_is_said_and_ends_nothing(node: CodeEnvironment) -> None:
    result = await node.run(
        "setTimeout(() => { throw new Error('late') }); Promise.reject(new Error('lost'));\n"
        "await new Promise(done => setTimeout(done, 50))"
    )
    assert result.error is None
    text = str(result.parts[0])
    assert "Error: late" in text
    assert "Error: lost" in text


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("what", ["for (;;);", "await new Promise(() => 0)", "await null; for (;;);"])
async def test_a_person_s_interrupt_ends_what_runs_and_nothing_else(node: CodeEnvironment, what: str) -> None:
    await node.run("let x = 1")
    began: list[asyncio.Task[None]] = []
    result = await node.run(
        f"log('begun');\n{what}", lambda _text: began.append(asyncio.ensure_future(node.interrupt()))
    )
    assert (result.error, result.lost) == (BY_HAND, False)
    assert (await node.run("log(x)")).parts == ["1\n"]
    await asyncio.gather(*began)


async def test_a_variable_that_cannot_be_shown_holds_nothing_up(
    node: CodeEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.code.environment.GRACE_SECS", 5.0)
    await node.run("const odd = {[require('util').inspect.custom]: () => { for (;;); }}; let x = 1")
    assert await node.variables() == []
    assert (await node.run("log(x)")).parts == ["1\n"]


@pytest.mark.parametrize(
    "code", ["process.kill(process.pid, 'SIGKILL')", "const a = []; for (;;) a.push([...'x'.repeat(99)])"]
)
async def test_a_process_that_ends_or_takes_too_much_memory_is_told_and_begun_anew(
    node: CodeEnvironment, code: str
) -> None:
    result = await node.run(code)
    assert (result.error, result.lost) == (DIED, True)
    assert (await node.run("log(7)")).parts == ["7\n"]


async def test_what_is_written_to_the_error_stream_itself_reaches_nobody(node: CodeEnvironment) -> None:
    result = await node.run(
        "for (let n = 0; n < 500; n++) { try { require('fs').writeSync(2, 'y'.repeat(1e5)) } catch {} }; log('end')"
    )
    assert (result.error, result.parts) == (None, ["end\n"])
    assert node._process is not None
    kept: bytearray = vars(node._process._process.stderr)["_buffer"]
    assert not kept


async def test_long_errors_and_much_text_come_within_their_bounds(node: CodeEnvironment) -> None:
    result = await node.run("console.log('y'.repeat(2e7)); throw new Error('z'.repeat(5e6))")
    assert len(str(result.error)) < 1100
    assert result.left_out_chars == 20_000_001 - 1000


async def test_memory_that_is_not_the_heap_is_bounded_too(node: CodeEnvironment) -> None:
    result = await node.run("const held = []; for (let n = 0; n < 20; n++) held.push(Buffer.alloc(50e6, 1))")
    assert result.error is not None


EMPTIED = "for (const name of require('fs').readdirSync('.')) require('fs').rmSync(name)"

CONNECT = "await new Promise((ok, no) => require('net').connect({}, ok).on('error', no))"

TRIES = {
    "read a file of the user": "log(fs.readFileSync({secret!r}, 'utf8'))",
    "list the user's home": "if (!fs.readdirSync({home!r}).includes({name!r})) throw 1",
    "read the account file": "log(fs.readFileSync('/etc/passwd', 'utf8'))",
    "write beside the program": "fs.writeFileSync('/usr/mark', '')",
    "write into the root": "fs.writeFileSync('/mark', '')",
    "write over the worker": "fs.writeFileSync('/run/worker.js', '')",
    "write over node": "fs.writeFileSync('/run/node', '')",
    "find a key in the environment": "log(Object.entries(process.env).find(([key]) => key.includes('KEY'))[1])",
    "find a key in a parent's environment": "log(fs.readFileSync(`/proc/${{process.ppid}}/environ`)[499].at(0))",
    "see the processes outside": "if (!fs.readdirSync('/proc').includes('{pid}')) throw 1",
    "signal the console": "process.kill({pid}, 0)",
    "reach a server on this machine": CONNECT.format("{port}, '127.0.0.1'"),
    "reach the network": CONNECT.format("80, '192.0.2.1'"),
    "fetch": "await fetch('http://127.0.0.1:{port}/')",
    "resolve a name": "await require('dns').promises.lookup('example.com')",
    "become root": "process.setuid(0)",
    "change the root": "require('child_process').execSync('chroot /scratch')",
    "mount something": "require('child_process').execSync('mount -t tmpfs none /scratch')",
    "be root in a namespace of its own": "require('child_process').execSync('unshare -r -m true')",
    "load a part that is no JavaScript": "process.dlopen({{exports: {{}}}}, '/lib/x86_64-linux-gnu/libc.so.6')",
    "use the console's Python": "require('child_process').execSync('/usr/bin/python3 -c \"import openai\"')",
    "fill the disk": "fs.writeFileSync('big', Buffer.alloc(20e6))",
    "fill the disk with many files": "for (let n = 0; n < 40; n++) fs.writeFileSync(`f${{n}}`, Buffer.alloc(1e6))",
    "fill the memory through shared memory": "fs.writeFileSync('/dev/shm/mark', 'x')",
    "write beside the devices": "fs.writeFileSync('/dev/mark', '')",
    "use an object outside that nobody offered": "await page.goto('http://127.0.0.1')",
}  # fmt: skip


async def test_there_is_no_way_out(node: CodeEnvironment, secret: Path) -> None:
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    names = sorted(os.listdir(HOME)) or ["."]
    out = []
    said = ""
    try:
        for name, tried in TRIES.items():
            code = tried.format(secret=str(secret), home=str(HOME), name=names[0], pid=os.getpid(), port=port)
            result = await node.run(f"const fs = require('fs'); {code}")
            said += str(result)
            out += [name] if result.error is None or result.lost else []
            assert (await node.run(EMPTIED)).error is None
    finally:
        server.close()
    assert out == [], "these got out, or ended the process"
    assert "sk-not-for-you" not in said
    assert "ever decided" not in said


@pytest.fixture
async def on_a_page(isolated: Isolation, node: CodeEnvironment) -> AsyncIterator[tuple[CodeEnvironment, Any]]:
    """An environment whose code has the page of a real browser."""
    async with await BrowserSession.open(OPTIONS) as session:
        tab = session.driver.tabs.active
        assert tab is not None
        await tab.page.set_content(PAGE)
        made = CodeEnvironment(isolated, CodeLimits(), Outside(), lambda: {"page": tab.page}, language="js")
        yield made, tab.page
        await made.aclose()


async def test_code_has_the_page_in_playwright_s_own_words(on_a_page: tuple[CodeEnvironment, Any]) -> None:
    environment, page = on_a_page
    result = await environment.run(
        "const button = page.getByRole('button', {name: /^bu/i});\n"
        "await button.click({timeout: 30000});\n"
        "await page.getByLabel('Name').fill('Ada');\n"
        "await page.keyboard.press('End');\n"
        "const words = await page.evaluate(({mark}) => document.title + mark, {mark: '!'});\n"
        "const inside = await page.locator('button').first().innerText();\n"
        "console.log(words, inside, page.url(), page.viewportSize().width > 0);\n"
        "display(await page.screenshot({type: 'png', clip: {x: 0, y: 0, width: 20, height: 10}}));\n"
        "for (const one of await page.locator('button').all()) console.log(one, await one.isVisible());"
    )
    assert result.error is None, result.error
    assert (result.parts[0], result.parts[2]) == ("Shop! Bought about:blank true\n", "<Locator> true\n")
    assert isinstance(result.parts[1], bytes)
    assert result.parts[1].startswith(b"\x89PNG")
    assert await page.get_by_label("Name").input_value() == "Ada"
    later = await environment.run(
        "try { await page.locator('#no').click({timeout: 50}) } catch (e) { log(e.message.slice(0, 13)) }"
    )
    assert later.parts == ["TimeoutError:\n"]


REFUSED = (
    "await page.context()",
    "await page.request.get('http://127.0.0.1')",
    "await page.route('**', () => 0)",
    "await page.exposeFunction('f', () => 0)",
    "await page.screenshot({path: '/tmp/out.png'})",
    "await page.getByLabel('Name').setInputFiles('/etc/passwd')",
    "await page.pdf()",
    "page.goto = () => 0",
    "await page.goto('http://127.0.0.1:9/')",
    "await page.getByRole('button').click(new Date())",
    "await page.evaluate(() => [new Date()])",
)


async def test_what_is_not_listed_or_not_approved_is_refused(on_a_page: tuple[CodeEnvironment, Any]) -> None:
    environment, page = on_a_page
    assert [code for code in REFUSED if (await environment.run(code)).error is None] == []
    assert page.url == "about:blank"


async def test_what_a_call_leaves_going_may_not_use_the_page_in_a_later_one(
    on_a_page: tuple[CodeEnvironment, Any],
) -> None:
    environment, page = on_a_page
    await environment.run(
        "const field = page.getByLabel('Name');\n"
        "let tell; const told = new Promise(done => { tell = done });\n"
        "const timer = setInterval(() => field.fill('Eve').catch(tell), 5)"
    )
    result = await environment.run("log((await told).message); clearInterval(timer)")
    assert result.parts == ["what lives outside may be used by the call in progress only\n"]
    assert await page.get_by_label("Name").input_value() == ""
