"""What a user of decisions runs may write in Python: observations, candidates, checks; right ones and wrong ones."""

from collections.abc import Callable
from typing import Any

from tests.unit.app.rehearsal.form_driver import PIXEL

PRESSED: list[str] = []
"""What the executors here really did; tests empty it."""

DONE = {"id": "done", "description": "Both are pressed", "done": True}


async def observe() -> str:
    return f"pressed: {', '.join(PRESSED) or 'nothing'}"


async def observe_with_picture() -> list[Any]:
    picture = {"type": "input_image", "image_url": PIXEL, "detail": "low"}
    return [{"type": "input_text", "text": "a pixel"}, picture]


async def observe_one_after_another() -> Any:
    return ({"type": "input_text", "text": text} for text in ("one", "two"))


async def observe_elsewhere() -> list[Any]:
    return [{"type": "input_image", "image_url": "https://pictures.example/1.png"}]


async def observe_file() -> list[Any]:
    return [{"type": "input_image", "file_id": "file_1"}]


async def observe_number() -> Any:
    return [7]


def press(name: str) -> Callable[[], Any]:
    async def execute() -> None:
        PRESSED.append(name)

    return execute


async def candidates(observation: Any) -> list[Any]:
    return [
        {"id": "a", "description": "Press A", "execute": press("a")},
        {"id": "b", "description": "Press B", "execute": press("b")},
        DONE,
    ]


async def failing(observation: Any) -> list[Any]:
    async def execute() -> None:
        PRESSED.append("half of a")
        raise ConnectionError("the line broke")

    return [{"id": "a", "description": "Press A", "execute": execute}, DONE]


async def only_done(observation: Any) -> list[Any]:
    return [DONE]


async def of_the_page(observation: Any) -> list[Any]:
    reserve = {"target": {"role": "button", "label": "Reserve table"}}
    return [{"id": "book", "description": "Reserve the table", "member": "click", "arguments": reserve}, DONE]


async def twice_the_same(observation: Any) -> list[Any]:
    return [*await candidates(observation), {"id": "a", "description": "Again", "execute": press("a")}]


async def none_is_done(observation: Any) -> list[Any]:
    return (await candidates(observation))[:2]


async def two_are_done(observation: Any) -> list[Any]:
    return [*await candidates(observation), {"id": "end", "description": "End", "done": True}]


async def no_executor(observation: Any) -> list[Any]:
    return [{"id": "a", "description": "Press A"}, DONE]


async def done_that_acts(observation: Any) -> list[Any]:
    acting = {"id": "a", "description": "Press A", "execute": press("a")}
    return [acting, {**DONE, "execute": press("done")}]


async def nothing(observation: Any) -> list[Any]:
    return []


async def too_many(observation: Any) -> list[Any]:
    return [{"id": f"c{n}", "description": f"Press {n}", "execute": press("c")} for n in range(255)] + [DONE]


async def as_many_as_there_may_be(observation: Any) -> list[Any]:
    return (await too_many(observation))[1:]


async def blank_id(observation: Any) -> list[Any]:
    return [{"id": "  ", "description": "Press A", "execute": press("a")}, DONE]


async def blank_description(observation: Any) -> list[Any]:
    return [{"id": "a", "description": " ", "execute": press("a")}, DONE]


async def more_than_the_form(observation: Any) -> list[Any]:
    return [{"id": "a", "description": "Press A", "execute": press("a"), "url": "https://a.test"}, DONE]


async def done_by_number(observation: Any) -> list[Any]:
    return [*(await candidates(observation))[:2], {**DONE, "done": 1}]


async def not_awaited(observation: Any) -> list[Any]:
    return [{"id": "a", "description": "Press A", "execute": lambda: PRESSED.append("a")}, DONE]


async def told_of_a_stop(observation: Any) -> list[Any]:
    async def execute(*, cancelled: Any) -> None:
        PRESSED.append(f"stopping: {cancelled()}")

    return [{"id": "a", "description": "Press A", "execute": execute, "done": False}, DONE]


async def no_list(observation: Any) -> Any:
    return ({"id": "a", "description": "Press A", "execute": press("a")}, DONE)


async def both_pressed(observation: Any) -> bool:
    return PRESSED == ["a", "b"]


async def says_no(observation: Any) -> bool:
    return False


async def says_maybe(observation: Any) -> Any:
    return "yes"


def not_async(observation: Any) -> list[Any]:
    return [DONE]
