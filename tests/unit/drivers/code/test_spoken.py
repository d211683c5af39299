"""What may be forged is taken within bounds or not at all."""

import base64
import io

import pytest
from PIL import Image

from drivers.code.spoken import picture_of, shortened, variables_of


def file_of(kind: str, size: tuple[int, int] = (2, 1)) -> str:
    kept = io.BytesIO()
    Image.new("1", size).save(kept, kind)
    return base64.b64encode(kept.getvalue()).decode("ascii")


def test_pictures_are_told_from_what_is_none() -> None:
    assert picture_of({"image": file_of("PNG")}) is not None
    assert picture_of({"image": file_of("JPEG")}) is not None
    for wrong in (None, 5, "", "no base64", file_of("GIF"), file_of("PNG")[:20], "A" * 12_000_000):
        assert picture_of({"image": wrong}) is None


def test_a_small_file_of_a_vast_picture_is_none() -> None:
    assert picture_of({"image": file_of("PNG", (9000, 9000))}) is None


@pytest.mark.parametrize("length", [0, 10, 11, 5000])
def test_a_text_keeps_its_ends(length: int) -> None:
    text = "b" + "x" * (length - 2) + "e" if length > 1 else ""
    short = shortened(text, 10)
    assert short == text if length <= 10 else (short[:1], short[-1:]) == ("b", "e")
    assert ("left out" in short) is (length > 10)


def test_only_variables_are_variables() -> None:
    assert variables_of({"text": "x"}) is None
    assert variables_of({"variables": "x"}) is None
    assert variables_of({"variables": [["a", "b", "c"], ["a", "b"], [1, 2, 3], 7]}) is not None
    assert len(variables_of({"variables": [["a", "b", "c"], ["a", "b"], [1, 2, 3], 7]}) or ()) == 1
