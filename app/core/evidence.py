"""What was shown with an ask: the page, the target on it, and the picture of the screen at that time."""

import hashlib
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from app.core.value import Frozen, Text


@dataclass(frozen=True)
class Blob:
    """Bytes on their way to the ledger; stored once by content."""

    data: bytes
    media_type: str

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


class Picture(Frozen):
    """A stored picture of a screen; its bytes are the blob named by `digest`."""

    digest: str
    media_type: str
    width: int
    """In picture pixels."""
    height: int
    css_width: float
    """Width of what the picture shows, in CSS pixels of the viewport; boxes and points are in these."""
    css_height: float
    age_ms: int = 0
    """How old it was when it was recorded, in milliseconds."""


class Box(Frozen):
    """A rectangle in CSS pixels of the viewport."""

    x: float
    y: float
    width: float
    height: float


class Point(Frozen):
    """A place in CSS pixels of the viewport."""

    x: float
    y: float


class Target(Frozen):
    """The element an action is aimed at, as the driver saw it when it was asked."""

    ref: Text
    role: Text
    label: Text
    frame_origin: Text
    box: Box | None
    covered_by: Text | None
    """What lies on top of its centre, or None."""
    visible: bool = True
    reads: Text = ""
    """The words that it shows; its name may be another."""
    leads_to: Text = ""
    """Where a link leads or a form is sent, by itself."""
    row: Text = ""
    """The words of the row that it stands in: lists use the same elements again for other rows."""

    @property
    def reads_otherwise(self) -> bool:
        """Whether its name and the words on the page say different things; a sign such as × says nothing."""
        name, reads = (" ".join(text.split()).casefold() for text in (self.label, self.reads))
        return sum(letter.isalnum() for letter in reads) > 2 and name not in reads and reads not in name

    @property
    def leads_away(self) -> bool:
        """Whether it leads to another site than the document it stands in."""
        stays = f"{self.leads_to}/".startswith(f"{self.frame_origin}/")
        return bool(self.leads_to) and not stays and not self.leads_to.startswith("javascript:")

    @property
    def leads(self) -> str:
        """`leads_to` without query and fragment."""
        return self.leads_to.partition("#")[0].partition("?")[0]

    @property
    def row_words(self) -> str:
        """The letters of `row`: clocks, counters and prices in it go on, and the row is the same."""
        return "".join(letter for letter in self.row if letter.isalpha())


DESKTOP = "desktop"
"""What stands in a tab's place where a whole desktop is driven; the address is then the console's own words for it."""


class Page(Frozen):
    """The page at the time of the ask. `url` is the whole address, which the SDK never shows a callback."""

    tab_id: Text
    url: Text
    origin: Text
    title: Text
    document: Text = ""
    """The driver's name for the loaded document: another one after every real navigation."""


class FileFacts(Frozen):
    """The file that a grant hands over, as it was when the grant was issued."""

    direction: Literal["upload", "download"]
    name: Text = ""
    size: int = 0
    """In bytes; 0 for a download, which nobody has seen yet."""
    sha256: str = ""
    url: Text = ""
    """Of a download: exactly this address."""
    preview: Text = ""
    """How a text file begins; empty for anything else."""


class PatchFacts(Frozen):
    """What a patch makes of one file, as it was when it was asked."""

    folder: Text
    """The folder of the run file that it stays in; the console's own words."""
    path: Text
    """Inside it, as the model wrote it."""
    before: str = ""
    """SHA-256 of the file; empty where there is none."""
    after: str = ""
    """The same once it is done."""
    change: Text = ""
    """What really changes, line by line; empty for a file that is no text."""


class ToolsFound(Frozen):
    """What a search for tools would load."""

    names: tuple[Text, ...]


Aim = Literal["none", "element", "point", "focus"]
"""What an action is aimed at: nothing on the page, an element by ref, a place, or whatever has the focus."""


class Evidence(Frozen):
    """Everything shown with one ask; what could not be had is named in `missing`."""

    page: Page | None = None
    target: Target | None = None
    picture: Picture | None = None
    points: tuple[Point, ...] = ()
    file: FileFacts | None = None
    """Of a file grant."""
    patch: PatchFacts | None = None
    """Of a patch."""
    tools: ToolsFound | None = None
    """Of a search for tools."""
    missing: tuple[Text, ...] = ()
    aim: Aim = "none"
    aimed: bool = False
    """Whether what it is aimed at could be looked at; `target` is then None only where nothing is there."""


PictureRole = Literal["asked", "read", "after", "live"]
"""Why a picture is on record: shown with an ask, read by the model, taken after an action, a frame of the live view."""


class SafetyCheck(Frozen):
    """One pending safety check of a computer call, in the service's own words."""

    check_id: Text
    code: Text | None = None
    message: Text | None = Field(default=None)
