"""``signalbox export`` as other tools call it, and its page in a real browser that may load nothing."""

import json
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from drivers.browser.launch import LaunchOptions, executable
from tests.end2end.program import signalbox
from tests.unit.app.export.saved_booking import save_booking


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return save_booking(tmp_path / "run.signalbox")


def test_each_form_is_one_file_and_says_what_was_left_out(record: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("Party of two\n\nkitchen\n", encoding="utf-8")
    out = tmp_path / "out.json"
    ran = signalbox(
        "export",
        str(record),
        "--to",
        "json",
        "-o",
        str(out),
        "--mask",
        "1,2,30,40",
        "--redact",
        str(texts),
        home=tmp_path,
    )
    assert ran.code == 0, ran.err
    assert ran.out == f"Written: {out} ({out.stat().st_size:,} bytes)\n"
    assert "1 region is covered in every picture (x,y,width,height on the page): 1,2,30,40" in ran.err
    assert json.loads(out.read_bytes())["left_out"] == ran.err.splitlines()
    assert "Party of two" not in out.read_text()
    again = signalbox("export", str(record), "--to", "csv", "-o", str(tmp_path / "out.csv"), "--unmask", home=tmp_path)
    assert (again.code, again.err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--to", "pdf"], 2, "pdf"),
        ([], 2, "--to"),
        (["--to", "html", "--mask", "1,2,3"], 2, "a region is X,Y,WIDTH,HEIGHT"),
        (["--to", "html", "--redact", "nowhere.txt"], 2, "does not exist"),
        (["--to", "html", "-o", "nowhere/out.html"], 1, "no such folder"),
    ],
)
def test_wrong_use_says_what_is_wrong(
    record: Path, tmp_path: Path, arguments: list[str], code: int, words: str
) -> None:
    ran = signalbox("export", str(record), *arguments, home=tmp_path)
    assert ran.code == code
    assert words in ran.err
    assert "Traceback" not in ran.err


async def test_a_browser_shows_the_page_without_loading_or_running_anything(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    assert signalbox("export", str(record), "--to", "html", "-o", str(out), home=tmp_path).code == 0
    said: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable(LaunchOptions()), chromium_sandbox=False)
        for scheme in ("light", "dark"):
            context = await browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
            page = await context.new_page()
            page.on("console", lambda message: said.append(message.text))
            page.on("request", lambda request: said.append(request.url) if request.url.startswith("http") else None)
            await page.goto(out.as_uri())
            colour = await page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert colour == ("rgb(21, 24, 28)" if scheme == "dark" else "rgb(244, 245, 247)")
            assert await page.evaluate("[...document.images].every(one => one.naturalWidth > 100)")
            assert await page.evaluate("document.images.length") > 3
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            await context.close()
        await browser.close()
    assert said == []
