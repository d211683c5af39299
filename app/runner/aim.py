"""What an action is aimed at, read from its member and arguments."""

from dataclasses import dataclass

from app.core.evidence import Aim, Point
from app.core.value import Json

_TO_THE_FOCUS = frozenset({"key", "keypress"})


@dataclass(frozen=True)
class Aimed:
    """An element by ref, a place (the first of `points`), the focus, or nothing."""

    kind: Aim = "none"
    ref: str = ""
    points: tuple[Point, ...] = ()


def aim_of(member: str, arguments: Json) -> Aimed:
    """Where `member` with `arguments` will act."""
    given = arguments if isinstance(arguments, dict) else {}
    ref = given.get("target")
    if isinstance(ref, str):
        return Aimed("element", ref)
    if points := _points(given):
        return Aimed("point", points=points)
    if member in _TO_THE_FOCUS or member == "type":
        return Aimed("focus")
    return Aimed()


def _points(arguments: dict[str, Json]) -> tuple[Point, ...]:
    path = arguments.get("path")
    given = path if isinstance(path, list) else [arguments]
    return tuple(Point(x=place["x"], y=place["y"]) for place in given if isinstance(place, dict) and _is_place(place))


def _is_place(place: dict[str, Json]) -> bool:
    return all(isinstance(place.get(axis), int | float) and not isinstance(place[axis], bool) for axis in ("x", "y"))
