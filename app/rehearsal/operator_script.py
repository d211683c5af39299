"""The scripted operator of an unattended run: the answers that a scenario's author wrote for the asks it raises."""

import re

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.value import canonical_json
from app.rehearsal.scenario import OperatorEntry, OperatorScript


class ScriptedOperator:
    """Answers asks by the first entry that fits and is not used up, else by the default; always as *scripted*."""

    def __init__(self, script: OperatorScript) -> None:
        self._default = script.default
        self._entries = [(entry, re.compile(entry.arguments or "")) for entry in script.answers]
        self._used = [0] * len(script.answers)

    def answer(self, ask: Ask) -> Answer:
        """The answer to one ask; entries with `times` are used up by it."""
        arguments = canonical_json(ask.arguments).decode("ascii")
        for index, (entry, pattern) in enumerate(self._entries):
            spent = entry.times is not None and self._used[index] >= entry.times
            if not spent and _fits(entry, ask) and pattern.search(arguments):
                self._used[index] += 1
                return Answer(
                    verdict=entry.answer,
                    by="scripted",
                    note=entry.note,
                    shown_digest=ask.digest,
                    picked=entry.pick,
                )
        return Answer(verdict=self._default, by="scripted", shown_digest=ask.digest)


def _fits(entry: OperatorEntry, ask: Ask) -> bool:
    return entry.kind in (None, ask.kind, *ask.joined) and entry.member in (None, ask.member)
