"""What one decisions request shows the model: the page or the user's own words, the last action, a picture."""

from collections.abc import Callable
from typing import Any

from app.core.carried import NOTHING_CARRIED, Carried
from app.core.decisions_plan import DecisionsPlan
from app.core.events import UserTextAdded
from app.core.ports import Journal
from app.core.value import Json
from app.runner.carrying import BY_OPERATOR, SAYS
from app.runner.imports import OwnFunction
from app.runner.looking import PageLook, PageSeen, record_picture
from app.runner.told import SAID

CUT = "\n(the rest is left out)"
DETAILS = (None, "low", "high", "auto", "original")

NOTHING_KNOWN = "No action is known to be completed."

Observation = str | list[dict[str, Json]]


class UnfitObservation(Exception):
    """What the user's own function returned cannot be sent: says why."""


class Observer:
    """Makes observations and knows the newest one.

    Nothing is remembered but what was carried in and what `completed` was told.
    """

    def __init__(
        self,
        options: DecisionsPlan,
        look: PageLook | None,
        own: OwnFunction | None,
        journal: Journal,
        viewport: tuple[int, int],
        carried: Carried = NOTHING_CARRIED,
        waiting: list[str] | None = None,
        left_out: Callable[[PageSeen], int] = lambda _page: 0,
    ) -> None:
        """`waiting`: words of a person that the model has not been sent; `left_out` counts controls not offered."""
        self._options = options
        self._look = look
        self._own = own
        self._journal = journal
        self._viewport = viewport
        self._goes_on = carried != NOTHING_CARRIED
        self._last_action = carried.last_action
        self._earlier = _cut(carried.earlier, options.earlier_chars)
        self._always = list(carried.always)
        self._waiting = waiting if waiting is not None else []
        self._going: tuple[str, ...] = ()
        self._left_out = left_out
        self._until_an_action = list(carried.until_an_action)
        self.page: PageSeen | None = None
        """The read that the newest observation and its candidates come from."""
        self.newest: Observation = ""
        self.on_record: Json = ""
        """The newest observation with its pictures replaced by their digests."""

    async def observe(self) -> Observation:
        """The SDK's ``observe``."""
        self._going = tuple(self._waiting)
        self.page = await self._look.page() if self._look is not None else None
        made = await self._of_own() if self._own is not None else await self._of_page()
        self.newest, self.on_record = made, self._kept(made)
        return made

    def leaves(self) -> None:
        """The newest observation is about to leave with its request, and with it what a person has said."""
        for text in self._going:
            self._journal.append(UserTextAdded(text=text, reason=SAID))
            self._waiting.remove(text)
            self._always.append(SAYS.format(text))
        self._going = ()

    def tell(self, words: str) -> None:
        """Say it in each observation until an action is completed."""
        if words not in self._until_an_action:
            self._until_an_action.append(words)

    def completed(self, description: str, *, by_operator: bool) -> str:
        """An action has ended as done: the next observation says so, with text of the page that it was chosen on.

        Returns what the model will read for it.
        """
        self._last_action = f"{description}{BY_OPERATOR if by_operator else ''}"
        self._until_an_action.clear()
        self._earlier = _cut(self.page.text, self._options.earlier_chars) if self.page is not None else ""
        return self._last_line

    @property
    def _last_line(self) -> str:
        return f"Last completed action: {self._last_action}"

    async def _of_own(self) -> Observation:
        assert self._own is not None
        made = await self._own()
        return self._with_last(made if isinstance(made, str) else list(made))

    async def _of_page(self) -> Observation:
        page = self.page
        if page is None:
            raise UnfitObservation("there is no page to observe")
        parts = [f"Page: {page.title}", f"Site: {page.origin}", *self._last_lines(page)]
        if fields := [line for element in page.elements if (line := _field(element))]:
            parts += ["Fields as they stand:", *fields]
        parts += ["Text of the page:", _cut(page.text, self._options.text_chars)]
        if page.omitted:
            parts.append(f"Not everything could be read: {', '.join(page.omitted)}")
        if (more := self._left_out(page)) > 0:
            parts.append(f"Controls that are not offered, since there are too many: {more}")
        text = "\n".join(parts)
        if not self._options.picture or self._look is None:
            return text
        return [{"type": "input_text", "text": text}, await self._look.picture()]

    def _last_lines(self, page: PageSeen) -> list[str]:
        told = self._told()
        if not self._last_action:
            return [*told, NOTHING_KNOWN if self._goes_on else "Nothing has been done yet."]
        lines = [*told, self._last_line]
        if not self._earlier or self._earlier == _cut(page.text, self._options.earlier_chars):
            return lines
        # An earlier page's text must not pass for what is said of this one.
        marked = "\n".join(f"> {line}" for line in self._earlier.splitlines())
        return [*lines, "Text of the page before it:", marked, ""]

    def _told(self) -> list[str]:
        """What the page does not say: what was before, where the run goes on, and what a person says."""
        return [*self._until_an_action, *self._always, *(SAYS.format(text) for text in self._going)]

    def _with_last(self, made: Observation) -> Observation:
        """Their own observation, with the last completed action before it."""
        lines = [*self._told(), *([self._last_line] if self._last_action else [])]
        if not lines:
            return made
        said = "\n".join(lines)
        return f"{said}\n{made}" if isinstance(made, str) else [{"type": "input_text", "text": said}, *made]

    def _kept(self, made: Observation) -> Json:
        if isinstance(made, str):
            return made
        return [self._kept_part(part) for part in made]

    def _kept_part(self, part: Any) -> Json:
        if not isinstance(part, dict) or part.get("type") not in ("input_text", "input_image"):
            raise UnfitObservation("an observation is text, or input_text and input_image parts")
        if part["type"] == "input_text":
            if not isinstance(part.get("text"), str) or set(part) != {"type", "text"}:
                raise UnfitObservation("an input_text part holds text and nothing else")
            return part
        if set(part) - {"type", "image_url", "detail"} or part.get("detail") not in DETAILS:
            raise UnfitObservation("an input_image part holds image_url and detail, and no file id")
        url = part.get("image_url")
        digest = record_picture(self._journal, url, self._viewport) if isinstance(url, str) else None
        if digest is None:
            raise UnfitObservation("pictures are sent inline only, as data:image/…;base64,…")
        return {"picture": digest}


def _field(element: dict[str, Any]) -> str:
    if "checked" in element:
        return f"- {element['label']}: {'ticked' if element['checked'] else 'not ticked'}"
    if "value" in element:
        return (
            f"- {element['label']}: {_in_one_line(element['value'])}"
            if element["value"]
            else f"- {element['label']}: empty"
        )
    return ""


def _in_one_line(value: str) -> str:
    """What a field holds could otherwise pass as lines of ours; a break in it is written as a sign."""
    return " ⏎ ".join(value.splitlines())


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + CUT
