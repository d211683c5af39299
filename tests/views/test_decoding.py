"""Pictures decoded in several threads at once never hold each other up for ever."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

MANY = """
import sys, threading
from pathlib import Path
from PySide6.QtGui import QGuiApplication
qapp = QGuiApplication([])
from app.views.decision.screen_change import small_grey
from app.views.stage.reading import read_picture
data = sys.stdin.buffer.read()
sys.setswitchinterval(0.0001)
def grey():
    for _ in range(150):
        small_grey(data)
def whole():
    for _ in range(150):
        read_picture(data)
threads = [threading.Thread(target=one, daemon=True) for one in (grey, whole, grey, whole)]
for one in threads:
    one.start()
for one in threads:
    one.join()
print("done")
"""

BESIDE_THE_WINDOW = """
import gc, sys, threading, time
from PySide6.QtGui import QGuiApplication, QPixmap, QPixmapCache
qapp = QGuiApplication([])
from app.views.decision.crop import Cut, decode
from app.views.decision.screen_change import small_grey
from app.views.stage.reading import read_picture
data = sys.stdin.buffer.read()
with open(sys.argv[2], "wb") as file:
    file.write(data)
def freed(phase, info):
    # As what frees a window, a socket or a file does.
    if threading.current_thread() is decoding:
        time.sleep(0.01)
gc.callbacks.append(freed)
one = {
    "whole": lambda: read_picture(data),
    "grey": lambda: small_grey(data),
    "cut": lambda: decode(data, Cut(0, 0, 8, 8, 1.0)),
}[sys.argv[1]]
def watch(frame, event, function):
    if event == "c_call" and function.__name__ in ("format", "size", "read"):
        gc.collect()
        gc.set_threshold(1 + number % 4)
    elif event == "c_return":
        gc.set_threshold(700)
def work():
    sys.setprofile(watch)
    global number
    for number in range(8):
        one()
decoding = threading.Thread(target=work, daemon=True)
decoding.start()
while decoding.is_alive():
    QPixmap(sys.argv[2])
    QPixmapCache.clear()
    time.sleep(0.0001)
print("done")
"""


def _done(program: str, *arguments: str) -> None:
    """In a process of its own: threads that wait for each other cannot be ended in this one."""
    file = io.BytesIO()
    Image.new("RGB", (64, 40), (20, 90, 60)).save(file, "PNG")
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        input=file.getvalue(),
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.strip() == b"done", done.stderr


def test_many_threads_decode_at_once() -> None:
    _done(MANY)


@pytest.mark.parametrize("what", ["whole", "grey", "cut"])
def test_the_window_loads_icons_while_a_thread_decodes_and_frees(what: str, tmp_path: Path) -> None:
    _done(BESIDE_THE_WINDOW, what, str(tmp_path / "icon.png"))


def test_whoever_reads_pictures_holds_the_lock() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in Path("app/views").rglob("*.py")}
    readers = [path for path, text in texts.items() if "QImageReader(" in text]
    assert len(readers) == 3
    assert [path for path in readers if "with DECODING:" not in texts[path]] == []


def test_the_first_thing_that_a_reader_is_asked_is_its_format() -> None:
    asked = re.compile(r"reader\.(?!set)\w+\(|\bformat_of\(reader\)")
    for path in Path("app/views").rglob("*.py"):
        if "QImageReader(" in (text := path.read_text(encoding="utf-8")):
            assert asked.findall(text)[0] == "format_of(reader)", path
