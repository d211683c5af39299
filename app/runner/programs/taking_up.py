"""How a saved run of the own loop goes on: its newest boundary, and what the loop must know beside the history."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from openai.lib.browser import BROWSER_MEMBERS

from app.core.events import CheckpointSaved, Event, Found, Recorded, TurnAnswered
from app.core.jobs import JobEnded, JobRegistered
from app.core.resuming import CallPart
from app.core.settle import SettledCall, settle
from app.runner.computer import NO_PICTURE
from app.runner.programs.folding import PENDING, FoldedLoop, fold_loop
from app.runner.programs.items import NOT_SENT_AGAIN, Wire
from app.runner.session_ports import LoopBefore


def settled_loop(
    checkpoint: Wire,
    calls: Iterable[SettledCall],
    found: Mapping[CallPart, Found],
    past: Sequence[Recorded],
    blob: Callable[[str], bytes],
) -> FoldedLoop:
    """The boundary to go on from: `checkpoint` itself where nothing is open in it. Raises `LedgerProblem`."""
    names = {f"browser_{member}" for member in BROWSER_MEMBERS} & set(checkpoint["tools"])
    folded = fold_loop(checkpoint, calls, found, past, NO_PICTURE, frozenset(names), blob)
    return folded or FoldedLoop(checkpoint, (), ())


def forked_loop(
    checkpoint: Wire, past: Sequence[Recorded], blob: Callable[[str], bytes]
) -> tuple[Sequence[Wire], LoopBefore]:
    """The history of a boundary with every call in it answered, and its tasks. `past` is the journal up to it."""
    folded = fold_loop(checkpoint, settle(past), {}, past, NO_PICTURE, frozenset(), blob, fork=True)
    before = loop_before(past, folded.answered if folded else (), (), stored=False)
    history = folded.boundary["history"] if folded else checkpoint["history"]
    return history, LoopBefore(tasks=before.tasks)


def loop_before(
    past: Sequence[Recorded], answered: Sequence[Event], history: Sequence[Wire], *, stored: bool
) -> LoopBefore:
    """What the loop knew. `answered` is what was put on record since, `stored` whether the service keeps answers."""
    events = [*(one.event for one in past), *answered]
    handles = {event.call_id: event.handle for event in events if isinstance(event, JobRegistered)}
    ended = {event.call_id: event.state for event in events if isinstance(event, JobEnded)}
    previous, sent = _kept_by_the_service(events, history) if stored else (None, 0)
    return LoopBefore(
        tasks={handle: ended.get(call_id, "cut_off") for call_id, handle in handles.items() if handle},
        tokens=sum(event.total_tokens for event in events if isinstance(event, TurnAnswered)),
        previous=previous,
        sent=sent,
    )


def _kept_by_the_service(events: Sequence[Event], history: Sequence[Wire]) -> tuple[str | None, int]:
    """The newest answer that was acted on, and where its items end in `history`; all is sent anew where that is
    not to be found.
    """
    newest: TurnAnswered | None = None
    acted_on: TurnAnswered | None = None
    for event in events:
        if isinstance(event, TurnAnswered):
            newest = event
        elif isinstance(event, CheckpointSaved) and event.phase == PENDING:
            acted_on = newest
    if acted_on is None or not isinstance(acted_on.items, list):
        return None, 0
    items = [{key: value for key, value in item.items() if key not in NOT_SENT_AGAIN} for item in acted_on.items]
    for at in range(len(history) - len(items), -1, -1):
        if items and list(history[at : at + len(items)]) == items:
            return acted_on.response_id, at + len(items)
    return None, 0
