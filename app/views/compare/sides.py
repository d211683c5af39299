"""A stored picture as one side of a pair, with what is marked on it."""

from app.core.ask import Ask
from app.core.evidence import Picture
from app.replay.frames import Frames, Placeholder
from app.views.compare.picture_pair import Side
from app.views.stage.marks import Marks
from app.views.stage.picture_view import Shot
from app.views.stage.reading import UnsafePicture


def side_of(pictures: Frames, picture: Picture | None, marks: Marks, missing: str) -> Side:
    """The side for `picture`; without one, `missing` stands in its place."""
    if picture is None:
        return Side("", words=missing)

    def load() -> tuple[bytes, Shot]:
        found = pictures.picture(picture.digest)
        if isinstance(found, Placeholder):
            raise UnsafePicture(found.reason)
        return found.data, Shot(picture.css_width, picture.css_height, picture.digest)

    return Side(picture.digest, load, marks)


def marks_of(ask: Ask | None, *, target: bool) -> Marks:
    """Where an action was aimed: the element's box, if it is wanted, and the places of the pointer."""
    if ask is None:
        return Marks()
    evidence = ask.evidence
    box = evidence.target.box if target and evidence.target is not None else None
    words = [*(["the target is boxed"] if box else []), *(["the pointer's place is marked"] if evidence.points else [])]
    return Marks(box, evidence.points, words="; ".join(words))
