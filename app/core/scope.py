"""How far an "allow for this run" reaches: exactly what it names, so often, so long, and never further."""

from app.core.value import Frozen, Json, Text

USES = 10
MINUTES = 15


class RunScope(Frozen):
    """Asks of one kind, for one member, on one element of one page, with the same arguments."""

    kind: Text
    source: Text
    member: Text
    arguments: Json
    """All of a function's; of a page's action those that do not say where."""
    origin: Text = ""
    frame_origin: Text = ""
    role: Text = ""
    label: Text = ""
    element: Text = ""
    """The driver's name for this very element. Two of one name in one place are two: each row has its own *Delete*."""
    leads: Text = ""
    """Where the element led when it was asked."""
    row: Text = ""
    """The words of its row when it was asked."""
    uses: int = USES
    minutes: int = MINUTES
