"""The page that sandboxed code may use: a real browser's, by listed members only."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from drivers.browser.session import BrowserSession
from drivers.code.environment import CodeEnvironment
from drivers.code.isolation import Isolation
from drivers.code.limits import CodeLimits
from drivers.code.outside import Outside
from tests.unit.drivers.conftest import OPTIONS

PAGE = "<title>Shop</title><button onclick=\"this.textContent='Bought'\">Buy</button><input aria-label=Name>"


@pytest.fixture
async def on_a_page(isolated: Isolation) -> AsyncIterator[tuple[CodeEnvironment, Any]]:
    """An environment whose code has the page of a real browser."""
    async with await BrowserSession.open(OPTIONS) as session:
        tab = session.driver.tabs.active
        assert tab is not None
        await tab.page.set_content(PAGE)
        environment = CodeEnvironment(isolated, CodeLimits(), Outside(), lambda: {"page": tab.page})
        yield environment, tab.page
        await environment.aclose()


async def test_code_acts_on_the_page_and_reads_it(on_a_page: tuple[CodeEnvironment, Any]) -> None:
    environment, page = on_a_page
    result = await environment.run(
        "button = page.get_by_role('button', name='Buy')\n"
        "button.click()\n"
        "page.get_by_label('Name').fill('Ada')\n"
        "page.keyboard.press('End')\n"
        "log(page.title(), page.get_by_role('button').inner_text(), page.get_by_label('Name').input_value())\n"
        "display(page.screenshot())"
    )
    assert result.error is None, result.error
    assert result.parts[0] == "Shop Bought Ada\n"
    assert isinstance(result.parts[1], bytes)
    assert result.parts[1].startswith(b"\x89PNG")
    assert await page.get_by_label("Name").input_value() == "Ada"
    later = await environment.run("log([one.inner_text() for one in page.locator('button').all()], page.url)")
    assert later.parts == ["['Bought'] about:blank\n"]


@pytest.mark.parametrize(
    "code",
    [
        "page.context",
        "page.request.get('http://127.0.0.1')",
        "page.route('**', None)",
        "page.expose_function('f', None)",
        "page.screenshot(path='/tmp/out.png')",
        "page.get_by_label('Name').set_input_files('/etc/passwd')",
        "page.pdf()",
        "page.__class__.__mro__[1].__subclasses__()[0].nothing",
        "page._impl_obj",
        "page.goto('http://127.0.0.1:9/')",
        "page.goto(url='http://127.0.0.1:9/')",
    ],
)
async def test_what_is_not_listed_or_not_approved_is_refused(on_a_page: tuple[CodeEnvironment, Any], code: str) -> None:
    environment, page = on_a_page
    result = await environment.run(code)
    assert result.error is not None
    assert page.url == "about:blank"


async def test_an_address_is_opened_when_it_is_approved(on_a_page: tuple[CodeEnvironment, Any]) -> None:
    environment, page = on_a_page
    asked: list[str] = []

    async def yes(url: str) -> bool:
        asked.append(url)
        return True

    environment.may_open = yes
    result = await environment.run("page.goto('data:text/plain,hello'); log(page.locator('body').inner_text())")
    assert (result.error, result.parts) == (None, ["hello\n"])
    assert asked == ["data:text/plain,hello"]
    assert page.url.startswith("data:")


async def test_waiting_for_the_page_is_time_of_the_code_s(isolated: Isolation, on_a_page: tuple[Any, Any]) -> None:
    _, page = on_a_page
    environment = CodeEnvironment(isolated, CodeLimits(call_secs=1.0), Outside(), lambda: {"page": page})
    try:
        result = await environment.run(
            "while True:\n    try:\n        page.wait_for_timeout(300)\n    except RuntimeError:\n        log('no')"
        )
    finally:
        await environment.aclose()
    assert str(result.error).startswith("it ran for longer than 1 s")


async def test_a_person_s_time_is_not_time_of_the_code_s(on_a_page: tuple[CodeEnvironment, Any]) -> None:
    environment, _ = on_a_page
    deadlines: list[float] = []
    taken: list[float] = []
    loop = asyncio.get_running_loop()

    async def after_a_while(_url: str) -> bool:
        deadlines.append(environment._deadline)
        began = loop.time()
        while loop.time() == began:
            pass
        taken.append(loop.time() - began)
        return True

    environment.may_open = after_a_while
    result = await environment.run("for _ in range(2): page.goto('data:text/plain,hello')")
    assert result.error is None, result.error
    first, second = deadlines
    assert second - first >= taken[0] > 0


HARD = [
    "page.wait_for_url('**' + 'a**' * 12 + 'Z', timeout=1500)",
    "page.wait_for_url(re.compile('^(a+)+$'), timeout=1500)",
]


@pytest.mark.parametrize("code", HARD)
async def test_a_pattern_that_takes_hours_holds_up_nobody_but_the_page(
    on_a_page: tuple[CodeEnvironment, Any], code: str
) -> None:
    environment, page = on_a_page
    await page.evaluate("history.replaceState(0, '', '#' + 'a'.repeat(400))")
    result = await environment.run(f"import re\n{code}")
    assert "TimeoutError" in str(result.error)


async def test_an_address_is_waited_for_as_playwright_writes_it(on_a_page: tuple[CodeEnvironment, Any]) -> None:
    environment, page = on_a_page
    await page.evaluate("history.replaceState(0, '', '#a/b?c')")
    fitting = ["'about:blank#a/b?c'", "'**/b?c'", "'about:*#{x,a}/*'", "re.compile('BLANK', re.I)"]
    result = await environment.run(
        "import re\n" + "\n".join(f"page.wait_for_url({one}, timeout=9000)" for one in fitting) + "\n"
        "page.evaluate('setTimeout(() => history.replaceState(0, `x`, `#later`), 50)')\n"
        "page.wait_for_url('**#later')"
    )
    assert result.error is None, result.error
    refused = await environment.run("page.wait_for_url('*/b?c', timeout=200)")
    assert "the page was at no such address within 0.2 s" in str(refused.error)


async def test_an_error_of_the_page_is_an_error_of_the_code(on_a_page: tuple[CodeEnvironment, Any]) -> None:
    environment, _ = on_a_page
    result = await environment.run(
        "try:\n    page.locator('#none').click(timeout=50)\nexcept RuntimeError as error:\n    log(str(error)[:40])"
    )
    assert result.error is None
    assert str(result.parts[0]).startswith("TimeoutError: ")


async def test_nothing_of_the_page_is_used_while_there_is_a_reason_against_it(
    on_a_page: tuple[CodeEnvironment, Any],
) -> None:
    environment, page = on_a_page
    reasons = iter(["", "", "the run is being stopped"])
    environment.why_not = lambda: next(reasons, "the run is being stopped")
    result = await environment.run("page.focus('input')\npage.fill('input', 'Ada')")
    assert str(result.error).endswith("RuntimeError: the run is being stopped")
    assert await page.get_by_label("Name").input_value() == ""


async def test_an_approved_address_is_not_opened_when_a_reason_came_meanwhile(
    on_a_page: tuple[CodeEnvironment, Any],
) -> None:
    environment, page = on_a_page
    stopped: list[str] = []

    async def yes_and_stopped(_url: str) -> bool:
        stopped.append("stopped")
        return True

    environment.may_open, environment.why_not = yes_and_stopped, lambda: "".join(stopped)
    result = await environment.run("page.goto('data:text/plain,hello')")
    assert str(result.error).endswith("RuntimeError: stopped")
    assert page.url == "about:blank"


@pytest.mark.parametrize("expression", ["[new Date()]", "() => { const a = {}; a.a = a; return a }"])
async def test_what_cannot_be_handed_in_is_an_error_of_the_code_and_the_next_call_works(
    on_a_page: tuple[CodeEnvironment, Any], expression: str
) -> None:
    environment, _ = on_a_page
    result = await environment.run(f"page.evaluate({expression!r})")
    assert str(result.error).endswith("what it gave back cannot be handed in")
    assert (await environment.run("log(page.title())")).parts == ["Shop\n"]
