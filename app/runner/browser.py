"""The SDK's browser toolset in the console: its callbacks ask the gate, its driver calls are on record.

A call that certainly did nothing (refused, stale, bad arguments) does not end a recorded run: `_execute` is overridden
to say so. That method is private to the SDK; a contract test holds its signature and its effect in place.
"""

import functools
import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from openai.lib.browser import BROWSER_MEMBERS, AsyncBrowserToolset, BrowserError
from openai.lib.tool_diagnostics import ToolDiagnosticObserver
from openai.types.responses import ResponseFunctionToolCall
from openai.types.responses.response_input_param import FunctionCallOutput

from app.core.ask import AskKind, browser_kind
from app.core.breakpoint import Point
from app.core.decision import Decision
from app.core.events import Outcome
from app.gate.control import PERSON_ACTED
from app.runner.asking import Asking
from app.runner.effects import Effect, Effects
from app.runner.holding import Holding
from app.runner.outputs import OutputRecorder
from app.runner.page_asking import PageAsking
from app.runner.screen import Screen, Shown
from app.runner.turns import BROWSER_PREFIX, json_or_text, program_of
from drivers.errors import NotDone

READ_ONLY = frozenset(
    {"read_page", "get_page_text", "find", "screenshot", "zoom", "list_tabs", "wait_for", "read_page_scoped"}
)
"""Members that the SDK runs without confirm unless they are listed in confirm_reads."""

KEPT_CHANGING = (
    "Not done: the page changed each time while the operator was looking at the question. Look at the page again."
)
NOT_ALLOWED = "Browser action was not approved. Do not retry it unless the user asks."


def of_transfer(outcome: Any) -> tuple[Outcome, str]:
    """What a file outcome says became of the transfer: the SDK lets a refused one end like any other."""
    words: dict[str, Outcome] = {"completed": "done", "none": "not_done"}
    effect, status = outcome["effect"], outcome["status"]
    return words.get(effect, "may_have_happened"), "" if effect == "completed" else f"the file transfer: {status}"


class RecordedBrowserDriver:
    """The driver as the toolset sees it: the same members, each run as an effect. Offers nothing else."""

    def __init__(self, driver: Any, members: Sequence[str], toolset: "BrowserCalls") -> None:
        self.state = driver.state
        for member in members:
            if member != "list_tabs":
                method: Callable[..., Awaitable[Any]] = getattr(driver, member)
                setattr(self, member, functools.partial(toolset.perform, member, method))


class BrowserCalls:
    """What the toolset's driver and callbacks share: the call in progress and what it was shown with."""

    def __init__(
        self, asking: Asking, effects: Effects, screen: Screen, outputs: OutputRecorder, holding: Holding
    ) -> None:
        self.holding = holding
        self._asking = asking
        self._page = PageAsking(asking, screen, holding)
        self._effects = effects
        self._screen = screen
        self._outputs = outputs
        self.call_id = ""
        self.guarded_reads: frozenset[str] = frozenset()

    @property
    def turn(self) -> int:
        """The turn in progress, from 1."""
        return self._asking.checkpoints.requests

    async def perform(
        self,
        member: str,
        method: Callable[..., Awaitable[Any]],
        action: dict[str, Any],
        *,
        cancelled: Callable[[], bool] | None = None,
    ) -> Any:
        """Run one driver method as an effect of the call in progress."""
        reads_only = member in READ_ONLY
        control = self._effects.gate.control
        if control.must_look and not reads_only:
            raise NotDone(PERSON_ACTED)
        effect = Effect(
            self.call_id,
            "browser",
            member,
            action,
            reads_only=reads_only,
            needs_permit=not reads_only or member in self.guarded_reads,
        )
        extra = {"cancelled": cancelled} if "cancelled" in inspect.signature(method).parameters else {}
        became = {"became": of_transfer} if browser_kind(member) == "file_grant" else {}
        result = await self._effects.perform(effect, lambda: method(action, **extra), **became)
        if reads_only:
            control.must_look = False
        self._outputs.read(self.call_id, member, action, result)
        return result

    async def confirm(self, context: Any, *, cancelled: Callable[[], bool] | None = None) -> bool:
        """The SDK's ``confirm``, for actions and for protected reads. May wait for a person."""
        kind: AskKind = "protected_read" if "phase" in context else browser_kind(context["member"])
        decision, shown = await self._asked(kind, context)
        if decision.allowed:
            self._screen.hold_to(shown)
            return True
        if kind == "protected_read":
            return self._refuse_read(decision, context["member"])
        return self._refuse(decision, NOT_ALLOWED)

    async def url_policy(self, context: Any, url: str, *, cancelled: Callable[[], bool] | None = None) -> bool:
        """The SDK's ``url_policy``: may this address be opened at all. May wait for a person."""
        decision, _ = await self._asked("navigation", context, url=url, joined=("browser_action",))
        return True if decision.allowed else self._refuse(decision, "Browser navigation was not approved.")

    async def _asked(self, kind: AskKind, context: Any, **more: Any) -> tuple[Decision, Shown]:
        if self._effects.gate.control.must_look and context["member"] not in READ_ONLY:
            raise NotDone(PERSON_ACTED)
        try:
            return await self._page.ask(
                kind, "browser", context["call_id"], context["member"], context["arguments"], **more
            )
        except NotDone:
            raise
        except BrowserError as error:
            raise NotDone(str(error)) from error
        except Exception as error:
            # The SDK makes "Browser action failed." of it and says no more.
            self._effects.failed(f"browser.{context['member']}: asking", error, context["call_id"])
            raise

    def _refuse_read(self, decision: Decision, member: str) -> bool:
        """The SDK sends fixed words for a refused read, so that anything more goes to the next boundary."""
        told = f"Your browser read ({member}) was not approved."
        if decision.note:
            self._asking.notes.append(f"{told} The operator's note: {decision.note}")
        elif decision.withdrawn:
            self._asking.notes.append(f"{told} {KEPT_CHANGING}")
        elif decision.by == "rule":
            self._asking.notes.append(f"{told} A rule denies it: {decision.reason}")
        return False

    @staticmethod
    def _refuse(decision: Decision, words: str) -> bool:
        if decision.withdrawn:
            raise NotDone(KEPT_CHANGING)
        if decision.note:
            raise BrowserError(f"{words} The operator's note: {decision.note}")
        if decision.by == "rule":
            raise BrowserError(f"{words} A rule denies it: {decision.reason}")
        return False


