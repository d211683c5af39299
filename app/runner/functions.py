"""Registered functions: loaded by import path or handed in, each call asked for and on record like any effect."""

import importlib
import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from openai.lib.responses_tool_runner import AsyncRegisteredFunction
from openai.types.responses import FunctionToolParam
from pydantic import BaseModel, ValidationError

from app.core.ask import Source
from app.core.breakpoint import Point
from app.core.decision import Decision
from app.core.errors import UsageProblem
from app.core.plan import RunPlan
from app.core.programs_plan import CustomToolPlan, FunctionPlan, LocalToolPlan
from app.gate.output_schema import faults_of, misfits, wrong_schema
from app.runner.asking import Asking
from app.runner.checkpoints import Checkpoints
from app.runner.effects import Effect, Effects
from app.runner.holding import Holding
from app.runner.outputs import OutputRecorder
from app.runner.specs import CustomToolSpec, FunctionSpec, ToolSpec
from drivers.errors import NotDone

NOT_ALLOWED = "Not executed: the operator did not approve this call. Do not retry it unless the user asks."


MISFIT = "Not executed: the arguments do not fit the declaration"


class NoFunctionOutput(Exception):
    """A function's own fault: it has run, and what it returned can be sent to no model."""


def load_function(plan: FunctionPlan) -> FunctionSpec:
    """Import what the run file names: an async function with a ``tool`` attribute, or a (declaration, function) pair.

    Raises:
        UsageProblem: it cannot be imported or is not such a thing; names the path.
    """
    tool, execute = _load(plan, "function")
    # As the SDK's ``pydantic_responses_function_tool`` makes it.
    model = getattr(tool, "model", None)
    if isinstance(model, type) and issubclass(model, BaseModel):
        execute = _typed(model, execute)
    declared = {**tool, **_given(plan)}
    if plan.output_schema is not None:
        declared["output_schema"] = plan.output_schema
    if (schema := declared.get("output_schema")) is not None:
        declared["output_schema"] = _output_schema(plan, schema)
    return FunctionSpec(declared, execute, plan.allow_output_override, plan.independent, reads_only=plan.reads_only)


def _typed(model: type[BaseModel], execute: Any) -> Any:
    """A function that takes an instance of `model`; what the model's own checks refuse never reaches it."""

    async def run(arguments: dict[str, Any]) -> Any:
        try:
            given = model.model_validate(arguments)
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}" for one in error.errors())
            raise NotDone(f"{MISFIT}: {wrong}.") from error
        return await execute(given)

    return run


def _output_schema(plan: FunctionPlan, given: Any) -> Any:
    """As JSON Schema; a declaration may name a pydantic model instead. Raises `UsageProblem`."""
    schema = given.model_json_schema() if isinstance(given, type) and issubclass(given, BaseModel) else given
    if (wrong := wrong_schema(schema)) is not None:
        raise UsageProblem(f"the output_schema of {plan.name!r} is no JSON Schema: {wrong}")
    return schema


def load_custom_tool(plan: CustomToolPlan) -> CustomToolSpec:
    """The same for a custom tool, whose function is given the model's text. Raises `UsageProblem`."""
    tool, execute = _load(plan, "custom tool")
    if tool.get("type") != "custom":
        raise UsageProblem(f"{plan.import_path!r} declares a {tool.get('type')!r}, no custom tool")
    return CustomToolSpec({**tool, **_given(plan)}, execute, plan.reads_only)


def own_tools(plan: RunPlan) -> list[ToolSpec]:
    """All that the run file names. Raises `UsageProblem`."""
    return [*map(load_function, plan.functions), *map(load_custom_tool, plan.custom_tools)]


def _given(plan: LocalToolPlan) -> dict[str, Any]:
    """What the run file says in place of the declaration."""
    given: dict[str, Any] = {}
    if plan.is_async is not None:
        given["async"] = plan.is_async
    if plan.allowed_callers is not None:
        given["allowed_callers"] = list(plan.allowed_callers)
    if plan.defer_loading is not None:
        given["defer_loading"] = plan.defer_loading
    return given


def _load(plan: LocalToolPlan, what: str) -> tuple[Mapping[str, Any], Any]:
    """The declaration, and what runs.

    Raises:
        UsageProblem: it cannot be imported or is not such a thing; names the path.
    """
    module_name, _, name = plan.import_path.partition(":")
    try:
        found = getattr(importlib.import_module(module_name), name)
    except (Exception, SystemExit) as error:
        # The module is the user's own: whatever it raises while it loads is a fault of the run file's words.
        why = f"{type(error).__name__}: {error}"
        raise UsageProblem(f"{what} {plan.name!r} cannot be imported from {plan.import_path!r}: {why}") from error
    tool, execute = found if isinstance(found, tuple) and len(found) == 2 else (getattr(found, "tool", None), found)
    if not isinstance(tool, Mapping) or not inspect.iscoroutinefunction(execute):
        raise UsageProblem(f"{plan.import_path!r} is no async function with a tool declaration")
    if tool.get("name") != plan.name:
        raise UsageProblem(f"{plan.import_path!r} declares {tool.get('name')!r}, the run file says {plan.name!r}")
    return tool, execute


