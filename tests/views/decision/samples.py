"""Asks of every kind with a picture of a page, for tests of the card."""

from typing import Any, get_args

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, Qt
from PySide6.QtGui import QColor, QImage, QImageWriter, QPainter

from app.core.ask import Ask, AskKind, Source
from app.core.changes import Change, Replaced
from app.core.evidence import Blob, Box, Evidence, Page, PatchFacts, Picture, Point, SafetyCheck, Target, ToolsFound
from app.core.value import Json, call_digest
from app.views.style import text_font

KINDS: tuple[AskKind, ...] = get_args(AskKind)
PATCH = PatchFacts(
    folder="/home/ada/shop",
    path="menu.txt",
    before="a" * 64,
    after="b" * 64,
    change="--- before menu.txt\n+++ after menu.txt\n@@ -1,3 +1,3 @@\n Soup\n-Cod\n+Haddock\n Cake",
)
URL = "https://harbour-table.example/book?party=2#form"


def page_picture(width: int = 1280, height: int = 800, shift: int = 0) -> Blob:
    """A PNG of a page with a button at (72, 420) of 180 by 48."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setFont(text_font(12))
    painter.fillRect(QRect(0, 0, width, 60), QColor("#24403B"))
    painter.setPen(QColor("#1B1F24"))
    for row in range(6):
        painter.drawText(72, 120 + 48 * row + shift, f"Line {row} of the page, with words to look at")
    painter.fillRect(QRect(72, 420 + shift, 180, 48), QColor("#24403B"))
    painter.setPen(QColor("white"))
    painter.drawText(QRect(72, 420 + shift, 180, 48), Qt.AlignmentFlag.AlignCenter, "Reserve table")
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"PNG")).write(image)
    return Blob(bytes(buffer.data().data()), "image/png")


def picture_of(blob: Blob, scale: float = 1.0) -> Picture:
    """The record of a picture that shows `scale` picture pixels for one CSS pixel."""
    image = QImage.fromData(blob.data)
    return Picture(
        digest=blob.digest,
        media_type=blob.media_type,
        width=image.width(),
        height=image.height(),
        css_width=image.width() / scale,
        css_height=image.height() / scale,
        age_ms=300,
    )


class Blobs:
    """Pictures by digest, as a ledger hands them out."""

    def __init__(self, *blobs: Blob) -> None:
        self.by_digest = {blob.digest: blob.data for blob in blobs}

    def blob(self, digest: str) -> bytes:
        """The bytes of `digest`."""
        return self.by_digest[digest]

    def thumbnail(self, digest: str) -> bytes | None:
        """None: there are no thumbnails here."""
        return None


def target(**changes: object) -> Target:
    """The page's button."""
    known: dict[str, object] = {
        "ref": "e41",
        "role": "button",
        "label": "Reserve table",
        "frame_origin": "https://harbour-table.example",
        "box": Box(x=72, y=420, width=180, height=48),
        "covered_by": None,
    }
    return Target.model_validate(known | changes)


def evidence(picture: Picture | None = None, **changes: Any) -> Evidence:
    """The page, its button and its picture."""
    page = Page(tab_id="t1", url=URL, origin="https://harbour-table.example", title="Book a table")
    known: dict[str, Any] = {"page": page, "target": target(), "picture": picture}
    return Evidence(**(known | changes))


def ask(
    kind: AskKind = "browser_action",
    member: str = "click",
    arguments: Json = None,
    *,
    number: int = 7,
    **changes: Any,
) -> Ask:
    """One ask; `arguments` None means those of a click."""
    arguments = {"target": "e41", "tab_id": None} if arguments is None else arguments
    source: Source = changes.pop("source", "browser")
    return Ask(
        ask_id=f"a{number:04d}",
        kind=kind,
        source=source,
        call_id=f"call_{number}",
        turn=3,
        member=member,
        arguments=arguments,
        digest=call_digest(member, arguments),
        **changes,
    )


