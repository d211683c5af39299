"""What a person types into a private field is in no byte of the run's files, whatever is done beside it."""

import asyncio
import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.ledger.reader import LedgerReader
from drivers.browser.driver import BrowserDriver
from tests.helpers.site.server import Site
from tests.unit.app.runner.page_rig import PageRig
from tests.unit.drivers.reading import ref, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECRETS = {"p": "hunter2-canary-word", "o": "918273645546372819", "c": "4111222233334444"}
HTML = """<body style='margin:0'><form><label>Name <input id=n value='Ada Park'></label>
<label>Password <input id=p type=password></label>
<label>Code <input id=o autocomplete=one-time-code style='font-size:1px'></label>
<label>Card <input id=c autocomplete=cc-number style='font-size:1px'></label>
<button type=button id=b onclick='document.title = "done"'>Sign in</button></form>"""


def spellings(secret: str) -> Iterator[bytes]:
    """The secret as it could lie in a file."""
    plain = secret.encode()
    yield plain
    yield secret.encode("utf-16-le")
    yield plain.hex().encode()
    for lead in range(3):
        # Base64 of a text in which the secret stands somewhere: without the letters that its neighbours share.
        yield base64.b64encode(b"\0" * lead + plain)[4 if lead else 0 : -4]


def holding(folder: Path) -> list[str]:
    """Files, free pages and logs included, in which a secret stands."""
    data = {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    assert data
    return [
        f"{one.name}: {name}"
        for one, held in data.items()
        for name, secret in SECRETS.items()
        if any(spelling in held for spelling in spellings(secret))
    ]


async def test_what_a_person_types_into_private_fields_is_never_stored(
    driver: BrowserDriver, site: Site, tmp_path: Path
) -> None:
    await show(driver, site, HTML)
    for name, secret in SECRETS.items():
        await value_of(driver, f"document.getElementById('{name}').value = '{secret}'")
    with PageRig(driver, tmp_path) as rig:
        for member, arguments in (
            ("read_page", {"filter": "all", "tab_id": None}),
            ("get_page_text", {"tab_id": None}),
            ("find", {"query": "Password", "tab_id": None}),
        ):
            await rig.calls.perform(member, getattr(driver, member), arguments)
        target = {"target": await ref(driver, "Sign in"), "tab_id": None}
        point = {"x": 5, "y": 5, "button": "left", "click_count": 1, "keys": [], "tab_id": None}
        async with asyncio.TaskGroup() as group:
            answering = group.create_task(rig.person(lambda _ask: "allow"))
            assert await rig.act("click", target) == "done"
            await value_of(driver, "document.getElementById('p').focus()")
            await rig.act("key", {"keys": "Tab", "tab_id": None})
            await rig.act("click_at", point)
            answering.cancel()
        asked = [ask.member for ask in rig.asks]
        # The log beside the ledger counts too.
        assert holding(tmp_path) == []
    assert asked[:1] == ["click"]
    assert holding(tmp_path) == []
    # The record is there all the same: what may be read of the page is in it.
    with LedgerReader.open(rig.ledger.path) as reader:
        bodies = "".join(str(recorded.event) for recorded in reader.events())
    assert "Ada Park" in bodies
    assert "Sign in" in bodies
