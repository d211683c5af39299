"""Pages of great size: each read ends, stays bounded, and says what it left out."""

from typing import Any

import pytest

from tests.conformance.pages.conftest import Stand

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOST_CHARACTERS = 80_000


async def bounded_read(stand: Stand) -> dict[str, Any]:
    """Read and see that its size is bounded; how fast reads are is the benchmarks' business."""
    report = await stand.read()
    assert len(report["text"]) < MOST_CHARACTERS
    assert len(report["elements"]) <= 2000
    return report


async def test_fifty_thousand_buttons(stand: Stand) -> None:
    await stand.show("""<body><script>document.body.innerHTML =
    Array.from({length: 50000}, (_, n) => `<button>Button ${n}</button>`).join('');
    for (const b of document.querySelectorAll('button'))
      b.addEventListener('click', () => document.title = b.textContent)
    </script>""")
    report = await bounded_read(stand)
    assert "target_limit" in report["omitted"]
    assert (await stand.press("Button 1500"))["ok"] is True
    assert (await stand.tabs())[0]["title"] == "Button 1500"
    found = await stand.done("find", query="Button 700", tab_id=None)
    assert found["elements"][0]["label"] == "Button 700"


async def test_a_label_of_five_megabytes(stand: Stand) -> None:
    await stand.show("""<body><button id=b>x</button><button>Other</button><script>
    document.getElementById('b').setAttribute('aria-label', 'Buy ' + 'x'.repeat(5e6));
    document.body.append('y'.repeat(5e6))</script>""")
    report = await bounded_read(stand)
    first, other = report["elements"]
    assert first["label"].startswith("Buy xxx")
    assert len(first["label"].encode()) <= 256
    assert other["label"] == "Other"
    assert {"name_limit", "text_limit"} <= set(report["omitted"])


async def test_three_hundred_elements_inside_each_other(stand: Stand) -> None:
    await stand.show(f"""{"<div>" * 300}<button onclick="o.textContent = 'reached'">Inmost</button><p id=o></p>
    {"</div>" * 300}""")
    await bounded_read(stand)
    assert (await stand.press("Inmost"))["ok"] is True
    await stand.says("reached")


VIRTUAL = """<div id=v style='height:400px;overflow:auto'>
<div id=h style='height:300000px;position:relative'></div></div>
<p id=o></p><script>
const draw = () => { const first = Math.floor(v.scrollTop / 30); h.innerHTML = '';
  for (let n = first; n < Math.min(first + 14, 10000); n++) { const b = document.createElement('button');
    b.textContent = 'Row ' + n; b.style.cssText = `position:absolute;height:28px;top:${n * 30}px`;
    b.onclick = () => o.textContent = 'chose ' + n; h.append(b) } };
v.onscroll = draw; draw()</script>"""


async def test_a_virtual_list_of_ten_thousand_rows(stand: Stand) -> None:
    await stand.show(VIRTUAL)
    assert len((await bounded_read(stand))["elements"]) < 20
    for _ in range(80):
        await stand.done("scroll", direction="down", amount=5000, tab_id=None)
        refs = await stand.refs()
        if "Row 9999" in refs:
            break
    await stand.done("click", target=refs["Row 9999"], tab_id=None)
    await stand.says("chose 9999")