def for_the_sdk(specs: Sequence[ToolSpec]) -> list[FunctionSpec]:
    """Those that the SDK's runner can run, which must be all. Raises `UsageProblem`, saying what to write instead."""
    for spec in specs:
        if isinstance(spec, CustomToolSpec) or spec.tool.get("async"):
            words = 'is async or custom by its own declaration: set engine = "programs"'
            raise UsageProblem(f"{spec.tool.get('name')!r} {words}")
    return [spec for spec in specs if isinstance(spec, FunctionSpec)]


def registered(
    specs: Sequence[FunctionSpec],
    asking: Asking,
    effects: Effects,
    checkpoints: Checkpoints,
    outputs: OutputRecorder,
    holding: Holding,
) -> list[AsyncRegisteredFunction]:
    """The functions for the SDK's runner."""
    return [_registered(spec, asking, effects, checkpoints, outputs, holding) for spec in specs]


def _registered(
    spec: FunctionSpec,
    asking: Asking,
    effects: Effects,
    checkpoints: Checkpoints,
    outputs: OutputRecorder,
    holding: Holding,
) -> AsyncRegisteredFunction:
    name = cast(str, spec.tool["name"])
    source: Source = "code" if spec.kind == "code" else "functions"

    async def execute(arguments: dict[str, Any]) -> Any:
        call_id = checkpoints.call_in_progress
        if call_id is None:
            raise RuntimeError("a function was called outside any call on record")
        here = Point("arguments", source, name, arguments, call_id)

        async def told(output: Any, *, ok: bool) -> Any:
            said = outputs.answered(call_id, {"output": output}, ok=ok)
            await holding.at(replace(here, stage="output", arguments={"ok": ok, "output": said}))
            return output

        try:
            await holding.at(here)
            if wrong := misfits(spec.tool.get("parameters") or {}, arguments):
                raise NotDone(f"{MISFIT}: {'; '.join(map(str, wrong))}.")
            await holding.at(replace(here, stage="approval", kind=spec.kind))
            decision = await asking.ask(
                spec.kind,
                source,
                call_id,
                name,
                arguments,
                own_value=spec.allow_output_override,
                output_schema=spec.tool.get("output_schema"),
            )
            if decision.value is None:
                if not decision.allowed:
                    raise NotDone(refusal_words(decision))
                effect = Effect(call_id, source, name, arguments, reads_only=False, needs_permit=True)
                result = await effects.perform(effect, lambda: spec.execute(arguments))
        except NotDone as refusal:
            # Nothing was done, and the model can go on from there.
            return await told(str(refusal), ok=False)
        if decision.value is not None:
            return await told(decision.value, ok=True)
        if not is_output(result):
            raise NoFunctionOutput(f"the function {name} ran and returned {type(result).__name__}, no text or blocks")
        if unlike := not_as_declared(spec, result):
            effects.failed(f"functions.{name}: its result", ValueError(unlike), call_id)
            words = f"{name} ran, but its result is not as declared: {unlike}. The result is left out."
            return await told(words, ok=False)
        return await told(result, ok=True)

    return AsyncRegisteredFunction(
        tool=cast(FunctionToolParam, spec.tool),
        execute=execute,
        allow_output_override=spec.allow_output_override,
        independent=spec.independent,
    )


def refusal_words(decision: Decision) -> str:
    """Why a call was not executed, for the model."""
    if decision.by == "rule":
        return f"Not executed: a rule denies this call: {decision.reason}. Do not retry it unless the user asks."
    return f"{NOT_ALLOWED} The operator's note: {decision.note}" if decision.note else NOT_ALLOWED


def not_as_declared(spec: FunctionSpec, result: Any) -> str:
    """In what a result is not as its function's ``output_schema`` says; empty where it is, or where there is none."""
    schema = spec.tool.get("output_schema")
    if schema is None:
        return ""
    return "; ".join(map(str, faults_of(schema, result))) if isinstance(result, str) else "it is no text"


def is_output(result: object) -> bool:
    """Whether it can be sent as a call's output: text, or a list of blocks."""
    if type(result) is str:
        return True
    if type(result) is not list or any(type(block) is not dict for block in result):
        return False
    try:
        json.dumps(result)
    except (TypeError, ValueError, RecursionError):
        return False
    return True
