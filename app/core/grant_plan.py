"""A run file's ``[[grants]]``: files that the run may hand over or fetch, each once, and what the model is told."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field, model_validator

from app.core.ask import BROWSER_KINDS
from app.core.events import ActionStarted, AskRaised, Recorded
from app.core.value import Frozen
from app.core.web_address import PageAddress


class GrantPlan(Frozen):
    """One file, for one use in one run; whether it is used is asked each time."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
    """What the model passes as ``grant_id``."""
    upload: str | None = None
    """The path of the file that may be handed over, as it is when the run begins."""
    download: PageAddress | None = None
    """The one address that may be fetched."""
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    """Of an upload: the file must be exactly this one."""
    most_bytes: Annotated[int, Field(ge=1)] = 50 * 1024 * 1024

    @model_validator(mode="after")
    def _one_direction(self) -> "GrantPlan":
        if (self.upload is None) == (self.download is None):
            raise ValueError("give upload or download")
        if not (self.upload or self.download):
            raise ValueError("there is no file without a path or an address")
        if self.download is not None and self.sha256 is not None:
            raise ValueError("sha256 goes with upload")
        return self

    @property
    def member(self) -> str:
        """The browser member that uses it."""
        return "upload_file" if self.upload is not None else "download_file"


def wrong_grants(grants: Sequence[GrantPlan], offered: Iterable[str] | None) -> str | None:
    """What is wrong with them as a whole, in words. `offered`: the members that the plan names; None: no browser."""
    if not grants:
        return None
    if offered is None:
        return "grants: they need a [browser] table"
    members = set(offered)
    for at, grant in enumerate(grants):
        if grant.member not in members:
            return f'grants[{at}]: add "{grant.member}" to browser.additional_members'
        if any(other.id == grant.id for other in grants[:at]):
            return f"grants: {grant.id!r} is named twice"
    return None


def told_of(instructions: str | None, grants: Sequence[GrantPlan]) -> str | None:
    """The instructions as the model is to get them: what it can do with which grant stands at their end."""
    if not grants:
        return instructions
    lines = [f"- {grant.id}: {grant.member}, {grant.upload or grant.download}" for grant in grants]
    told = "Files of this task, each for one use, by the grant_id to pass:\n" + "\n".join(lines)
    return told if instructions is None else f"{instructions}\n\n{told}"


def unused(grants: Sequence[GrantPlan], past: Iterable[Recorded]) -> tuple[GrantPlan, ...]:
    """Those of which the record does not say that their use began."""
    asked: dict[tuple[str, int], str] = {}
    used: set[str] = set()
    for recorded in past:
        event = recorded.event
        if isinstance(event, AskRaised) and BROWSER_KINDS.get(event.ask.member) == "file_grant":
            ask = event.ask
            given = ask.arguments.get("grant_id") if isinstance(ask.arguments, dict) else None
            asked[ask.call_id, ask.part] = str(given)
        elif isinstance(event, ActionStarted) and (place := (event.call_id, event.part)) in asked:
            used.add(asked[place])
    return tuple(grant for grant in grants if grant.id not in used)
