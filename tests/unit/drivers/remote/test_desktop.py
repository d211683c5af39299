"""A desktop over VNC: entered only as it has to be, used letter for letter, left as it was, lost and truly told."""

import asyncio
import io
import struct
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from openai.types.responses import computer_action as modern
from PIL import Image

from drivers.errors import BrowserError, NotDone
from drivers.listening import Listening
from drivers.remote.des import encrypted
from drivers.remote.desktop import SCHEMES, open_remote_desktop
from drivers.remote.endpoint import Endpoint, RemoteMissing, Secret
from drivers.remote.rfb import Rfb
from tests.helpers.elsewhere import Front, certificate
from tests.helpers.vnc_desktop import NEEDS_VNC, VncDesktop, vnc_desktop
from tests.unit.drivers.desktop.conftest import soon, soon_true

pytestmark = pytest.mark.asyncio(loop_scope="module")

FIXED_KEY = bytes([23, 82, 107, 6, 35, 78, 88, 7])
"""Under which VNC servers keep their password; the same everywhere."""


def at(port: int, host: str = "127.0.0.1", **more: Any) -> Endpoint:
    return Endpoint.at(f"vnc://{host}:{port}", schemes=SCHEMES, **more)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theirs(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[VncDesktop, Path]]:
    """A desktop of theirs with an editor on it, and the file with what that holds."""
    await asyncio.to_thread(int)  # the loop's own thread exists before the first test, which would leave it behind
    notes = tmp_path_factory.mktemp("theirs") / "notes.txt"
    async with vnc_desktop("-SecurityTypes", "None") as desktop:
        await desktop.editor(notes)
        yield desktop, notes


@NEEDS_VNC
async def test_text_arrives_letter_for_letter_and_others_stay_connected(theirs: tuple[VncDesktop, Path]) -> None:
    desktop, notes = theirs
    another = await Rfb.open(at(desktop.port))
    async with open_remote_desktop(at(desktop.port), picture_at_most=(640, 400), any_letter=True) as opened:
        driver = opened.driver
        assert await driver.size() == (640, 400)
        await white_at_half(driver)
        await driver.click(modern.Click(type="click", x=320, y=300, button="left"))
        # As many letters that its keyboard lacks as such a server has keys to spare, less a few.
        text = "Grüße, ÄH!\nЖук {[@€]} 漢字 ~ ZZ Ωμ 😀 e\u0301 ש"
        await driver.type(modern.Type(type="type", text=text))
        await soon(lambda: asyncio.to_thread(notes.read_text, "utf-8"), lambda held: held == text)
        assert not await asyncio.to_thread(desktop.caps_lock)
        await driver.keypress(modern.Keypress(type="keypress", keys=["ctrl", "a"]))
        await driver.keypress(modern.Keypress(type="keypress", keys=["Delete"]))
        await soon(lambda: asyncio.to_thread(notes.read_text, "utf-8"), lambda held: held == "")
        for refused in ({"x": 640, "y": 0, "button": "left"}, {"x": 1, "y": 1, "button": "forward"}):
            with pytest.raises(NotDone):
                await driver.check(modern.Click.model_validate({"type": "click", **refused}))
        seen = await driver.expect_at(1, 1)
        assert (seen.label, seen.box) == (f"the desktop at 127.0.0.1:{desktop.port}", (0, 0, 640, 400))
    await another.settled()
    await another.close()
    assert desktop.process.returncode is None


async def white_at_half(driver: Any) -> None:
    async def looked() -> Image.Image:
        return Image.open(io.BytesIO((await driver.picture()).data)).convert("RGB")

    await soon(looked, lambda picture: picture.getpixel((320, 300)) == (255, 255, 255))


@NEEDS_VNC
async def test_a_connection_that_is_cut_in_an_action_leaves_it_open_whether_it_happened(
    theirs: tuple[VncDesktop, Path],
) -> None:
    desktop, notes = theirs
    async with Front(desktop.port) as front, open_remote_desktop(at(front.port)) as opened:
        driver = opened.driver
        await driver.click(modern.Click(type="click", x=640, y=600, button="left"))
        typing = asyncio.create_task(driver.type(modern.Type(type="type", text="x" * 20_000)))
        await soon_true(lambda: notes.read_text("utf-8"))
        front.cut()
        with pytest.raises(BrowserError, match="was lost") as broken:
            await typing
        assert not isinstance(broken.value, NotDone)
        with pytest.raises(BrowserError, match="was lost"):
            await driver.picture()
    assert 0 < len(notes.read_text("utf-8")) < 20_000
    assert desktop.process.returncode is None


@NEEDS_VNC
async def test_only_the_right_certificate_and_the_right_password_let_it_in(tmp_path: Path) -> None:
    file, _ = certificate(tmp_path)
    other, _ = certificate(tmp_path, "other.example")
    (tmp_path / "password").write_bytes(encrypted(FIXED_KEY, b"sesame\0\0"))
    options = ["-SecurityTypes", "X509Vnc,VncAuth", "-PasswordFile", str(tmp_path / "password"), "-X509Cert", str(file)]
    async with vnc_desktop(*options, "-X509Key", str(tmp_path / "localhost.pem")) as desktop:
        secret = Secret("sesame")
        encrypted_one = await Rfb.open(at(desktop.port, "localhost", certificate=file, secret=secret))
        assert encrypted_one.is_encrypted
        assert encrypted_one.size == (1280, 800)
        await encrypted_one.close()
        with pytest.raises(RemoteMissing, match="is not trusted"):
            await Rfb.open(at(desktop.port, "localhost", certificate=other, secret=secret))
        with pytest.raises(RemoteMissing, match="is not trusted"):
            await Rfb.open(at(desktop.port, certificate=file, secret=secret))
        # On this machine a password may go without encryption, too.
        await (await Rfb.open(at(desktop.port, secret=secret))).close()
        with pytest.raises(RemoteMissing, match="its password, or the name, is wrong") as refused:
            await Rfb.open(at(desktop.port, secret=Secret("guessed")))
        assert "guessed" not in str(refused.value)
        with pytest.raises(RemoteMissing, match="lets nobody in: it wants a password"):
            await Rfb.open(at(desktop.port))


