"""No text of a question, wherever it stands on the card, makes the window open the file that it names."""

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from app.core.evidence import SafetyCheck
from app.core.scope import RunScope
from tests.views.decision.conftest import CardDesk
from tests.views.decision.samples import ask, evidence, target

OPENED, NONBLOCK = 0x20, os.O_NONBLOCK

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux who opens a file")


class Canary:
    """A picture on the disk; the system tells whether anybody opened it."""

    def __init__(self, path: Path) -> None:
        # A real picture: what is not one might be given up before it is opened.
        path.write_bytes(b"P6 1 1 255\n\0\0\0")
        self.path = path
        system = ctypes.CDLL(None, use_errno=True)
        self.watch = system.inotify_init1(NONBLOCK)
        assert self.watch >= 0
        assert system.inotify_add_watch(self.watch, os.fsencode(path), OPENED) >= 0

    def was_opened(self) -> bool:
        try:
            return bool(os.read(self.watch, 4096))
        except BlockingIOError:
            return False


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Canary]:
    made = Canary(tmp_path / "canary.ppm")
    yield made
    os.close(made.watch)


def test_no_text_of_a_question_makes_a_file_be_opened(desk: CardDesk, canary: Canary) -> None:
    for address in (str(canary.path), canary.path.as_uri()):
        text = f'<html><body><img src="{address}"><p style="background-image: url({address})">![x]({address})</p>'
        check = SafetyCheck(check_id=text, code=text, message=text)
        page = evidence().page
        assert page is not None
        seen = evidence(target=target(label=text, role=text), page=page.model_copy(update={"title": text}))
        scope = RunScope(kind="browser_action", source="browser", member=text, arguments={text: text}, label=text)
        asked = ask(member=text, arguments={text: text, "long": text * 400}, evidence=seen, scope=scope)
        card = desk.open(asked.model_copy(update={"checks": (check,), "server_label": text, "raw_arguments": text}))
        for value in card.body.big_values:
            value.turn_to_end()
        card.grab()
        QApplication.processEvents()
        assert text[:40] in card.body.shown_text()
        card.withdraw()
    assert not canary.was_opened()


def test_the_canary_tells(qapp: QApplication, canary: Canary) -> None:
    """What rich text would do."""
    document = QTextDocument()
    document.setHtml(f'<img src="{canary.path.as_uri()}">')
    document.size()
    assert canary.was_opened()
