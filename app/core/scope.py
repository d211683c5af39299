"""How far an "allow for this run" reaches: exactly what it names, so often, so long, and never further."""

from app.core.value import Frozen, Json, Text

USES = 10
MINUTES = 15


class RunScope(Frozen):
    """Asks of one kind, for one member, on one target of one origin, with the same arguments."""

    kind: Text
    source: Text
    member: Text
    arguments: Json
    """All of a function's; of a page's action those that do not say where."""
    origin: Text = ""
    frame_origin: Text = ""
    role: Text = ""
    label: Text = ""
    uses: int = USES
    minutes: int = MINUTES
