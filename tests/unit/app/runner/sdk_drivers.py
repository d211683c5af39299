"""The least drivers that the SDK's toolsets take, for tests on the SDK alone."""

from typing import Any

from tests.unit.app.rehearsal.form_driver import PIXEL

BUTTON: Any = {"version": 1, "text": "", "elements": [{"ref": "e1", "role": "button", "label": "Go"}], "omitted": []}


class Page:
    """A driver of two members that records what it is given."""

    def __init__(self) -> None:
        self.clicks: list[Any] = []
        self.error: BaseException | None = None

    async def state(self) -> Any:
        return {"tabs": [{"id": "one", "url": "https://a.test/", "title": "a", "active": True}]}

    async def read_page(self, action: Any) -> Any:
        return BUTTON

    async def click(self, action: Any) -> str:
        self.clicks.append(action)
        if self.error is not None:
            raise self.error
        return "clicked"


class Screen:
    """A computer driver that records its actions."""

    def __init__(self) -> None:
        self.actions: list[Any] = []

    async def _act(self, action: Any) -> None:
        self.actions.append(action)

    click = double_click = drag = keypress = move = scroll = type = wait = _act

    async def screenshot(self) -> Any:
        return {"type": "computer_screenshot", "image_url": PIXEL, "detail": "original"}
