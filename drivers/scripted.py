"""A driver that answers from a list: for rehearsals without a browser, and for tests of whatever sits on a driver."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, cast

from openai.lib.browser import BROWSER_MEMBERS, BrowserState

from drivers.browser.observation import Journal, PageChange
from drivers.errors import BrowserError, Cancelled, NotDone, stop_if


@dataclass(frozen=True)
class Answer:
    """What one call gets. Exactly one of *result*, *refusal* and *failure* counts, in reverse order."""

    member: str
    result: Any = None
    refusal: str | None = None
    """Raised as :class:`drivers.errors.NotDone`."""
    failure: str | None = None
    """Raised as a ``BrowserError`` that leaves open whether anything happened."""
    tabs: Sequence[Mapping[str, Any]] | None = None
    """The tab list from then on, in the SDK's form."""
    changes: Sequence[PageChange] = field(default_factory=tuple)
    """Journalled before the call returns."""


@dataclass(frozen=True)
class Call:
    """One call that was made, with a copy of its arguments."""

    member: str
    arguments: Any


class ScriptExhausted(BrowserError):
    """The list has no answer for this call; nothing was done."""


_BLANK = ({"id": "t1", "title": "", "url": "about:blank", "active": True},)


class ScriptedDriver:
    """Answers come in the order of the list; a call that the list does not expect next is refused, never guessed."""

    def __init__(
        self,
        answers: Iterable[Answer],
        *,
        tabs: Sequence[Mapping[str, Any]] = _BLANK,
        members: Sequence[str] | None = None,
    ) -> None:
        self._answers = deque(answers)
        self._tabs = tabs
        self._members = tuple(members) if members is not None else BROWSER_MEMBERS
        self.journal = Journal()
        self.calls: list[Call] = []

    @property
    def members(self) -> list[str]:
        """The members to expose, in the SDK's order."""
        return [name for name in BROWSER_MEMBERS if name in self._members]

    @property
    def left(self) -> int:
        """Answers not yet given."""
        return len(self._answers)

    async def state(self) -> BrowserState:
        """The tab list as the last answer left it; uses up nothing."""
        return cast(BrowserState, {"tabs": deepcopy(list(self._tabs)), "observation": self.journal.observation()})

    async def answer(self, member: str, arguments: Any, cancelled: Cancelled = None) -> Any:
        """Give the next answer of the list, or refuse when it is for another member."""
        stop_if(cancelled)
        self.calls.append(Call(member, deepcopy(arguments)))
        if not self._answers or self._answers[0].member != member:
            expected = self._answers[0].member if self._answers else "the end"
            raise ScriptExhausted(f"The script expects {expected} next, not {member}.")
        given = self._answers.popleft()
        if given.tabs is not None:
            self._tabs = given.tabs
        for change in given.changes:
            self.journal.record(change)
        if given.failure is not None:
            raise BrowserError(given.failure)
        if given.refusal is not None:
            raise NotDone(given.refusal)
        return deepcopy(given.result)

    async def navigate(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("navigate", action, cancelled)

    async def read_page(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("read_page", action, cancelled)

    async def get_page_text(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("get_page_text", action, cancelled)

    async def find(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("find", action, cancelled)

    async def click(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("click", action, cancelled)

    async def type(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("type", action, cancelled)

    async def key(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("key", action, cancelled)

    async def scroll(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("scroll", action, cancelled)

    async def select_option(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("select_option", action, cancelled)

    async def hover(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("hover", action, cancelled)

    async def screenshot(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("screenshot", action, cancelled)

    async def zoom(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("zoom", action, cancelled)

    async def new_tab(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("new_tab", action, cancelled)

    async def switch_tab(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("switch_tab", action, cancelled)

    async def close_tab(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("close_tab", action, cancelled)

    async def scroll_to(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("scroll_to", action, cancelled)

    async def wait_for(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("wait_for", action, cancelled)

    async def hover_at(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("hover_at", action, cancelled)

    async def set_checked(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("set_checked", action, cancelled)

    async def click_at(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("click_at", action, cancelled)

    async def drag_path(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("drag_path", action, cancelled)

    async def hold_keys(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("hold_keys", action, cancelled)

    async def read_page_scoped(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("read_page_scoped", action, cancelled)

    async def read_diagnostics(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("read_diagnostics", action, cancelled)

    async def run_script(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("run_script", action, cancelled)

    async def upload_file(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("upload_file", action, cancelled)

    async def download_file(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list."""
        return await self.answer("download_file", action, cancelled)


class ScriptedComputer:
    """The computer tool's nine methods, answered from the list of a :class:`ScriptedDriver`."""

    def __init__(self, script: ScriptedDriver) -> None:
        self._script = script

    async def click(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list, as ``computer.click``."""
        return await self._script.answer("computer.click", action, cancelled)

    async def double_click(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list, as ``computer.double_click``."""
        return await self._script.answer("computer.double_click", action, cancelled)

    async def drag(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list, as ``computer.drag``."""
        return await self._script.answer("computer.drag", action, cancelled)

    async def keypress(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list, as ``computer.keypress``."""
        return await self._script.answer("computer.keypress", action, cancelled)

    async def move(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list, as ``computer.move``."""
        return await self._script.answer("computer.move", action, cancelled)

    async def scroll(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list, as ``computer.scroll``."""
        return await self._script.answer("computer.scroll", action, cancelled)

    async def type(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list, as ``computer.type``."""
        return await self._script.answer("computer.type", action, cancelled)

    async def wait(self, action: Any, *, cancelled: Cancelled = None) -> Any:
        """Answered from the list, as ``computer.wait``."""
        return await self._script.answer("computer.wait", action, cancelled)

    async def screenshot(self) -> Any:
        """Answered from the list, as ``computer.screenshot``."""
        return await self._script.answer("computer.screenshot", None)
