"""The SDK's computer toolset in the console: every action of a batch asked for, every driver call on record.

A refusal is answered with "nothing more was done, here is the screen" instead of the SDK's error, so that the run goes
on; the model is told why at the next boundary.
"""

import base64
import functools
import io
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, cast

from openai.lib.computer import AsyncComputerToolset, ComputerUseError
from openai.lib.tool_diagnostics import ToolDiagnosticObserver
from openai.types.responses import ResponseComputerToolCall
from openai.types.responses.response_input_item_param import ComputerCallOutput
from PIL import Image

from app.core.breakpoint import Point
from app.core.decision import Decision
from app.core.evidence import SafetyCheck
from app.core.value import Json
from app.gate.control import PERSON_ACTED
from app.runner.asking import Asking
from app.runner.effects import Effect, Effects
from app.runner.holding import Holding
from app.runner.outputs import OutputRecorder
from app.runner.page_asking import PageAsking
from app.runner.screen import Screen
from drivers.errors import NotDone

ACTIONS = ("click", "double_click", "drag", "keypress", "move", "scroll", "type", "wait")

ACTION_REFUSED = "Computer action was not approved"
CHECKS_REFUSED = "Computer safety checks require explicit approval"


SCREENSHOT = "screenshot"
LATER_ONES = "The later actions of that call were not done either."


class RefusedSafetyChecks(Exception):
    """The operator did not acknowledge a call's safety checks; the service may not go on without, so the run ends."""


class RecordedComputerDriver:
    """The driver as the toolset sees it: the same nine methods, each run as an effect."""

    def __init__(self, driver: Any, calls: "ComputerCalls") -> None:
        for action in ACTIONS:
            setattr(self, action, functools.partial(calls.perform, getattr(driver, action)))
        self.screenshot = functools.partial(calls.capture, driver.screenshot)


