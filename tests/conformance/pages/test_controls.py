"""Boxes without words, styled boxes, date fields, calendars, lists that never stand still."""

import pytest

from tests.conformance.pages.conftest import Stand

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_checkbox_without_a_label(stand: Stand) -> None:
    await stand.show("<input type=checkbox name=terms onchange=\"o.textContent = 'now ' + this.checked\"><p id=o>")
    report = await stand.read()
    (box,) = report["elements"]
    assert (box["role"], box["checked"]) == ("checkbox", False)
    assert "terms" in box["label"]
    await stand.done("set_checked", target=box["ref"], checked=True, tab_id=None)
    await stand.says("now true")


@pytest.mark.parametrize(
    "hiding",
    ["position:absolute;opacity:0", "display:none", "position:absolute;left:-9999px",
     "appearance:none;width:0;height:0",
     "position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)"],
)  # fmt: skip
async def test_a_hidden_box_behind_a_styled_label(stand: Stand, hiding: str) -> None:
    await stand.show(f"""<input type=checkbox id=c style='{hiding}' onchange="o.textContent = 'now ' + this.checked">
    <label for=c style='display:inline-block;width:90px;height:30px;background:#8cf'>Wi-Fi</label><p id=o>""")
    report = await stand.read()
    (box,) = [element for element in report["elements"] if element["role"] == "checkbox"]
    assert box["label"] == "Wi-Fi"
    await stand.done("set_checked", target=box["ref"], checked=True, tab_id=None)
    await stand.says("now true")
    await stand.done("set_checked", target=box["ref"], checked=True, tab_id=None)
    await stand.says("now true")


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("date", "2027-02-28", "28.02.2027"),
        ("time", "23:59", "11:59 PM"),
        ("month", "2027-12", "December"),
        ("week", "2027-W09", "9"),
        ("datetime-local", "2027-02-28T08:30", "tomorrow"),
        ("color", "#00ff7f", "green"),
    ],
)
async def test_fields_filled_by_a_picker(stand: Stand, kind: str, good: str, bad: str) -> None:
    await stand.show(f"""<label>When <input type={kind} id=f
    onchange="o.textContent = 'holds ' + this.value"></label><p id=o>""")
    field = (await stand.read())["elements"][0]
    refused = await stand.call("type", target=field["ref"], text=bad, tab_id=None)
    assert refused["ok"] is False
    assert "takes" in refused["error"]
    await stand.done("type", target=field["ref"], text=good, tab_id=None)
    await stand.says(f"holds {good}")
    assert (await stand.read())["elements"][0]["value"] == good


CALENDAR = """<label>Day <input readonly id=f></label><div id=grid role=grid hidden></div><p id=o></p><script>
let month = 0; const names = ['January', 'February', 'March'];
const draw = () => { grid.innerHTML = `<button>Previous</button> <b>${names[month]} 2027</b> <button>Next</button>`
  + Array.from({length: 28}, (_, n) => `<span role=gridcell tabindex=0>${n + 1}</span>`).join(' ');
  grid.children[0].onclick = () => { month--; draw() }; grid.children[2].onclick = () => { month++; draw() };
  for (const cell of grid.querySelectorAll('span')) cell.onclick = () => {
    f.value = `${cell.textContent} ${names[month]}`; grid.hidden = true; o.textContent = 'chose ' + f.value } };
f.onclick = () => { grid.hidden = false; draw() }</script>"""


async def test_a_read_only_field_with_a_calendar(stand: Stand) -> None:
    await stand.show(CALENDAR)
    refused = await stand.call("type", target=(await stand.refs())["Day"], text="17 March", tab_id=None)
    assert refused["ok"] is False
    assert "read-only" in refused["error"]
    for label in ("Day", "Next", "Next", "17"):
        assert (await stand.press(label))["ok"] is True
    await stand.says("chose 17 March")


RESTLESS = """<ul id=u></ul><p id=o>pressed:</p><script>let flip = false;
const draw = () => { flip = !flip; u.innerHTML = '';
  for (const name of flip ? ['Keep', 'Delete'] : ['Delete', 'Keep']) {
    const b = document.createElement('button'); b.textContent = name;
    b.onclick = () => o.textContent += ' ' + name; u.append(b) } };
draw(); setInterval(draw, 300)</script>"""


async def test_a_list_drawn_anew_every_300_ms_with_neighbours_swapped(stand: Stand) -> None:
    await stand.show(RESTLESS)
    pressed = 0
    # On a machine that has others to serve many a list is gone before it can be pressed.
    while pressed < 6:
        answer = await stand.press("Keep")
        pressed += answer["ok"]
        assert answer["ok"] or "Read the page again" in answer["error"]
    text = (await stand.read())["text"]
    assert text.count("Keep") == pressed + 1
    assert text.count("Delete") == 1
