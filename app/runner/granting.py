"""The file grants of a run file: whether each file is there and what it was said to be, and how they are issued."""

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.core.errors import MissingHere
from app.core.grant_plan import GrantPlan


def why_not(grant: GrantPlan) -> str | None:
    """Why its file could not be handed over as it is now, in words; None when it could. Reads all of it to compare."""
    if grant.upload is None:
        return None
    path = Path(grant.upload)
    try:
        if not path.is_file():
            return "there is no such plain file"
        if (size := path.stat().st_size) > grant.most_bytes:
            return f"it has {size:,} bytes, and most_bytes allows {grant.most_bytes:,}"
        with path.open("rb") as file:
            if grant.sha256 is not None and hashlib.file_digest(file, "sha256").hexdigest() != grant.sha256:
                return "it is another file than its sha256 says"
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    return None


def require_grants(grants: Sequence[GrantPlan]) -> None:
    """Look at the files that the run may hand over, before anything is recorded.

    Raises:
        MissingHere: one is not there, too large, or another than it was; names the grant and the path.
    """
    for grant in grants:
        if (reason := why_not(grant)) is not None:
            raise MissingHere(f"grants {grant.id!r}: {reason}: {grant.upload}")


async def issue(grants: Sequence[GrantPlan], issuer: Any) -> None:
    """Issue each at a driver's `issuer`, for one use and as long as the browser is there.

    Raises:
        MissingHere: a file changed since it was looked at.
    """
    for grant in grants:
        given: dict[str, Any] = {"most_bytes": grant.most_bytes, "secs": math.inf, "grant_id": grant.id}
        if grant.upload is None:
            issuer.allow_download(grant.download, **given)
            continue
        try:
            await issuer.allow_upload(Path(grant.upload), sha256=grant.sha256, **given)
        except (OSError, ValueError) as error:
            raise MissingHere(f"grants {grant.id!r}: {error}") from error
