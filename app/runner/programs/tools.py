"""The tools of the user's own in the own loop: how each is declared, who may call it, what it takes and returns."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing import Registry

from app.core.ask import AskKind, Source
from app.core.errors import UsageProblem
from app.core.programs_plan import HANDLE, WAIT_TOOL
from app.core.value import Json
from app.runner.programs.items import Call, Wire
from app.runner.specs import CustomToolSpec, FunctionOutput, FunctionSpec

log = logging.getLogger(__name__)

WAIT_DECLARATION: Wire = {
    "type": "function",
    "name": WAIT_TOOL,
    "description": (
        "Wait until the background tasks with these handles have ended. Give a list of different task_handles, each of "
        "an earlier call, and only those whose results you need now and do not have yet. The results come as outputs "
        "of the calls that started the tasks; this tool returns the status alone."
    ),
    "strict": True,
    "parameters": {
        "type": "object",
        "properties": {"task_handles": {"type": "array", "items": {"type": "string"}}},
        "required": ["task_handles"],
        "additionalProperties": False,
    },
}


class WrongCall(Exception):
    """A call that is not put to anybody: the text says why, for the model."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind = kind


@dataclass(frozen=True)
class LocalTool:
    """One function or custom tool, its schemas checked."""

    spec: FunctionSpec | CustomToolSpec
    takes: Draft202012Validator | None
    returns: Draft202012Validator | None

    @property
    def declared(self) -> Wire:
        """As the model gets it."""
        return self.spec.tool

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.spec.tool["name"])

    @property
    def deferred(self) -> bool:
        """Whether it must be looked up before it can be called."""
        return self.spec.tool.get("defer_loading") is True

    @property
    def is_custom(self) -> bool:
        """Whether it takes free text."""
        return isinstance(self.spec, CustomToolSpec)

    @property
    def kind(self) -> AskKind:
        """What is asked about a call of it."""
        return "custom_call" if isinstance(self.spec, CustomToolSpec) else self.spec.kind

    @property
    def source(self) -> Source:
        """Where it belongs."""
        return "code" if self.kind == "code" else "functions"

    @property
    def own_value(self) -> bool:
        """Whether the operator may answer in its place."""
        return isinstance(self.spec, FunctionSpec) and self.spec.allow_output_override

    @property
    def takes_handle(self) -> bool:
        """Whether the model names each of its calls."""
        parameters = self.spec.tool.get("parameters")
        properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
        return isinstance(properties, Mapping) and HANDLE in properties

    async def run(self, arguments: Json) -> FunctionOutput:
        """Call what the user wrote."""
        return await self.spec.execute(arguments)

    def check_caller(self, call: Call) -> None:
        """Raise `WrongCall` unless this tool may be called so."""
        callers = self.spec.tool.get("allowed_callers") or ["direct"]
        if ("programmatic" if call.program else "direct") not in callers:
            who = "a program" if call.program else "the model itself"
            raise WrongCall("not_available", f"Not executed: {self.name} may not be called by {who}.")
        if call.background and call.program:
            raise WrongCall("not_available", "Not executed: a program cannot start a background task.")
        if call.background and not self.spec.tool.get("async"):
            raise WrongCall("not_available", f"Not executed: {self.name} does not run in the background.")
        if not call.whole:
            raise WrongCall("invalid_arguments", "Not executed: the call came incomplete.")

    def arguments_of(self, call: Call) -> Json:
        """What will be executed: an object, or a custom tool's text. Raises `WrongCall`."""
        if self.is_custom:
            return str(call.raw.get("input", ""))
        try:
            arguments = json.loads(call.raw.get("arguments", ""))
        except (ValueError, RecursionError):
            arguments = None
        if not isinstance(arguments, dict):
            raise WrongCall("invalid_arguments", "Not executed: the arguments are no JSON object.")
        if (wrong := _misfit(self.takes, arguments)) is not None:
            raise WrongCall("invalid_arguments", f"Not executed: the arguments do not fit the declaration: {wrong}.")
        return arguments

    def misfit(self, output: FunctionOutput) -> str | None:
        """In what the output is not as the tool's ``output_schema`` says, in words without any of its content."""
        if self.returns is None:
            return None
        if not isinstance(output, str):
            return "it is no text"
        try:
            value = json.loads(output)
        except (ValueError, RecursionError):
            return "it is no JSON"
        return _misfit(self.returns, value)


def local_tools(specs: Sequence[FunctionSpec | CustomToolSpec]) -> dict[str, LocalTool]:
    """By name.

    Raises:
        UsageProblem: a name is there twice, or a schema is none.
    """
    tools: dict[str, LocalTool] = {}
    for spec in specs:
        name = str(spec.tool.get("name"))
        if name in tools:
            raise UsageProblem(f"the tools of this run do not fit together: {name!r} is declared twice")
        takes, returns = (_validator(spec.tool, key) for key in ("parameters", "output_schema"))
        tools[name] = LocalTool(spec, takes, returns)
    return tools


def _validator(tool: Mapping[str, Any], key: str) -> Draft202012Validator | None:
    schema = tool.get(key)
    if schema is None:
        return None
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise UsageProblem(f"the {key} of {tool.get('name')!r} is no JSON Schema: {error.message}") from error
    # An empty registry: a schema that points elsewhere is never fetched.
    return Draft202012Validator(schema, registry=Registry())


def _misfit(validator: Draft202012Validator | None, value: Json) -> str | None:
    if validator is None:
        return None
    try:
        found = next(iter(validator.iter_errors(value)), None)
    except Exception as error:
        # A reference that leads nowhere, or a value too deep to look at.
        log.info("a schema could not be applied", exc_info=True)
        return f"the schema cannot be applied ({type(error).__name__})"
    if found is None:
        return None
    missing = [name for name in found.validator_value if name not in found.instance] if _lacks(found) else []
    return f"{found.json_path} lacks {missing[0]!r}" if missing else f"{found.json_path} is against {found.validator!r}"


def _lacks(found: Any) -> bool:
    return found.validator == "required" and isinstance(found.instance, dict)