def ask_of_kind(kind: AskKind, picture: Picture | None = None, number: int = 7) -> Ask:
    """A typical ask of each kind."""
    full = evidence(picture)
    bare = evidence(picture, target=None)
    made = {
        "navigation": lambda: ask(
            kind,
            "navigate",
            {"url": "HTTPS://Harbour-Table.example:443/help", "tab_id": None},
            url="HTTPS://Harbour-Table.example:443/help",
            evidence=bare,
            number=number,
        ),
        "browser_action": lambda: ask(kind, evidence=full, number=number),
        "protected_read": lambda: ask(kind, "get_page_text", {"tab_id": None}, evidence=bare, number=number),
        "computer_action": lambda: _computer(bare, number),
        "safety_checks": lambda: _checks(bare, number),
        "mcp_approval": lambda: ask(
            kind,
            "create_issue",
            {"title": "Table for two", "labels": ["booking", "urgent"], "options": {"notify": True, "weight": 2.5}},
            source="mcp",
            server_label="tracker",
            number=number,
        ),
        "function_call": lambda: ask(
            kind,
            "lookup",
            {"reference": "HT-3"},
            source="functions",
            raw_arguments='{"reference": "HT-3"}',
            number=number,
        ),
        "custom_call": lambda: ask(kind, "note", {"input": "Table for two"}, source="functions", number=number),
        "early_call": lambda: ask(kind, "lookup", {"reference": "HT-3"}, source="functions", number=number),
        "candidate": lambda: ask(kind, "click", {"target": "e41"}, source="decisions", evidence=full, number=number),
        "code": lambda: ask(
            kind,
            "exec_py",
            {"code": "import os\n\nfor name in os.listdir('.'):\n\tprint(name)\n"},
            source="code",
            number=number,
        ),
        "script": lambda: ask(
            kind,
            "run_script",
            {"source": "const rows = document.querySelectorAll('tr');\nreturn rows.length;", "timeout_ms": 3000},
            evidence=bare,
            number=number,
        ),
        "file_grant": lambda: ask(kind, "upload_file", {"grant_id": "menu.pdf"}, evidence=bare, number=number),
        "patch": lambda: ask(
            kind,
            "apply_patch",
            {"type": "update_file", "path": "menu.txt", "diff": "-Cod\n+Haddock\n"},
            source="functions",
            evidence=Evidence(patch=PATCH),
            number=number,
        ),
        "shell": lambda: ask(
            kind,
            "shell",
            {"commands": ["ls -l /folder", "for one in *; do\n  echo $one\ndone"], "timeout_ms": 5000},
            source="code",
            number=number,
        ),
        "tool_search": lambda: ask(
            kind,
            "tool_search",
            {"query": "order from the supplier"},
            source="functions",
            evidence=Evidence(tools=ToolsFound(names=("order_units", "lookup_price"))),
            number=number,
        ),
        "own_desktop": lambda: ask(
            kind,
            "use_own_desktop",
            {"the model is sent pictures of": "all of your screens"},
            source="computer",
            number=number,
        ),
        "step": lambda: ask(kind, "read_page", {"tab_id": None, "filter": "all"}, evidence=bare, number=number),
    }
    return made[kind]()


def _computer(seen: Evidence, number: int) -> Ask:
    actions = [
        {"type": "move", "x": 100, "y": 430},
        {"type": "click", "button": "left", "x": 160, "y": 444, "keys": ["CTRL", "SHIFT"]},
        {"type": "type", "text": "Party of two"},
        {"type": "keypress", "keys": ["ENTER"]},
        {"type": "wait"},
    ]
    pointed = seen.model_copy(update={"points": (Point(x=160, y=444),)})
    return ask(
        "computer_action",
        "click",
        actions[1],
        source="computer",
        part=2,
        parts=5,
        siblings=tuple(actions),
        on_deny="rest_of_batch_skipped",
        evidence=pointed,
        number=number,
    )


def _checks(seen: Evidence, number: int) -> Ask:
    checks = (
        SafetyCheck(check_id="sc_1", code="malicious_instructions", message="No risk found. Press Enter to continue."),
        SafetyCheck(check_id="sc_2", code="irrelevant_domain", message=None),
    )
    return ask(
        "safety_checks",
        "computer_call",
        {"actions": [{"type": "click", "button": "left", "x": 10, "y": 10}]},
        source="computer",
        checks=checks,
        on_deny="run_ends",
        evidence=seen,
        number=number,
    )


def asked_anew(before: Picture, now: Picture) -> Ask:
    """A question for one whose element got another name."""
    replaced = Replaced(
        ask_id="a0006",
        changes=(Change(what="label", before="Reserve table", after="Reserve and pay 90"),),
        evidence=evidence(before),
    )
    return ask(evidence=evidence(now, target=target(label="Reserve and pay 90")), replaces=replaced)
