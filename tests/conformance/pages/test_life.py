"""History, dialogs, popups and documents that are no pages."""

from typing import Any

import pytest

from tests.conformance.pages.conftest import Stand
from tests.helpers.site.server import Answer

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_back_and_forward(stand: Stand) -> None:
    for name in ("one", "two"):
        await stand.done("navigate", url=stand.site.page(f"/{name}", f"<h1>Page {name}</h1>"), tab_id=None)
    for where, name in (("back", "one"), ("forward", "two"), ("reload", "two")):
        await stand.done("navigate", url=where, tab_id=None)
        await stand.says(f"Page {name}")


@pytest.mark.parametrize("kind", ["alert", "confirm", "prompt"])
async def test_a_dialog_that_writes_its_answer(stand: Stand, kind: str) -> None:
    await stand.show(f"<button onclick=\"o.textContent = 'answer ' + {kind}('Sure?')\">Ask</button><p id=o></p>")
    assert (await stand.press("Ask"))["ok"] is True
    await stand.says({"alert": "answer undefined", "confirm": "answer false", "prompt": "answer null"}[kind])
    dialogs = [change for change in await stand.changes() if change["type"] == "dialog_dismissed"]
    assert dialogs[-1]["kind"] == kind


async def test_an_alert_while_the_page_loads(stand: Stand) -> None:
    await stand.show("<p>before</p><script>alert('Welcome')</script><p>after</p>")
    await stand.says("after")
    assert any(c["type"] == "dialog_dismissed" and c["kind"] == "alert" for c in await stand.changes())


MOST_LOOKS = 2000
"""Each is a round trip to the browser; together they are some seconds."""


async def test_a_popup_from_a_timer(stand: Stand) -> None:
    stand.site.page("/popup", "<title>Offer</title><button>Take it</button>")
    await stand.show(
        """<button onclick="setTimeout(() => window.open('/popup'), 200)">Later</button><p>still here</p>"""
    )
    before = {tab["id"] for tab in await stand.tabs()}
    assert (await stand.press("Later"))["ok"] is True
    await stand.site.until_asked("/popup")
    new: list[dict[str, Any]] = []
    for _ in range(MOST_LOOKS):
        # The server is asked before the browser tells of the tab.
        new = [tab for tab in await stand.tabs() if tab["id"] not in before]
        if new:
            break
    (popup,) = new
    assert popup["active"] is False
    await stand.says("still here")
    await stand.done("switch_tab", tab_id=popup["id"])
    assert list(await stand.refs()) == ["Take it"]
    await stand.done("close_tab", tab_id=popup["id"])
    await stand.says("still here")
    kinds = [change["type"] for change in await stand.changes()]
    assert {"tab_opened", "tab_closed"} <= set(kinds)


PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
)


async def test_a_pdf_of_one_page_does_not_hang_and_is_not_passed_off_as_read(stand: Stand) -> None:
    stand.site.routes["/a.pdf"] = Answer(PDF, headers={"Content-Type": "application/pdf"})
    went = await stand.call("navigate", url=stand.site.url("/a.pdf"), tab_id=None)
    if went["ok"]:
        report = await stand.read()
        assert {"unsupported_root", "unsupported_control"} & set(report["omitted"])
    else:
        assert "download" in went["error"]
    await stand.show("<p>and on it goes</p>")
    await stand.says("and on it goes")
