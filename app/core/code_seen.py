"""What a timeline says of the code that a model wrote, at one place on it: pure folds, the same live and saved."""

from dataclasses import dataclass

from app.core.code_events import CodeActed, CodeSaid, VariablesSeen
from app.core.moment import Moment
from app.core.timeline import CallRecord, CallState, Timeline
from app.core.value import Json

LANGUAGES = {"exec_py": "py", "exec_js": "js"}
"""Of the functions that run code."""


@dataclass(frozen=True)
class PieceSeen:
    """One piece of code."""

    call: CallRecord
    language: str
    code: str
    state: CallState
    said: str
    """What it has given back as text so far; once it has ended, all of its output, with what the console says of it."""
    pictures: int


def pieces_at(moment: Moment) -> list[PieceSeen]:
    """All pieces at that moment, oldest first."""
    timeline, seq = moment.timeline, moment.seq
    said: dict[str, list[str]] = {}
    for event in timeline.code.upto(seq):
        if isinstance(event, CodeSaid):
            said.setdefault(event.call_id, []).append(event.text)
    return [
        _piece(call, moment, "".join(said.get(call.proposed.call_id, ())))
        for call in timeline.calls.upto(seq)
        if call.proposed.member in LANGUAGES and call.proposed.source in ("code", "functions")
    ]


def variables_at(timeline: Timeline, seq: int, language: str) -> VariablesSeen | None:
    """What the environment of that language held when event `seq` was written, if anything is known of it."""
    found = (one for one in reversed(timeline.code.upto(seq)) if isinstance(one, VariablesSeen))
    return next((one for one in found if one.language == language), None)


def ending_at(timeline: Timeline, seq: int, language: str) -> bool:
    """Whether a person's act on that environment has not been followed by what came of it."""
    for one in reversed(timeline.code.upto(seq)):
        if isinstance(one, VariablesSeen) and one.language == language:
            return False
        if isinstance(one, CodeActed) and one.language == language:
            return True
    return False


def _piece(call: CallRecord, moment: Moment, said: str) -> PieceSeen:
    proposed, answer = call.proposed, call.answer_at(moment.seq)
    arguments = proposed.arguments if isinstance(proposed.arguments, dict) else {}
    code = arguments.get("code")
    text, pictures = _output(answer.output) if answer is not None else (said, 0)
    return PieceSeen(
        call=call,
        language=LANGUAGES[proposed.member],
        code=code if isinstance(code, str) else "",
        state=moment.state_of(call),
        said=text,
        pictures=pictures,
    )


def _output(output: Json) -> tuple[str, int]:
    """The text of an output's blocks, and how many pictures stand among them."""
    blocks = output if isinstance(output, list) else [output]
    texts = [block if isinstance(block, str) else str(block["text"]) for block in blocks if _is_text(block)]
    pictures = sum(isinstance(block, dict) and not _is_text(block) for block in blocks)
    return "\n".join(text.rstrip("\n") for text in texts), pictures


def _is_text(block: Json) -> bool:
    return isinstance(block, str) or (isinstance(block, dict) and isinstance(block.get("text"), str))