class Scripted:
    """A VNC server that lets everybody in, shows 8 by 4 pixels, and then sends what it was given."""

    def __init__(self, sends: bytes) -> None:
        self._sends = sends

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"RFB 003.008\n")
        await reader.readexactly(12)
        writer.write(b"\1\1")
        await reader.readexactly(1)
        writer.write(struct.pack(">I", 0))
        await reader.readexactly(1)
        writer.write(struct.pack(">HH16sI", 8, 4, bytes(16), 0) + self._sends)
        await reader.read()


@asynccontextmanager
async def scripted(sends: bytes) -> AsyncIterator[int]:
    listening = Listening(Scripted(sends).serve)
    try:
        yield await listening.start()
    finally:
        await listening.close()


def update(*rectangles: bytes) -> bytes:
    return struct.pack(">BxH", 0, len(rectangles)) + b"".join(rectangles)


def rectangle(x: int, y: int, width: int, height: int, kind: int, data: bytes) -> bytes:
    return struct.pack(">HHHHi", x, y, width, height, kind) + data


RED, BLUE = bytes([0, 0, 255, 0]), bytes([255, 0, 0, 0])
PACKED = zlib.compress(RED * 32)


async def test_every_kind_of_rectangle_lands_in_its_place() -> None:
    all_red = rectangle(0, 0, 8, 4, 6, struct.pack(">I", len(PACKED)) + PACKED)
    blue = rectangle(1, 1, 2, 1, 0, BLUE * 2)
    copied = rectangle(6, 3, 2, 1, 1, struct.pack(">HH", 2, 1))
    async with scripted(b"\2" + struct.pack(">BxxxI", 3, 4) + b"text" + update(all_red, blue, copied)) as port:
        rfb = await Rfb.open(at(port))
        picture = rfb.picture((0, 0, 8, 4))
        await rfb.close()
    colours = {(0, 0, 255): "b", (255, 0, 0): "r"}
    rows = ["".join(colours[picture.getpixel((x, y))] for x in range(8)) for y in range(4)]  # type: ignore[index]
    assert rows == ["rrrrrrrr", "rbbrrrrr", "rrrrrrrr", "rrrrrrbr"]


@pytest.mark.parametrize(
    "hostile",
    [
        update(rectangle(7, 0, 2, 1, 0, RED * 2)),
        update(rectangle(0, 0, 60000, 60000, 0, b"")),
        update(rectangle(0, 0, 65535, 65535, -223, b"")),
        update(rectangle(0, 0, 8, 4, 6, struct.pack(">I", 0xFFFFFFFF))),
        update(rectangle(0, 0, 8, 4, 6, struct.pack(">I", len(PACKED)) + zlib.compress(RED * 31).ljust(len(PACKED)))),
        update(rectangle(0, 0, 8, 4, 6, struct.pack(">I", 4) + b"abcd")),
        update(rectangle(0, 0, 8, 4, 77, b"")),
        struct.pack(">BxxxI", 3, 0xFFFFFFFF),
        b"\x99",
    ],
)
async def test_what_no_server_says_ends_the_connection(hostile: bytes) -> None:
    async with scripted(hostile) as port:
        with pytest.raises(RemoteMissing, match="does not show a desktop"):
            await Rfb.open(at(port))


async def test_a_server_that_pours_out_leaves_others_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []

    async def noted(_self: Rfb, width: int, _height: int, *, with_screens: bool) -> None:
        taken.append(width)

    monkeypatch.setattr(Rfb, "_resized", noted)
    monkeypatch.setattr("drivers.remote.rfb.BREATH_SECS", -1.0)
    first = update(rectangle(0, 0, 8, 4, 0, RED * 32))
    async with scripted(first + update(*[rectangle(0, 0, 9, 9, -223, b"")] * 5000) * 4) as port:
        rfb = await Rfb.open(at(port))
        for _ in range(5):
            await asyncio.sleep(0)
        assert (rfb.lost, len(taken) < 100) == (False, True)
        await rfb.close()


@pytest.mark.parametrize(
    ("said", "words"),
    [(b"HTTP/1.1 400 Bad\r\n\r\n", "does not speak as a VNC server does"), (b"RFB 003.003\n", "older than version 3.8"),
     (b"RFB 003.008\n\0\0\0\0\0", "lets nobody in just now"), (b"RFB 003.008\n\1\2", "it wants a password"),
     (b"RFB 003.008\n\1\x1e", "no way in that is known"), (b"", "does not speak as a VNC server does"),
     (b"RFB 003.008\n\1\x13\0\2\0\1\0\0\1\1", "offers no encryption with a certificate")],
)  # fmt: skip
async def test_what_cannot_be_entered_is_said(said: bytes, words: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(said)
        writer.write_eof()
        await reader.read()

    listening = Listening(serve)
    try:
        with pytest.raises(RemoteMissing, match=words):
            await Rfb.open(at(await listening.start()))
    finally:
        await listening.close()
