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


NAMED_SECRET = [
    "pwd", "pass", "user_pin", "userPIN", "pinCode", "PINCode", "otp_code", "OTP1", "creditcard", "cardNumber",
    "ccnum", "cc-number", "passwd_confirm", "clientSecret", "accessToken", "api-key", "Your PIN:", "Card no.", "CVV2",
    "IBAN", "2FA", "Verification code", "Access code", "Social security number", "Mot de passe", "Contrase\u00f1a",
    "C\u00f3digo de seguridad", "Senha", "Kennwort", "Passwortbest\u00e4tigung", "Wachtwoord", "L\u00f6senord",
    "Has\u0142o", "\u0160ifre", "\u041f\u0430\u0440\u043e\u043b\u044c", "\u5bc6\u7801",
    "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638",
    "\u0643\u0644\u0645\u0629 \u0627\u0644\u0645\u0631\u0648\u0631",
]  # fmt: skip
NAMED_PLAIN = [
    "Opinion", "Pinned notes", "Spinner speed", "Shipping", "Accessory", "Secretary", "Passenger", "Passport country",
    "Compass", "Boarding pass", "Postal code", "Promo code", "City", "Cartoon", "Discard", "Success", "Account",
    "One-time donation", "Urban area", "Option", "Hotpot", "Pineapple", "Mapping", "optionalNotes", "shippingOption",
    "Nom de famille", "Palabras clave", "C\u00f3digo postal", "Stra\u00dfe", "\u4f4f\u6240", "\u540d\u524d",
]  # fmt: skip


async def test_a_name_tells_of_a_secret_by_whole_words_in_many_languages(driver: BrowserDriver, site: Site) -> None:
    names = [*NAMED_SECRET, *NAMED_PLAIN]
    await show(driver, site, "".join(f'<input name="{name}" value="v{at}">' for at, name in enumerate(names)))
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    told = [name for name, element in zip(names, report["elements"], strict=True) if "value" in element]
    assert told == NAMED_PLAIN
    await show(driver, site, "".join(f'<label>{name}<input value="v{at}"></label>' for at, name in enumerate(names)))
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    assert [element["label"] for element in report["elements"] if "value" in element] == NAMED_PLAIN


PRIVATE = [
    "<span id=l>Card number</span><input aria-labelledby=l value=CANARY>",
    "<input title=Password value=CANARY>",
    "<input aria-label=First title=Password value=CANARY>",
    "<span id=l>Password</span><div role=textbox aria-labelledby=l contenteditable>CANARY</div>",
    "<label>Card number <span role=textbox contenteditable>CANARY</span></label>",
    "<label for=c>Use <span role=textbox contenteditable aria-label='card number'>CANARY</span></label>"
    "<input type=checkbox id=c>",
    "<div role=combobox tabindex=0 aria-label='Card number'>CANARY</div>",
    "<div role=spinbutton tabindex=0 aria-label=PIN aria-valuetext=CANARY>CANARY</div>",
    "<fieldset><legend>Password</legend><input value=CANARY></fieldset>",
    "<div role=group aria-label='Card number'><input aria-label='First four' value=CANARY></div>",
    "<table><tr><th>Password</th><td><input value=CANARY></td></tr></table>",
    "<table><tr><td>Name<td>Password</tr><tr><td>Ann<td><input value=CANARY></tr></table>",
    "<p>Password: <input value=CANARY></p>",
    "<p style='-webkit-text-security: disc'>CANARY</p>",
    "<style>.m {-webkit-text-security: disc}</style><p>Key: <b class=m>CANARY</b></p>"
    "<button>Show <b class=m>CANARY</b></button>",
    "<style>.m {-webkit-text-security: disc}</style><h2 class=m>CANARY</h2>"
    "<div contenteditable>a <b class=m>CANARY</b></div>",
    # Each field's name holds what the other holds, so each is asked about while the other is.
    "<p id=l>Card number <input aria-labelledby=l value=CANARY> <input aria-labelledby=l value=CANARY></p>",
]  # fmt: skip


@pytest.mark.parametrize("html", PRIVATE)
async def test_what_a_field_is_called_or_stands_beside_keeps_its_value_private(
    driver: BrowserDriver, site: Site, html: str
) -> None:
    await show(driver, site, f"{html}<input aria-label=City value=Bern>")
    for report in (
        await driver.read_page({"tab_id": None, "filter": "all"}),
        await driver.get_page_text({"tab_id": None}),
        await driver.read_page_scoped({"tab_id": None, "filter": "all", "root": None, "depth": 32}),
    ):
        assert "CANARY" not in str(report)
    report = await driver.read_page({"tab_id": None, "filter": "all"})
    assert "Bern" in str(report)
    assert "private" in report["omitted"] or "type=checkbox" in html
