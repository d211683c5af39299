"""How questions are put: a run file's ``[asking]`` table."""

from typing import Annotated

from pydantic import Field

from app.core.value import Frozen


class AskingPlan(Frozen):
    """Without the table: several questions about one action come on one card, and a question waits for ever."""

    together: bool = True
    """One card for an address and the action that opens it; each is answered and recorded by itself all the same."""
    expire_secs: Annotated[float, Field(ge=3, le=86_400)] | None = None
    """After so long without an answer the console denies."""
