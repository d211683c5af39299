"""The tool ``shell``: the commands of a call are asked together and run one after another in the code sandbox."""

from collections.abc import Mapping
from typing import Any, Protocol

from app.core.value import Json
from app.runner.programs.asked import Asked
from app.runner.programs.items import Call, Wire, in_words, kept_length
from drivers.errors import NotDone

MILLIS = 1000
MOST_COMMANDS = 50
STOPPED = "Not executed: the run is being stopped."


class Commands(Protocol):
    """The sandbox, as `drivers.code` has it."""

    async def run(self, command: str, *, secs: float | None = None, most_chars: int | None = None) -> Any:
        """What came of it: stdout, stderr, exit_code (None: it took too long). Raises `NotDone`."""


class Shell:
    """All calls of one run go to one sandbox, whose scratch folder stays."""

    def __init__(self, sandbox: Commands, asked: Asked) -> None:
        self._sandbox = sandbox
        self._asked = asked

    @property
    def declared(self) -> Wire:
        """As each request declares it."""
        return {
            "type": "shell",
            "environment": {"type": "local"},
            "allowed_callers": list(self._asked.callers),
        }

    async def answer(self, call: Call) -> Wire:
        """The output item, one entry a command. May wait for a person.

        Raises:
            Exception: what went wrong in the middle of the effect.
        """
        try:
            self._asked.check(call)
            action = _action(call.raw)
            entries = await self._asked.done(call, action, lambda: self._run(action))
        except NotDone as refusal:
            words = str(refusal)
            await self._asked.answered(call, words, ok=False)
            return in_words(call, words, ok=False)
        await self._asked.answered(call, entries, ok=True)
        return call.made(output=entries, **kept_length(call))

    async def _run(self, action: Mapping[str, Any]) -> list[Json]:
        timeout, most = action.get("timeout_ms"), action.get("max_output_length")
        entries: list[Json] = []
        for command in action["commands"]:
            if self._asked.asking.gate.closed:
                # One call is many commands: a stop comes between two of them.
                entries.append(_entry("", STOPPED, 1))
                continue
            secs = timeout / MILLIS if timeout is not None else None
            done = await self._sandbox.run(command, secs=secs, most_chars=most)
            entries.append(_entry(done.stdout, done.stderr, done.exit_code))
        return entries


def _entry(stdout: str, stderr: str, exit_code: int | None) -> dict[str, Json]:
    outcome: dict[str, Json] = {"type": "timeout"}
    if exit_code is not None:
        outcome = {"type": "exit", "exit_code": exit_code}
    return {"stdout": stdout, "stderr": stderr, "outcome": outcome}


def _action(raw: Mapping[str, Any]) -> dict[str, Json]:
    """What will be run, exactly: its commands and their bounds. Raises `NotDone`."""
    action = raw.get("action")
    given = action if isinstance(action, Mapping) else {}
    commands = given.get("commands")
    if not isinstance(commands, list) or not 0 < len(commands) <= MOST_COMMANDS:
        raise NotDone(f"Not executed: a call takes 1 to {MOST_COMMANDS} commands.")
    if not all(isinstance(command, str) and command.strip() and "\0" not in command for command in commands):
        raise NotDone("Not executed: each command must be a text that is not empty.")
    bounds: dict[str, Json] = {}
    for key in ("timeout_ms", "max_output_length"):
        value = given.get(key)
        if value is None:
            continue
        if type(value) is not int or value <= 0:
            raise NotDone(f"Not executed: {key} must be a whole number above 0.")
        bounds[key] = value
    return {"commands": list(commands), **bounds}