class ComputerCalls:
    """The call in progress, counted action by action, since the SDK's callbacks get the action alone."""

    def __init__(self, asking: Asking, effects: Effects, screen: Screen, holding: Holding) -> None:
        self.holding = holding
        self._asking = asking
        self._page = PageAsking(asking, screen, holding)
        self._effects = effects
        self._screen = screen
        self.call_id = ""
        self.check: Callable[[Any], Awaitable[None]] | None = None
        """Raises `NotDone` for an action that the driver never does, so that nobody need be asked about it."""
        self._batch: tuple[Json, ...] = ()
        self._part = 0
        self._arguments: dict[str, Json] = {}

    def begin(self, call: ResponseComputerToolCall) -> None:
        """A new call: remember its whole batch."""
        self.call_id = call.call_id
        given = call.actions if call.actions else [call.action] if call.action else []
        self._batch = tuple(_plain(action) for action in given)
        self._part = 0
        self._arguments = {}

    @property
    def point(self) -> Point:
        """Before the call in progress."""
        parts = max(1, self._part, len(self._batch))
        return Point("arguments", "computer", "computer", list(self._batch), self.call_id, parts=parts)

    @property
    def picture_refused(self) -> bool:
        """Whether the action that was asked about last was the picture itself."""
        return self._arguments.get("type") == SCREENSHOT

    def tell(self, refusal: str) -> None:
        """The driver refused the action in progress; the model is told in its words."""
        self._asking.notes.append(f"{self._which()} was not done: {refusal} {LATER_ONES}")

    async def before_action(self, action: Any, *, cancelled: Callable[[], bool] | None = None) -> bool:
        """The SDK's ``before_action``. May wait for a person."""
        self._part += 1
        arguments = _plain(action)
        await self.holding.at(replace(self.point, member=str(arguments["type"]), arguments=arguments, part=self._part))
        if self._effects.gate.control.must_look and action.type != SCREENSHOT:
            self._arguments = arguments
            raise NotDone(PERSON_ACTED)
        if self.check is not None and not self._effects.gate.closed:
            self._arguments = arguments
            await self.check(action)
        decision = await self._asked(arguments)
        if not decision.allowed:
            self._asking.notes.append(_words(self._which(), decision))
        return decision.allowed

    async def may_show_the_screen(self) -> bool:
        """Whether the picture that a refused call is answered with may be taken; asked like any other."""
        if self._effects.gate.closed or self.picture_refused:
            return False
        self._part = len(self._batch) + 1
        decision = await self._asked({"type": SCREENSHOT})
        return decision.allowed

    async def _asked(self, arguments: dict[str, Json]) -> Decision:
        self._arguments = arguments
        implied = self._part > len(self._batch)
        decision, shown = await self._page.ask(
            "computer_action",
            "computer",
            self.call_id,
            str(arguments["type"]),
            arguments,
            part=self._part,
            parts=max(self._part, len(self._batch)),
            siblings=self._batch if not implied else (),
            on_deny="rest_of_batch_skipped" if self._part < len(self._batch) else "model_told",
        )
        if decision.allowed:
            self._screen.hold_to(shown)
        return decision

    def _which(self) -> str:
        if self._part > len(self._batch):
            return "The closing screenshot of your last computer call"
        return f"Action {self._part} of {len(self._batch)} ({self._arguments['type']}) of your last computer call"

    async def approve_safety_checks(self, call: ResponseComputerToolCall) -> bool:
        """The SDK's ``approve_safety_checks``, before any action of the call. May wait for a person."""
        checks = tuple(
            SafetyCheck(check_id=check.id, code=check.code, message=check.message)
            for check in call.pending_safety_checks or []
        )
        await self.holding.at(replace(self.point, stage="approval", kind="safety_checks"))
        shown = await self._screen.shown_with({})
        decision = await self._asking.ask(
            "safety_checks",
            "computer",
            call.call_id,
            "pending_safety_checks",
            list(self._batch),
            evidence=shown.evidence,
            blobs=shown.blobs,
            checks=checks,
            siblings=self._batch,
            on_deny="run_ends",
        )
        return decision.allowed

    async def perform(
        self,
        method: Callable[..., Awaitable[Any]],
        action: Any,
        *,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """Run one action as an effect of the call in progress."""
        effect = Effect(
            self.call_id,
            "computer",
            action.type,
            _plain(action),
            reads_only=False,
            needs_permit=True,
            part=self._part,
        )
        await self._effects.perform(effect, lambda: method(action))

    async def capture(self, method: Callable[[], Awaitable[Any]]) -> Any:
        """Take the picture that ends the call."""
        effect = Effect(
            self.call_id,
            "computer",
            SCREENSHOT,
            self._arguments,
            reads_only=True,
            needs_permit=True,
            part=self._part,
        )
        picture = await self._effects.perform(effect, method)
        self._effects.gate.control.must_look = False
        return picture


class ConsoleComputer(AsyncComputerToolset):
    """The toolset that the runner gets."""

    def __init__(self, driver: Any, calls: ComputerCalls, effects: Effects, outputs: OutputRecorder) -> None:
        super().__init__(cast(Any, RecordedComputerDriver(driver, calls)))
        self._capture = functools.partial(calls.capture, driver.screenshot)
        calls.check = getattr(driver, "check", None)
        self._calls = calls
        self._effects = effects
        self._outputs = outputs

    async def execute(
        self,
        call: ResponseComputerToolCall,
        *,
        approve_safety_checks: Callable[[ResponseComputerToolCall], Awaitable[bool]] | None = None,
        before_action: Callable[[Any], Awaitable[bool]] | None = None,
        cancelled: Callable[[], bool] | None = None,
        on_diagnostic: ToolDiagnosticObserver | None = None,
    ) -> ComputerCallOutput:
        """Execute one call; a refusal gives the current screen instead of an error.

        Raises:
            RefusedSafetyChecks: the safety checks were not acknowledged.
        """
        self._calls.begin(call)
        here = self._calls.point
        await self._calls.holding.at(here)
        ok = True
        try:
            output = await super().execute(
                call,
                approve_safety_checks=approve_safety_checks,
                before_action=before_action,
                cancelled=cancelled,
                on_diagnostic=on_diagnostic,
            )
        except ComputerUseError as error:
            if str(error) == CHECKS_REFUSED:
                raise RefusedSafetyChecks from error
            if str(error) != ACTION_REFUSED:
                raise
            ok, output = False, await self._current_screen(call)
        except NotDone as refusal:
            # The driver refused before any effect of this action; earlier ones of the batch stand.
            self._calls.tell(str(refusal))
            ok, output = False, await self._current_screen(call)
        # The SDK drops `detail`, without which a later request scales the picture down.
        screenshot = {**cast(dict[str, Any], output["output"]), "detail": "original"}
        output = cast(ComputerCallOutput, {**output, "output": screenshot})
        shown = output["output"].get("image_url") != NO_PICTURE["image_url"]
        said = self._outputs.answered(call.call_id, {"output": output["output"] if shown else NO_PICTURE_WORDS}, ok=ok)
        await self._calls.holding.at(replace(here, stage="output", arguments={"ok": ok, "output": said}))
        return output

    async def _current_screen(self, call: ResponseComputerToolCall) -> ComputerCallOutput:
        screenshot = NO_PICTURE
        if await self._calls.may_show_the_screen():
            try:
                screenshot = await self._capture()
            except NotDone as refusal:
                self._calls.tell(str(refusal))
        kept = {name: screenshot[name] for name in ("type", "image_url", "file_id") if name in screenshot}
        checks = [check.to_dict() for check in call.pending_safety_checks or []]
        return cast(
            ComputerCallOutput,
            {
                "type": "computer_call_output",
                "call_id": call.call_id,
                "output": kept,
                "acknowledged_safety_checks": checks,
            },
        )


def _plain(action: Any) -> dict[str, Json]:
    plain: dict[str, Json] = action.to_dict()
    return plain


def _words(which: str, decision: Decision) -> str:
    told = f"{which} was not approved and not done. {LATER_ONES}"
    if decision.note:
        return f"{told} The operator's note: {decision.note}"
    if decision.withdrawn:
        return f"{told} The page changed each time while the operator was looking at the question."
    if decision.by == "rule":
        return f"{told} A rule denies it: {decision.reason}"
    return f"{told} Do not retry it unless the user asks."


def _no_picture() -> dict[str, Any]:
    image = io.BytesIO()
    Image.new("L", (64, 40), 128).save(image, "PNG")
    data = base64.b64encode(image.getvalue()).decode("ascii")
    return {"type": "computer_screenshot", "image_url": f"data:image/png;base64,{data}"}


NO_PICTURE_WORDS = "(a grey picture: the screen was not shown)"

NO_PICTURE = _no_picture()
"""Grey. The service wants a picture in each answer to a computer call, also where none may be taken."""
