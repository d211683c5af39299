"""Pictures decoded in several threads at once never hold each other up for ever."""

import io
import subprocess
import sys
from pathlib import Path

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


def test_many_threads_decode_at_once() -> None:
    file = io.BytesIO()
    Image.new("RGB", (64, 40), (20, 90, 60)).save(file, "PNG")
    # A process of its own: threads that wait for each other cannot be ended in this one.
    done = subprocess.run(
        [sys.executable, "-c", MANY], input=file.getvalue(), capture_output=True, timeout=300, check=False
    )
    assert done.stdout.strip() == b"done", done.stderr


def test_whoever_reads_pictures_holds_the_lock() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in Path("app/views").rglob("*.py")}
    readers = [path for path, text in texts.items() if "QImageReader(" in text]
    assert len(readers) == 3
    assert [path for path in readers if "with DECODING:" not in texts[path]] == []
