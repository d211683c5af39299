"""Code that a model wrote, as the journal keeps it: what it says, what it leaves behind, a person's acts on it."""

from typing import Literal

from app.core.value import Frozen, Text

CodeAct = Literal["interrupt", "restart"]


class CodeSaid(Frozen):
    """Text that a piece of code has given back so far, as it came; its output follows when it has ended."""

    type: Literal["code_said"] = "code_said"
    call_id: Text
    text: Text


class VariableSeen(Frozen):
    """A name that code has left in its environment."""

    name: Text
    kind: Text
    shown: Text
    """How its value begins."""


class VariablesSeen(Frozen):
    """What an environment holds from here on. All of it is outside text."""

    type: Literal["variables_seen"] = "variables_seen"
    language: str
    variables: tuple[VariableSeen, ...]
    left_out: int = 0
    """So many more there are."""
    lost: bool = False
    """The process has been ended, with everything that it held."""


class CodeActed(Frozen):
    """A person wants what runs to end, or the environment begun anew; what came of it is said by what follows."""

    type: Literal["code_acted"] = "code_acted"
    by: Literal["person"] = "person"
    language: str
    act: CodeAct


CodeEvent = CodeSaid | VariablesSeen | CodeActed
