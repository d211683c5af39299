"""Files move only under a grant, once, and are called completed only when they are."""

import asyncio
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import pytest_asyncio

from drivers.browser.driver import BrowserDriver
from drivers.browser.grants import Grants, safe_name
from drivers.errors import NotDone
from tests.helpers.site.server import Answer, Site
from tests.unit.drivers.reading import ref, show, value_of


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("../../.bashrc", "bashrc"),
        ("C:\\Windows\\evil.exe", "evil.exe"),
        ("report.pdf", "report.pdf"),
        ("a\u202efdp.exe", "afdp.exe"),
        ("con.txt", "_con.txt"),
        ("", "download"),
        (" . ", "download"),
        ('a<b>:"c|d?.txt', "a_b___c_d_.txt"),
        ("x" * 300 + ".pdf", "x" * 97 + ".pdf"),
        ("語" * 120 + ".txt", "語" * 78 + ".txt"),
        ("a." + "語" * 120, "a." + "語" * 20),
    ],
)
def test_a_servers_name_is_made_harmless(given: str, safe: str) -> None:
    assert safe_name(given) == safe


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the machine has no such clock, or Python's own is it")
def test_a_grants_time_goes_on_while_the_machine_sleeps(tmp_path: Path) -> None:
    grants = Grants(tmp_path)
    before = time.clock_gettime(time.CLOCK_BOOTTIME)
    grant = grants.allow_download("http://x.test/", secs=300)
    assert before <= grant.expires_at - 300 <= time.clock_gettime(time.CLOCK_BOOTTIME)
    grants.close()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_grant_is_for_one_use_one_direction_and_a_time(tmp_path: Path) -> None:
    now = 0.0
    grants = Grants(tmp_path / "in", clock=lambda: now)
    file = tmp_path / "a.txt"
    file.write_text("abc")
    first, second = await grants.allow_upload(file), await grants.allow_upload(file, secs=10)
    assert grants.take(first.grant_id, "download") is None
    assert grants.take(first.grant_id, "upload") is None
    now = 11
    assert grants.take(second.grant_id, "upload") is None
    assert grants.take("guessed", "upload") is None
    with pytest.raises(ValueError, match="larger"):
        await grants.allow_upload(file, most_bytes=2)
    with pytest.raises(ValueError, match="plain file"):
        await grants.allow_upload(tmp_path)
    grants.close()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("content", "preview"),
    [(b"Ada\n", "Ada\n"), (b"\x00\x01", ""), ("ä".encode() * 600, "ä" * 500), (b"\xff\xfe\xfd\xfc\xfb", "")],
)
async def test_what_a_person_is_shown_of_a_grant_uses_nothing_up(tmp_path: Path, content: bytes, preview: str) -> None:
    grants = Grants(tmp_path / "in")
    file = tmp_path / "a.txt"
    file.write_bytes(content)
    grant = await grants.allow_upload(file)
    facts = await grants.facts(grant.grant_id)
    assert facts is not None
    assert (facts.name, facts.size, facts.sha256, facts.preview) == ("a.txt", len(content), grant.sha256, preview)
    assert grants.take(grant.grant_id, "upload") == grant
    assert await grants.facts(grant.grant_id) is None
    assert (await grants.facts(grants.allow_download("https://a.example/x").grant_id)) is not None
    grants.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module", autouse=True)
async def _one_worker() -> None:
    """The thread that copies files exists before the first test, which would otherwise leave it behind."""
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(1))
    await asyncio.to_thread(int)


UPLOAD = "<input type=file id=f aria-label=Photo>"
SENT = "[...document.getElementById('f').files].map(f => f.name + f.size).join()"


