"""Frames of other sites, elements that only listen, shadow roots."""

from pathlib import Path

import pytest

from tests.conformance.pages.conftest import Stand

pytestmark = pytest.mark.asyncio(loop_scope="module")

SAY = "<p id=o></p><script>const o = document.getElementById('o')</script>"


async def test_frames_of_other_sites_three_deep(stand: Stand) -> None:
    site = stand.site
    site.page("/3", f"<button onclick=\"o.textContent = 'deep ' + event.isTrusted\">Deepest</button>{SAY}")
    site.page("/2", f"<p>second</p><iframe src='{site.url('/3')}'></iframe>")
    site.page("/1", f"<p>first</p><iframe src='{site.url('/2', host='localhost')}' width=600 height=400></iframe>")
    await stand.show(f"<p>outer</p><iframe src='{site.url('/1', host='localhost')}' width=800 height=500></iframe>")
    text = (await stand.read())["text"]
    assert text.index("outer") < text.index("first") < text.index("second") < text.index("Deepest")
    assert f"[frame http://localhost:{site.port}]" in text
    assert (await stand.press("Deepest"))["ok"] is True
    await stand.says("deep true")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_div_in_a_frame_that_only_listens(stand: Stand, host: str) -> None:
    stand.site.page(
        "/in",
        f"""<div id=d>Open the drawer</div><div>plain words</div>{SAY}<script>
    document.getElementById('d').addEventListener('click', (e) => o.textContent = 'opened ' + e.isTrusted)</script>""",
    )
    await stand.show(f"<iframe src='{stand.site.url('/in', host=host)}'></iframe>")
    assert list(await stand.refs()) == ["Open the drawer"]
    assert (await stand.press("Open the drawer"))["ok"] is True
    await stand.says("opened true")


TWINS = """<div id=open></div><div id=closed></div><p id=o></p><script>
for (const mode of ['open', 'closed']) {
  const root = document.getElementById(mode).attachShadow({mode});
  root.innerHTML = `<button>Save</button> ${mode} root`;
  root.querySelector('button').onclick = () => document.getElementById('o').textContent = 'pressed ' + mode;
}</script>"""


async def test_twins_in_an_open_and_a_closed_shadow_root(stand: Stand) -> None:
    await stand.show(TWINS.replace("<div id=closed>", "<x-closed id=closed>").replace("</div><p", "</x-closed><p"))
    report = await stand.read()
    assert [element["label"] for element in report["elements"]] == ["Save"]
    assert "open root" in report["text"]
    assert "closed root" not in report["text"]
    assert "unsupported_root" in report["omitted"]
    assert (await stand.press("Save"))["ok"] is True
    await stand.says("pressed open")


async def test_a_file_field_in_a_child_frame(stand: Stand, tmp_path: Path) -> None:
    stand.site.page(
        "/in",
        f"""<input type=file aria-label=Photo id=f>{SAY}<script>
    document.getElementById('f').onchange = (e) => o.textContent = 'got ' + e.target.files[0].name</script>""",
    )
    await stand.show(f"<iframe src='{stand.site.url('/in', host='localhost')}'></iframe>")
    photo = tmp_path / "me.png"
    photo.write_bytes(b"picture")
    grant = await stand.browser.grants.allow_upload(photo, target=(await stand.refs())["Photo"])
    assert (await stand.done("upload_file", grant_id=grant.grant_id))["status"] == "completed"
    await stand.says("got me.png")


async def test_a_chooser_that_comes_after_half_a_second(stand: Stand, tmp_path: Path) -> None:
    await stand.show("""<button onclick="setTimeout(pick, 500)">Choose</button><p id=o></p><script>function pick() {
    const f = Object.assign(document.createElement('input'), {type: 'file'});
    f.onchange = () => document.getElementById('o').textContent = 'got ' + f.files[0].name; f.click() }</script>""")
    paper = tmp_path / "paper.txt"
    paper.write_text("words")
    grant = await stand.browser.grants.allow_upload(paper)
    assert (await stand.press("Choose"))["ok"] is True
    assert (await stand.done("upload_file", grant_id=grant.grant_id))["status"] == "completed"
    await stand.done("wait_for", text="got paper.txt", timeout_ms=30_000, tab_id=None)
