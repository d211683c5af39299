"""What every browser driver does for every member, as the model sees it through the SDK."""

import base64

import pytest
from openai.lib.browser import BROWSER_MEMBERS

from tests.conformance.conftest import Bench
from tests.helpers.site.server import Answer

pytestmark = pytest.mark.asyncio(loop_scope="module")

FORM = """<title>Form</title><h1>Booking</h1><label>Name <input id=n value=old></label>
<label>Seats <select id=s><option value=1>One<option value=2>Two</select></label>
<label><input type=checkbox id=c> Agree</label><button id=b>Send</button><p id=out></p>
<p style='margin-top:2000px'>The end</p><script>
const $ = (id) => document.getElementById(id);
$('b').onclick = (e) => $('out').textContent =
  ['sent', $('n').value, $('s').value, $('c').checked, e.isTrusted].join(' ');
$('b').onmouseenter = () => $('out').textContent = 'near';
addEventListener('keydown', (e) => { if (e.ctrlKey && e.key == 'k') $('out').textContent = 'chord' })</script>"""


async def test_the_driver_offers_known_members_in_order(bench: Bench) -> None:
    assert bench.driver.members == [name for name in BROWSER_MEMBERS if name in bench.driver.members]
    assert {"navigate", "read_page", "click", "type", "list_tabs"} <= set(bench.driver.members)


async def test_a_form_is_filled_and_sent(bench: Bench) -> None:
    await bench.show(FORM)
    refs = await bench.refs()
    await bench.done("type", target=refs["Name"], text="Zoë 😀", tab_id=None)
    await bench.done("select_option", target=refs["Seats"], values=["Two"], tab_id=None)
    await bench.done("set_checked", target=refs["Agree"], checked=True, tab_id=None)
    await bench.done("click", target=refs["Send"], tab_id=None)
    await bench.says("sent Zoë 😀 2 true true")


async def test_pointer_and_keys(bench: Bench) -> None:
    await bench.show(FORM)
    refs = await bench.refs()
    await bench.done("hover", target=refs["Send"], tab_id=None)
    await bench.says("near")
    await bench.done("key", keys=["ctrl+k"], tab_id=None)
    await bench.says("chord")
    await bench.done("scroll", direction="down", amount=300, tab_id=None)
    await bench.done("scroll_to", target=refs["Send"], tab_id=None)
    await bench.done("hold_keys", keys=["Shift"], duration_ms=1, tab_id=None)


async def test_points_are_css_pixels(bench: Bench) -> None:
    await bench.show("""<body style='margin:0'><canvas id=c width=400 height=300></canvas><p id=o></p><script>
    const log = [], say = (e) => { log.push(e.type + e.clientX + '/' + e.clientY); o.textContent = log.join(' ') };
    for (const kind of ['mousedown', 'mouseup', 'click']) c.addEventListener(kind, say)</script>""")
    await bench.done("click_at", tab_id=None, x=30, y=40, button="left", click_count=1, keys=[])
    await bench.says("mousedown30/40 mouseup30/40 click30/40")
    await bench.done("drag_path", tab_id=None, path=[{"x": 10, "y": 10}, {"x": 90, "y": 80}], keys=[])
    await bench.says("mousedown10/10 mouseup90/80")
    await bench.done("hover_at", tab_id=None, x=5, y=5)
    outside = await bench.call("click_at", tab_id=None, x=5000, y=5, button="left", click_count=1, keys=[])
    assert outside["ok"] is False


async def test_reads(bench: Bench) -> None:
    await bench.show(FORM)
    whole = await bench.done("read_page", tab_id=None, filter="all")
    assert "Booking" in whole["text"]
    assert {e["label"]: e["role"] for e in whole["elements"]} == {
        "Name": "textbox", "Seats": "combobox", "Agree": "checkbox", "Send": "button",
    }  # fmt: skip
    found = await bench.done("find", query="send", tab_id=None)
    assert [e["label"] for e in found["elements"]] == ["Send"]
    scopes = await bench.done("read_page_scoped", tab_id=None, root=None, depth=5, filter="all")
    booking = next(s["ref"] for s in scopes["scopes"] if "Booking" in s["label"])
    part = await bench.done("read_page_scoped", tab_id=None, root=booking, depth=5, filter="all")
    assert "Booking" in part["text"]
    await bench.done("wait_for", text="the END", timeout_ms=30_000, tab_id=None)
    assert (await bench.call("wait_for", text="never", timeout_ms=50, tab_id=None))["ok"] is False


async def test_pictures(bench: Bench) -> None:
    await bench.show(FORM)
    for told in (
        await bench.call("screenshot", tab_id=None),
        await bench.call("zoom", tab_id=None, region=[0, 0, 100, 50]),
    ):
        assert told["ok"] is True
        assert base64.b64decode(told["image"].split(",")[1]).startswith(b"\x89PNG")


async def test_tabs(bench: Bench) -> None:
    await bench.show(FORM)
    first = (await bench.call("list_tabs"))["state"]["tabs"][0]["id"]
    told = await bench.call("new_tab", url=bench.site.page("/two", "<title>Two</title>"))
    second = next(tab["id"] for tab in told["state"]["tabs"] if tab["active"])
    assert second != first
    await bench.done("switch_tab", tab_id=first)
    told = await bench.call("close_tab", tab_id=second)
    assert [(tab["id"], tab["active"]) for tab in told["state"]["tabs"]] == [(first, True)]
    kinds = [change["type"] for change in told["state"]["observation"]["changes"][-3:]]
    assert kinds == ["navigation", "tab_switched", "tab_closed"]


async def test_bad_references_and_tabs_are_refused_in_words(bench: Bench) -> None:
    await bench.show(FORM)
    refs = await bench.refs()
    for target, tab in (("e99999", None), ("", None), ("#b", None), (refs["Send"], "t99999")):
        told = await bench.call("click", target=target, tab_id=tab)
        assert told["ok"] is False
        assert told["error"] != "Browser action failed."
    await bench.show(FORM)
    stale = await bench.call("click", target=refs["Send"], tab_id=None)
    assert stale["ok"] is False
    assert "sent" not in (await bench.done("get_page_text", tab_id=None))["text"]


async def test_scripts_diagnostics_and_files(bench: Bench) -> None:
    await bench.show(FORM + "<script>console.log('hello')</script>")
    assert await bench.done("run_script", tab_id=None, source="document.title", timeout_ms=30_000) == "Form"
    read = await bench.done("read_diagnostics", tab_id=None, source="console", limit=5)
    assert "hello" in read["text"]
    for member in ("upload_file", "download_file"):
        told = await bench.call(member, grant_id="made up")
        assert told["ok"] is False
        assert told["result"]["status"] == "refused"


async def test_a_stop_comes_before_the_effect(bench: Bench) -> None:
    await bench.show(FORM)
    refs = await bench.refs()
    method = getattr(bench.driver, "click")  # noqa: B009 - the suite's protocol names no member
    with pytest.raises(RuntimeError, match="cancelled"):
        await method({"target": refs["Send"], "tab_id": None}, cancelled=lambda: True)
    assert "sent" not in (await bench.done("get_page_text", tab_id=None))["text"]


async def test_failed_loads_leave_a_state_that_the_sdk_takes(bench: Bench) -> None:
    assert (await bench.call("navigate", url="http://127.0.0.1:2/", tab_id=None))["ok"] is False
    bench.site.routes["/none"] = Answer("", 204)
    await bench.call("navigate", url=bench.site.url("/none"), tab_id=None)
    assert (await bench.call("list_tabs"))["ok"] is True
    await bench.show(FORM)