@pytest.mark.asyncio(loop_scope="module")
class TestOnAPage:
    async def test_an_upload_arrives_as_it_was_granted(self, driver: BrowserDriver, site: Site, tmp_path: Path) -> None:
        await show(driver, site, UPLOAD)
        file = tmp_path / "a.txt"
        file.write_text("granted")
        grant = await driver.grants.allow_upload(file, target=await ref(driver, "Photo"))
        file.write_text("changed since the person agreed")
        outcome = await driver.upload_file({"grant_id": grant.grant_id})
        assert outcome == {"version": 1, "status": "completed", "effect": "completed", "cleanup": "pending"}
        assert await value_of(driver, SENT) == "a.txt7"
        again = await driver.upload_file({"grant_id": grant.grant_id})
        assert (again["status"], again["effect"]) == ("refused", "none")

    async def test_a_late_chooser_gets_the_file(self, driver: BrowserDriver, site: Site, tmp_path: Path) -> None:
        html = f"""{UPLOAD}<input type=file><button onclick='setTimeout(() => f.click(), 500)'>Pick</button>
        <script>const f = document.getElementById('f')</script>"""
        await show(driver, site, html)
        file = tmp_path / "a.txt"
        file.write_text("abc")
        await driver.click({"target": await ref(driver, "Pick"), "tab_id": None})
        grant = await driver.grants.allow_upload(file)
        assert (await driver.upload_file({"grant_id": grant.grant_id}))["status"] == "completed"
        assert await value_of(driver, SENT) == "a.txt3"

    async def test_a_field_in_a_child_frame(self, driver: BrowserDriver, site: Site, tmp_path: Path) -> None:
        site.page("/in", UPLOAD)
        await show(driver, site, f"<iframe src='{site.url('/in', host='localhost')}'></iframe>")
        file = tmp_path / "a.txt"
        file.write_text("abc")
        grant = await driver.grants.allow_upload(file)
        assert (await driver.upload_file({"grant_id": grant.grant_id}))["status"] == "completed"

    async def test_a_granted_download_lands_in_quarantine(self, driver: BrowserDriver, site: Site) -> None:
        headers = {"Content-Disposition": 'attachment; filename="../../.profile"'}
        site.routes["/file"] = Answer(b"x" * 1000, headers=headers)
        await show(driver, site, "<p>page")
        for number in range(2):
            grant = driver.grants.allow_download(site.url("/file"))
            outcome = await driver.download_file({"grant_id": grant.grant_id})
            assert outcome == {"version": 1, "status": "completed", "effect": "completed", "cleanup": "completed"}
            assert len(list(driver.grants.quarantine.iterdir())) == number + 1
        for kept in driver.grants.quarantine.iterdir():
            assert (kept.read_bytes(), kept.stat().st_mode & 0o777) == (b"x" * 1000, 0o600)
            assert not kept.name.startswith(".")
            kept.unlink()

    async def test_a_download_too_large_or_cut_off_is_not_completed(self, driver: BrowserDriver, site: Site) -> None:
        headers = {"Content-Disposition": "attachment; filename=a.bin"}
        site.routes["/big"] = Answer(b"x" * 1000, headers=headers)
        site.routes["/cut"] = Answer(b"x" * 1000, headers={**headers, "Content-Length": "5000"})
        await show(driver, site, "<p>page")
        for path, most in (("/big", 999), ("/cut", 10_000)):
            grant = driver.grants.allow_download(site.url(path), most_bytes=most)
            assert (await driver.download_file({"grant_id": grant.grant_id}))["status"] == "interrupted"
        assert list(driver.grants.quarantine.iterdir()) == []

    async def test_an_unknown_grant_does_nothing(self, driver: BrowserDriver, site: Site) -> None:
        await show(driver, site, UPLOAD)
        for act in (driver.upload_file, driver.download_file):
            outcome = await act({"grant_id": "made-up"})
            assert (outcome["status"], outcome["cleanup"]) == ("refused", "not_started")
        assert await value_of(driver, SENT) == ""

    async def test_a_target_without_files_is_refused(self, driver: BrowserDriver, site: Site, tmp_path: Path) -> None:
        await show(driver, site, UPLOAD + "<button>Other</button>")
        file = tmp_path / "a.txt"
        file.write_text("abc")
        grant = await driver.grants.allow_upload(file, target=await ref(driver, "Other"))
        assert (await driver.upload_file({"grant_id": grant.grant_id}))["status"] == "refused"
        with pytest.raises(NotDone):
            driver.tabs.get("t999")
