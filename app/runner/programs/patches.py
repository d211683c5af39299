"""The tool ``apply_patch``: what a patch makes of its file is worked out, shown, and done only as it was shown."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from app.core.evidence import Evidence, PatchFacts
from app.core.patching import PatchProblem, created, digest, shown_change, updated
from app.core.value import Json
from app.runner.programs.asked import Asked
from app.runner.programs.items import Call, Wire, in_words
from drivers.errors import NotDone

MOST_SHOWN_CHARS = 200_000
"""Of a change: nobody reads more than that in one question."""
MOST_DIFF_CHARS = 1_000_000
DID = {"create_file": "Created", "update_file": "Updated", "delete_file": "Deleted"}


class FileFolder(Protocol):
    """The one folder, as `drivers.files` has it."""

    root: Path
    most_bytes: int
    """Of one file, before and after."""

    def read(self, path: str) -> bytes | None:
        """The file's bytes; None where there is none. Raises `NotDone`."""

    def write(self, path: str, data: bytes, *, before: bytes | None) -> None:
        """Put `data` in the place of what was `before`. Raises `NotDone`."""

    def delete(self, path: str, *, before: bytes) -> None:
        """Delete what was `before`. Raises `NotDone`."""


class Patches:
    """One patch at a time, one file a patch."""

    def __init__(self, folder: FileFolder, asked: Asked) -> None:
        self._folder = folder
        self._asked = asked

    @property
    def declared(self) -> Wire:
        """As each request declares it."""
        return {"type": "apply_patch", "allowed_callers": list(self._asked.callers)}

    async def answer(self, call: Call) -> Wire:
        """The output item: completed, or failed with the reason. May wait for a person.

        Raises:
            Exception: what went wrong in the middle of the effect.
        """
        try:
            self._asked.check(call)
            kind, path, diff = _operation(call.raw)
            before = await asyncio.to_thread(self._folder.read, path)
            # Beside the run's loop: a patch of very many lines takes a while.
            after = await asyncio.to_thread(_made, kind, path, diff, before)
            facts = await asyncio.to_thread(_facts, self._folder, path, before, after)

            async def act() -> None:
                if after is None:
                    assert before is not None
                    await asyncio.to_thread(self._folder.delete, path, before=before)
                else:
                    await asyncio.to_thread(self._folder.write, path, after, before=before)

            arguments: Json = dict(call.raw["operation"])
            await self._asked.done(call, arguments, act, evidence=Evidence(patch=facts))
        except (NotDone, PatchProblem) as refusal:
            words = str(refusal)
            await self._asked.answered(call, words, ok=False)
            return in_words(call, words, ok=False)
        words = f"{DID[kind]} {path}."
        await self._asked.answered(call, words, ok=True)
        return in_words(call, words, ok=True)


def _operation(raw: Mapping[str, Any]) -> tuple[str, str, str]:
    operation = raw.get("operation")
    given = operation if isinstance(operation, Mapping) else {}
    kind, path, diff = given.get("type"), given.get("path"), given.get("diff", "")
    if kind not in DID or not isinstance(path, str) or not isinstance(diff, str):
        raise NotDone("Not executed: the patch is none that is known here.")
    if len(diff) > MOST_DIFF_CHARS:
        raise NotDone("Not executed: the patch is too long. Make smaller ones.")
    return str(kind), path, diff


def _made(kind: str, path: str, diff: str, before: bytes | None) -> bytes | None:
    """The file's bytes once the patch is applied; None where it is deleted."""
    if kind == "create_file":
        if before is not None:
            raise NotDone(f"Not executed: {path} is there already.")
        return created(diff).encode()
    if before is None:
        raise NotDone(f"Not executed: there is no file {path}.")
    if kind == "delete_file":
        return None
    text = _text(before)
    if text is None:
        raise NotDone(f"Not executed: {path} is no text.")
    return updated(text, diff).encode()


def _facts(folder: FileFolder, path: str, before: bytes | None, after: bytes | None) -> PatchFacts:
    old, new = _text(before or b""), _text(after or b"")
    if new is None:
        raise NotDone("Not executed: the file would be no text, and nobody could read what changes.")
    if after is not None and len(after) > folder.most_bytes:
        raise NotDone(f"Not executed: the file would be larger than {folder.most_bytes:,} bytes.")
    change = shown_change(old, new, path) if old is not None else ""
    if len(change) > MOST_SHOWN_CHARS:
        raise NotDone("Not executed: the change is too long for one question. Make smaller ones.")
    return PatchFacts(folder=str(folder.root), path=path, before=digest(before), after=digest(after), change=change)


def _text(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
