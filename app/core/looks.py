"""The console's own looks at the page in a decisions run, told from calls of the model by their ids."""

_LOOK = "look-"


def look_id(number: int) -> str:
    """The call id of the run's `number`-th look."""
    return f"{_LOOK}{number}"


def is_look(call_id: str) -> bool:
    """Whether no model asked for it."""
    return call_id.startswith(_LOOK)
