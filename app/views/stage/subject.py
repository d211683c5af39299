"""Which picture belongs on the stage at a moment, what is marked on it, and the words beside it. No Qt."""

from dataclasses import dataclass
from datetime import UTC, datetime

from app.core.evidence import PictureRole
from app.core.live import LiveFrame
from app.core.moment import Moment
from app.core.timeline import AskRecord, Frame

ROLES: dict[PictureRole, str] = {
    "asked": "shown with the ask",
    "read": "read by the model",
    "after": "as the action ended",
    "live": "from the live view",
}

STILL_AFTER_SECS = 2.0
"""A page that does not change sends no pictures; from then on the age is said as what it is."""


@dataclass(frozen=True)
class Place:
    """The page a picture shows. All three are outside text."""

    tab_id: str
    url: str
    title: str


def aimed_ask(moment: Moment, *, live: bool) -> AskRecord | None:
    """The ask whose target belongs on the picture.

    Live, only an open one: once answered, the page moves on. In a recording, the one that the picture was shown with.
    """
    if live:
        standing = moment.open_asks
        return standing[0] if standing else None
    frame = moment.frame
    count = moment.timeline.asks.count(moment.seq)
    if frame is None or not count:
        return None
    record = moment.timeline.asks[count - 1]
    picture = record.ask.evidence.picture
    return record if picture is not None and picture.digest == frame.picture.digest else None


def place_of(moment: Moment, frame: Frame) -> Place | None:
    """The page that a recorded picture shows: that of the ask it was shown with, else the last one known by then."""
    return _last_known(moment, frame.seq, None)


def live_place(moment: Moment, frame: LiveFrame) -> Place:
    """The page that a live picture shows: as the frame says, else as the record last said of its tab."""
    if frame.url:
        return Place(frame.tab_id, frame.url, frame.title)
    return _last_known(moment, moment.seq, frame.tab_id) or Place(frame.tab_id, "", "")


def address_in(detail: str) -> str:
    """The address in the words of a change of the page, which may hold a code beside it."""
    return next((part for part in detail.split(" · ") if ":" in part), detail)


def _last_known(moment: Moment, seq: int, tab_id: str | None) -> Place | None:
    """What came last, up to `seq`: an ask's page, a read or a navigation, of one tab or of any."""
    places: list[tuple[int, Place]] = []
    asks, reads, changes = moment.timeline.asks, moment.timeline.reads, moment.timeline.page_changes
    for index in range(asks.count(seq) - 1, -1, -1):
        page = asks[index].ask.evidence.page
        if page is not None and tab_id in (None, page.tab_id):
            places.append((asks[index].seq, Place(page.tab_id, page.url, page.title)))
            break
    for index in range(reads.count(seq) - 1, -1, -1):
        if tab_id in (None, reads[index].tab_id):
            places.append((reads.seq_of(index), Place(reads[index].tab_id, reads[index].url, "")))
            break
    for index in range(changes.count(seq) - 1, -1, -1):
        change = changes[index]
        if change.kind == "navigation" and change.tab_id is not None and tab_id in (None, change.tab_id):
            places.append((changes.seq_of(index), Place(change.tab_id, address_in(change.detail), "")))
            break
    if not places:
        return None
    newest = max(places, key=lambda known: known[0])[1]
    titles = [place.title for _, place in places if place.url == newest.url and place.title]
    return Place(newest.tab_id, newest.url, newest.title or next(iter(titles), ""))


def live_words(frame: LiveFrame, now_mono_ns: int, *, running: bool) -> str:
    """``live · 0.1 s``; a page that stands still says so, and a run that has ended does not say *live*."""
    if not running:
        return "the last live picture"
    age = max(0.0, (now_mono_ns - frame.taken_mono_ns) / 1e9)
    return f"live · {age:.1f} s" if age < STILL_AFTER_SECS else f"live · unchanged for {duration_words(age)}"


def recorded_words(frame: Frame) -> str:
    """``recorded 14:03:22 · shown with the ask``."""
    return f"recorded {clock_words(frame.wall_ms)} · {ROLES[frame.role]}"


def clock_words(wall_ms: int) -> str:
    """``14:03:22`` by this machine's clock."""
    return datetime.fromtimestamp(wall_ms / 1000, UTC).astimezone().strftime("%H:%M:%S")


def duration_words(secs: float) -> str:
    """``12 s``, ``3 min``, ``2 h``."""
    if secs < 60:
        return f"{int(secs)} s"
    return f"{int(secs // 60)} min" if secs < 3600 else f"{int(secs // 3600)} h"


def scale_words(width: int, shown_width: int) -> str:
    """``1 : 1``, or the percentage the picture is shown at."""
    return "1 : 1" if shown_width >= width else f"{max(1, round(100 * shown_width / max(1, width)))} %"