class ConsoleBrowser(AsyncBrowserToolset):
    """The toolset that the runner gets. Within one answer, calls after one that was not done are skipped."""

    def __init__(
        self,
        driver: Any,
        calls: BrowserCalls,
        effects: Effects,
        outputs: OutputRecorder,
        members: Sequence[str],
        confirm_reads: Sequence[str],
    ) -> None:
        self._calls = calls
        self._effects = effects
        self._outputs = outputs
        self._failed: tuple[int, str] = (0, "")
        calls.guarded_reads = frozenset(confirm_reads)
        super().__init__(
            RecordedBrowserDriver(driver, members, calls),
            members=list(members),
            confirm_reads=list(confirm_reads),
            confirm=calls.confirm,
            url_policy=calls.url_policy,
        )

    async def _execute(
        self,
        call: ResponseFunctionToolCall,
        *,
        skip: bool = False,
        cancelled: Callable[[], bool] | None = None,
        on_diagnostic: ToolDiagnosticObserver | None = None,
    ) -> tuple[FunctionCallOutput, bool]:
        self._calls.call_id = call.call_id
        control = self._effects.gate.control
        await control.give_way()
        with control.inside():
            return await self._run(call, skip=skip, cancelled=cancelled, on_diagnostic=on_diagnostic)

    async def _run(
        self,
        call: ResponseFunctionToolCall,
        *,
        skip: bool,
        cancelled: Callable[[], bool] | None,
        on_diagnostic: ToolDiagnosticObserver | None,
    ) -> tuple[FunctionCallOutput, bool]:
        # What one program does is one branch of an answer, and what the model itself does another.
        branch = (self._calls.turn, program_of(call.to_dict(warnings=False)))
        here = self._point(call)
        if not skip and self._failed != branch:
            await self._calls.holding.at(here)
        skip = skip or self._failed == branch or self._effects.gate.closed
        output, ok = await super()._execute(call, skip=skip, cancelled=cancelled, on_diagnostic=on_diagnostic)
        said = self._outputs.answered(call.call_id, output, ok=ok)
        if not ok:
            self._failed = branch
        await self._calls.holding.at(replace(here, stage="output", arguments={"ok": ok, "output": said}))
        return output, ok or self._effects.nothing_done(call.call_id)

    @staticmethod
    def _point(call: ResponseFunctionToolCall) -> Point:
        return Point(
            "arguments", "browser", call.name.removeprefix(BROWSER_PREFIX), json_or_text(call.arguments), call.call_id
        )


def members_of(driver: Any, plan_members: Sequence[str] | None, additional: Sequence[str] | None) -> list[str]:
    """The members to expose, in the SDK's order: the plan's, or the defaults that the driver has, and what is added."""
    from openai.lib.browser import DEFAULT_BROWSER_MEMBERS

    if plan_members is not None:
        return list(plan_members)
    chosen = {
        member for member in DEFAULT_BROWSER_MEMBERS if member == "list_tabs" or callable(getattr(driver, member, None))
    }
    chosen.update(additional or ())
    return [member for member in BROWSER_MEMBERS if member in chosen]
