"""Console and network lines hold no secret, no query value and no other tab's lines."""

import asyncio
import contextlib

import pytest

from drivers.browser import diagnostics
from drivers.browser.diagnostics import bare_url, without_secrets
from drivers.browser.driver import BrowserDriver
from drivers.errors import PageStuck
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import refs, show, value_of


@pytest.mark.parametrize(
    "text",
    [
        "token=CANARY", "password: 'CANARY'", "api_key CANARY", 'Authorization: "Bearer CANARY"', "x-session-id=CANARY",
        "https://a.test/p?q=CANARY", "https://u:CANARY@a.test/", "eyJhbGciOiJIUzI1NiJ9.eyJDQU5BUlkiOjF9CANARY",
        "Authorization: Bearer CANARY.efgh.ijkl", "authorization=Basic CANARY", "password is CANARY",
    ],
)  # fmt: skip
def test_what_looks_like_a_secret_is_left_out(text: str) -> None:
    line, filtered = without_secrets(text)
    assert "CANARY" not in line
    assert filtered


@pytest.mark.parametrize(
    "text",
    [
        "cvv 123", "pin is 1239", "my PIN: 1239, ok", "userPin: 1239", '{"pin":"1239"}', "user_pin=9123",
        "otp code 123456", "verification code is 123 456", "IBAN CH93 0076 2011 6238 5295 7",
        "cvv2=123", "pinCode=9123",
    ],
)  # fmt: skip
def test_the_number_after_a_word_for_a_secret_is_left_out(text: str) -> None:
    line, filtered = without_secrets(text)
    assert not set("1936") & set(line)
    assert filtered


@pytest.mark.parametrize("text", ["pinned 12 items", "spinner 3", "opinion 5", "shipping 12", "mapping 4", "code 500"])
def test_words_that_only_hold_one_for_a_secret_stay(text: str) -> None:
    assert without_secrets(text) == (text, False)


def test_card_numbers_are_left_out_and_ordinary_words_stay() -> None:
    assert without_secrets("paid with 4111 1111 1111 1111 today")[0] == "paid with … today"
    assert without_secrets("Loaded 42 rows in 9.5 ms") == ("Loaded 42 rows in 9.5 ms", False)


def test_addresses_keep_the_names_of_their_query() -> None:
    assert bare_url("http://u:p@h.test:8/a/b?x=1&y=2#z") == "http://h.test:8/a/b?x=…&y=…"
    assert bare_url("data:text/html,secret") == "data:"


@pytest.mark.asyncio(loop_scope="module")
async def test_lines_of_one_tab_newest_last(driver: BrowserDriver, site: Site) -> None:
    site.page("/other", "<script>console.log('other tab')</script>")
    script = "for (let i = 0; i < 4; i++) console.warn('line ' + i); window.none = fetch('/none?token=CANARY')"
    await show(driver, site, f"<link rel=icon href='data:,'><script>{script}</script>")
    # The last line is not still to come when it is asked for.
    await value_of(driver, "none.then(r => r.text())")
    await value_of(driver, "fetch('/again?a=CANARY', {headers: {'X-Key': 'CANARY'}}).then(r => r.text())")
    first = driver.tabs.active
    await driver.new_tab({"url": site.url("/other")})
    assert first is not None
    console = await driver.read_diagnostics({"tab_id": first.id, "source": "console", "limit": 100})
    warned = [line.split(" (")[0] for line in console["text"].splitlines() if line.startswith("[warning]")]
    assert warned == [f"[warning] line {number}" for number in range(4)]
    newest = await driver.read_diagnostics({"tab_id": first.id, "source": "console", "limit": 1})
    assert newest["text"] == console["text"].splitlines()[-1]
    assert "report_limit" in newest["omitted"]
    assert "other tab" not in console["text"]
    network = await driver.read_diagnostics({"tab_id": first.id, "source": "network", "limit": 100})
    assert f"GET http://127.0.0.1:{site.port}/again?a=… 404 fetch" in network["text"]
    assert "CANARY" not in str(network) + str(console)
    assert network["elements"] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_flood_of_lines_keeps_no_read_from_its_answer(
    driver: BrowserDriver, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnostics, "DEAF_SECS", 3600.0)
    await show(driver, site, "<button>Go</button>")
    flood = "setInterval(() => { for (let i = 0; window.on && i < 50; i++) console.log('line', i) }, 10)"
    await value_of(driver, f"window.on = 1; {flood}")
    labels: list[str] = []
    async with asyncio.timeout(300):
        while not labels:
            with contextlib.suppress(PageStuck):  # what came before it was a flood has to be taken in first
                labels = list(await refs(driver))
    assert labels == ["Go"]
    told = await driver.read_diagnostics({"tab_id": None, "source": "console", "limit": 500})
    assert diagnostics.NOT_LISTENED in told["text"]
    assert "report_limit" in told["omitted"]
    await value_of(driver, "window.on = 0")
    listening = driver.diagnostics
    assert listening._deaf is not None
    listening._deaf.cancel()
    listening._listen()  # as when that time is over
    async with asyncio.timeout(60):
        while "again" not in told["text"]:
            await value_of(driver, "console.log('again')")
            told = await driver.read_diagnostics({"tab_id": None, "source": "console", "limit": 5})
