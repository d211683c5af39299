"""Background jobs as the journal keeps them: the call each handle stands for, how it ended, when the model read it."""

from typing import Literal

from app.core.value import Frozen, Json, Text

JobState = Literal["denied", "completed", "failed", "cancelled", "cut_off"]
"""How a job ended. Whether its effect was done is said by its action, in the three words."""


class JobRegistered(Frozen):
    """A handle is bound to a call, for the whole run; the call has not been asked about."""

    type: Literal["job_registered"] = "job_registered"
    call_id: Text
    name: Text
    handle: Text = ""
    """As the model chose it; empty where its tool takes none."""


class JobEnded(Frozen):
    """Nothing of the job runs any more; its output waits for the next request."""

    type: Literal["job_ended"] = "job_ended"
    call_id: Text
    state: JobState
    detail: Text = ""
    """For people only."""
    output: Json = None
    """What the model will read, with pictures replaced by ``{"picture": digest}``: also a crash loses no result."""
    ok: bool = False
    """Whether that is what was called for."""


class JobDelivered(Frozen):
    """The job's output is part of the request of that turn. It is part of no other."""

    type: Literal["job_delivered"] = "job_delivered"
    call_id: Text
    turn: int


class JobCancelWanted(Frozen):
    """A person wants the job to end; whether it still ran is said by how it ended."""

    type: Literal["job_cancel_wanted"] = "job_cancel_wanted"
    call_id: Text


JobEvent = JobRegistered | JobEnded | JobDelivered | JobCancelWanted
