"""What the observations of a decisions run that goes on say beside what is there to be seen."""

from app.core.value import Frozen, Text


class Carried(Frozen):
    """Of a run that another process left, or that another run was forked from; empty for one that simply begins."""

    requests: int = 0
    """How many the run has sent; each used a step."""
    looks: int = 0
    """How many looks at the page are on record."""
    last_action: Text = ""
    """The last completed action, in the words of its candidate; empty when none is known."""
    earlier: Text = ""
    """The text of the page that it was chosen on."""
    until_an_action: tuple[Text, ...] = ()
    """Said until an action is completed."""
    always: tuple[Text, ...] = ()
    """Said in every observation: what the operator noted or did not allow, and what may have happened."""


NOTHING_CARRIED = Carried()
