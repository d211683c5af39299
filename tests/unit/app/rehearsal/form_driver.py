"""A browser driver without a browser: fetches the demo site's pages over HTTP and fills in their forms."""

from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import httpx2
from openai.lib.browser import BrowserError, BrowserState

PIXEL = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="
)


class _Page(HTMLParser):
    """Controls, forms and visible text of one page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.controls: list[dict[str, Any]] = []
        self.labels: dict[str, str] = {}
        self.text: list[str] = []
        self._form: dict[str, str] = {}
        self._reading_for = ""
        self._button: dict[str, Any] | None = None
        self._silent = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {key: value or "" for key, value in attrs}
        if tag == "form":
            self._form = {"method": at.get("method", "get"), "action": at["action"]}
        elif tag == "label":
            self._reading_for = at["for"]
        elif tag in ("title", "style"):
            self._silent = True
        elif tag in ("input", "select", "button"):
            control = {"tag": tag, "form": self._form, "value": "", "options": [], **at}
            self.controls.append(control)
            self._button = control if tag == "button" else None
        elif tag == "option":
            self.controls[-1]["options"].append(at["value"])
            if "selected" in at:
                self.controls[-1]["value"] = at["value"]

    def handle_endtag(self, tag: str) -> None:
        self._reading_for, self._button = "", None
        if tag in ("title", "style"):
            self._silent = False

    def handle_data(self, data: str) -> None:
        if self._reading_for:
            self.labels[self._reading_for] = data
        if self._button is not None:
            self._button.setdefault("aria-label", data)
        if data.strip() and not self._silent:
            self.text.append(data.strip())


class FormDriver:
    """One tab on the demo site. Effects are real HTTP requests; the picture is one grey pixel."""

    def __init__(self, url: str) -> None:
        self._client = httpx2.AsyncClient(trust_env=False, follow_redirects=True)
        self.url = url
        self._page = _Page("")

    async def open(self, method: str, url: str, data: dict[str, str] | None = None) -> None:
        address = urljoin(self.url, url)
        if method == "get":
            answer = await self._client.get(address, params=data)
        else:
            answer = await self._client.post(address, data=data)
        self.url, self._page = str(answer.url), _Page(answer.text)

    async def aclose(self) -> None:
        await self._client.aclose()

    async def state(self) -> BrowserState:
        return {"tabs": [{"id": "one", "url": self.url, "title": "Harbour Table", "active": True}]}

    async def navigate(self, args: Any) -> str:
        await self.open("get", args["url"])
        return "opened"

    async def read_page(self, args: Any) -> Any:
        return {"version": 1, "text": "\n".join(self._page.text), "elements": self._elements(), "omitted": []}

    async def get_page_text(self, args: Any) -> str:
        return "\n".join(self._page.text)

    async def type(self, args: Any) -> str:
        self._control(args["target"])["value"] += args["text"]
        return "typed"

    async def select_option(self, args: Any) -> str:
        control = self._control(args["target"])
        if args["values"][0] not in control["options"]:
            raise BrowserError("No such option.")
        control["value"] = args["values"][0]
        return "selected"

    async def click(self, args: Any) -> str:
        await self.submit(self._control(args["target"]))
        return "clicked"

    async def submit(self, button: dict[str, Any]) -> None:
        form = button["form"]
        fields = [c for c in self._page.controls if c["form"] is form and c.get("name")]
        data = {c["name"]: c["value"] for c in fields if c.get("type") != "checkbox" or "checked" in c}
        await self.open(form["method"], form["action"], data)

    async def scroll(self, args: Any) -> str:
        return "scrolled"

    async def screenshot(self, args: Any) -> Any:
        return {"type": "input_image", "image_url": PIXEL, "detail": "auto"}

    async def wait_for(self, args: Any) -> str:
        if args["text"] not in " ".join(self._page.text):
            raise BrowserError("The text did not come.")
        return "there"

    def named(self, label: str) -> dict[str, Any]:
        return next(c for c in self._page.controls if self._label(c) == label)

    def _control(self, ref: str) -> dict[str, Any]:
        return self._page.controls[int(ref.removeprefix("e"))]

    def _label(self, control: dict[str, Any]) -> str:
        return str(control.get("aria-label") or self._page.labels.get(control.get("id", ""), ""))

    def _elements(self) -> list[dict[str, Any]]:
        roles = {"select": "combobox", "button": "button"}
        found = []
        for number, control in enumerate(self._page.controls):
            kind = control.get("type")
            role = roles.get(control["tag"]) or ("checkbox" if kind == "checkbox" else "textbox")
            if kind != "hidden":
                found.append({"ref": f"e{number}", "role": role, "label": self._label(control)})
        return found


class FormComputer:
    """The computer tool on a `FormDriver`: knows what the site's form has at the two places that scenarios click."""

    NAME_FIELD = (80, 168, 440, 44)
    RESERVE_BUTTON = (80, 504, 120, 44)
    """Left, top, width, height in page pixels; test_site_layout.py measures them in a browser."""

    def __init__(self, driver: FormDriver) -> None:
        self._driver = driver
        self._typing_into: dict[str, Any] | None = None

    async def click(self, action: Any) -> None:
        if _inside(self.NAME_FIELD, action):
            self._typing_into = self._driver.named("Name")
        elif _inside(self.RESERVE_BUTTON, action):
            await self._driver.submit(self._driver.named("Reserve table"))

    async def type(self, action: Any) -> None:
        assert self._typing_into is not None
        self._typing_into["value"] += action.text

    async def screenshot(self) -> Any:
        return {"type": "computer_screenshot", "image_url": PIXEL}

    async def wait(self, action: Any) -> None: ...

    async def double_click(self, action: Any) -> None: ...

    async def drag(self, action: Any) -> None: ...

    async def keypress(self, action: Any) -> None: ...

    async def move(self, action: Any) -> None: ...

    async def scroll(self, action: Any) -> None: ...


def _inside(box: tuple[int, int, int, int], action: Any) -> bool:
    left, top, width, height = box
    return bool(left <= action.x < left + width and top <= action.y < top + height)
