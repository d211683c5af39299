"""A film shows each picture as long as it stands, and stores of each only what is new."""

import io
import itertools
from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops, ImageDraw

from app.export import film
from app.export.film import write_film

SIZE = (321, 203)
NEAR = 40
"""How far a colour may be off: pictures are stored with losses."""


def drawn(number: int) -> Image.Image:
    picture = Image.new("RGB", SIZE, (240, 240, 240))
    ImageDraw.Draw(picture).rectangle((10 + 30 * number, 51, 40 + 30 * number, 91), fill=(20, 90, 200))
    return picture


def film_of(frames: list[tuple[Image.Image, int]]) -> Image.Image:
    out = io.BytesIO()
    write_film(frames, SIZE, out)
    return Image.open(io.BytesIO(out.getvalue()))


def far_apart(one: Image.Image, other: Image.Image) -> bool:
    difference = ImageChops.difference(one.convert("RGB").resize((40, 25)), other.resize((40, 25)))
    return any(
        ImageChops.multiply(difference, difference).convert("L").point(lambda value: value > NEAR).getbbox() or ()
    )


def test_every_frame_is_the_whole_picture_for_its_time() -> None:
    pictures = [drawn(number) for number in (0, 1, 1, 5, 0)]
    times = [300, 1200, 40, 2500, 4000]
    seen = film_of(list(zip(pictures, times, strict=True)))
    assert (seen.format, seen.size, seen.n_frames) == ("WEBP", SIZE, 5)  # type: ignore[attr-defined]
    ends = list(itertools.accumulate(times))
    for number, picture in enumerate(pictures):
        seen.seek(number)
        assert not far_apart(seen, picture), number
        assert far_apart(seen, drawn(3)), number
        assert seen.info["timestamp"] + seen.info["duration"] == ends[number]


def test_a_picture_that_hardly_changed_takes_hardly_any_room() -> None:
    noise = Image.effect_noise(SIZE, 90).convert("RGB")
    spot = noise.copy()
    spot.putpixel((100, 100), (255, 0, 0))
    sizes = []
    for frames in ([noise], [noise, spot], [noise, ImageChops.invert(noise)]):
        out = io.BytesIO()
        write_film([(picture, 100) for picture in frames], SIZE, out)
        sizes.append(len(out.getvalue()))
    assert sizes[1] - sizes[0] < 500
    assert sizes[2] - sizes[0] > 5_000


def test_no_more_than_a_few_pictures_are_taken_ahead() -> None:
    taken = 0

    def frames() -> Iterator[tuple[Image.Image, int]]:
        nonlocal taken
        for number in range(60):
            taken += 1
            yield drawn(number % 5), 50

    for done, _ in enumerate(film._encoded(frames()), start=1):
        assert taken - done < film.AHEAD


def test_what_goes_wrong_while_drawing_is_not_lost() -> None:
    def frames() -> Iterator[tuple[Image.Image, int]]:
        yield drawn(1), 50
        raise KeyError("stopped")

    with pytest.raises(KeyError, match="stopped"):
        write_film(frames(), SIZE, io.BytesIO())
