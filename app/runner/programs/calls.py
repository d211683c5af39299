"""One call of a tool of the user's own: checked, asked, executed on record, its result held against its schema."""

import json
from dataclasses import dataclass, replace

from app.core.breakpoint import Point
from app.core.errors import NotDurable
from app.core.programs_plan import HANDLE
from app.core.value import Json
from app.runner.asking import Asking
from app.runner.effects import Effect, Effects
from app.runner.functions import is_output, refusal_words
from app.runner.holding import Holding
from app.runner.outputs import OutputRecorder
from app.runner.programs.diagnosing import FAILURES, Diagnosing
from app.runner.programs.items import Call
from app.runner.programs.tools import LocalTool, WrongCall
from app.runner.specs import FunctionOutput
from drivers.errors import NotDone


@dataclass(frozen=True)
class Result:
    """What the model will read, and whether it is what was called for."""

    content: FunctionOutput
    ok: bool
    failure: str = ""
    """Kind of a failure; empty where there is none."""


@dataclass(frozen=True)
class Permitted:
    """A call that may be executed, once."""

    call: Call
    tool: LocalTool
    arguments: Json


class LocalCalls:
    """Asks about calls and executes them. A call that a program makes is asked exactly like the model's own."""

    def __init__(
        self, asking: Asking, effects: Effects, outputs: OutputRecorder, holding: Holding, diagnosing: Diagnosing
    ) -> None:
        self._diagnosing = diagnosing
        self._holding = holding
        self._asking = asking
        self._effects = effects
        self._outputs = outputs

    async def answer(self, call: Call, tool: LocalTool) -> Result:
        """The result of a call that the model waits for. May wait for a person.

        Raises:
            Exception: what the tool raised, where it may have changed something.
        """
        asked = await self.ask(call, tool)
        result = asked if isinstance(asked, Result) else await self.carry_out(asked)
        told = {"ok": result.ok, "output": result.content}
        await self._holding.at(Point("output", tool.source, tool.name, told, call.call_id))
        return result

    async def ask(self, call: Call, tool: LocalTool) -> Permitted | Result:
        """Check the call and put it to the gate; a result where it is not to be executed. May wait for a person."""
        since = self._diagnosing.now()
        asked = await self._ask(call, tool)
        failure = asked.failure if isinstance(asked, Result) else ""
        stage, reason = FAILURES.get(failure, ("approval", "completed"))
        self._diagnosing.said(stage, reason, call_id=call.call_id, member=tool.name, since=since)
        return asked

    async def _ask(self, call: Call, tool: LocalTool) -> Permitted | Result:
        try:
            tool.check_caller(call)
            arguments = tool.arguments_of(call)
            here = Point("arguments", tool.source, tool.name, arguments, call.call_id)
            await self._holding.at(here)
            await self._holding.at(replace(here, stage="approval", kind=tool.kind))
            decision = await self._asking.ask(
                tool.kind,
                tool.source,
                call.call_id,
                tool.name,
                arguments,
                own_value=tool.own_value,
                output_schema=tool.spec.tool.get("output_schema"),
                program=call.program,
                background=call.background,
            )
        except WrongCall as wrong:
            return failed(call, tool, wrong.kind, str(wrong))
        except NotDone as refusal:
            return failed(call, tool, "not_done", str(refusal))
        if decision.value is not None:
            return Result(decision.value, ok=True)
        if not decision.allowed:
            return failed(call, tool, "not_approved", refusal_words(decision))
        return Permitted(call, tool, arguments)

    async def carry_out(self, permitted: Permitted) -> Result:
        """Execute what was allowed. Raises what the tool raised, unless it only reads."""
        call, tool, since = permitted.call, permitted.tool, self._diagnosing.now()

        def acted(reason: str) -> None:
            self._diagnosing.said("action", reason, call_id=call.call_id, member=tool.name, since=since)

        effect = Effect(
            call.call_id,
            tool.source,
            tool.name,
            permitted.arguments,
            reads_only=tool.spec.reads_only,
            needs_permit=True,
            background=call.background,
        )
        try:
            output = await self._effects.perform(effect, lambda: tool.run(permitted.arguments))
        except NotDone as refusal:
            acted("cancelled")
            return failed(call, tool, "not_done", str(refusal))
        except NotDurable:
            raise
        except Exception as error:
            acted("driver_failed")
            if not tool.spec.reads_only:
                raise
            words = f"{tool.name} failed ({type(error).__name__}). It changes nothing, so nothing was done."
            return failed(call, tool, "failed", words)
        acted("completed")
        return self._checked(call, tool, output)

    def _checked(self, call: Call, tool: LocalTool, output: FunctionOutput) -> Result:
        wrong = tool.misfit(output) if is_output(output) else f"it is {type(output).__name__}, no text or blocks"
        if wrong is None:
            return Result(output, ok=True)
        self._diagnosing.said("output", "invalid_output", call_id=call.call_id, member=tool.name)
        said = f"{tool.name} ran, but its result is not as declared: {wrong}."
        self._effects.failed(f"functions.{tool.name}: its result", ValueError(wrong), call.call_id)
        return failed(call, tool, "invalid_output", f"{said} The result is left out.")


def failed(call: Call, tool: LocalTool | None, kind: str, words: str) -> Result:
    """A failure as the model reads it: as an object where a program or a schema expects one, else in words alone."""
    structured = call.program or call.background or (tool is not None and tool.returns is not None)
    if not structured:
        return Result(words, ok=False, failure=kind)
    told: dict[str, Json] = {"error": {"type": kind, "message": words}}
    if handle := handle_of(call):
        told = {HANDLE: handle, **told}
    return Result(json.dumps(told, ensure_ascii=False), ok=False, failure=kind)


def handle_of(call: Call) -> str:
    """The handle that the model gave the call; empty for none."""
    try:
        arguments = json.loads(call.raw.get("arguments", ""))
    except (ValueError, RecursionError):
        return ""
    handle = arguments.get(HANDLE) if isinstance(arguments, dict) else None
    return handle if isinstance(handle, str) else ""
