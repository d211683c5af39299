"""One action of a run with the picture from before it and the one from after it."""

from dataclasses import dataclass
from typing import Literal

from app.core.ask import Ask
from app.core.events import ActionEnded, ActionStarted, AskRaised, Outcome, PictureTaken
from app.core.evidence import Picture
from app.core.human import HumanActed
from app.core.timeline import AskRecord, Timeline

AfterIs = Literal["later", "next_ask", "as_it_ended"]
"""When the picture after an action was taken; the newest as it ended may be from before its effect was painted."""


@dataclass(frozen=True)
class ActionPair:
    """What an action was aimed at, and what the screen showed around it; either picture may be missing."""

    seq: int
    """Where it was asked about, or began when it was not."""
    source: str
    member: str
    """Outside text for a function or a tool."""
    ask: Ask | None
    started: bool
    outcome: Outcome | None
    """None for what did not end on record, or never began."""
    before: Picture | None
    after: Picture | None
    after_is: AfterIs = "later"


def pair_at(timeline: Timeline, seq: int) -> ActionPair | None:
    """The newest action at event `seq`, one that was only asked about too; None before the first."""
    asked, index = timeline.asks.last(seq), timeline.actions.count(seq) - 1
    if asked is not None and (index < 0 or asked.seq > timeline.actions.seq_of(index)):
        begun = _begun_for(timeline, asked)
        return _pair(timeline, begun, asked) if begun is not None else _only_asked(asked)
    return _pair(timeline, index, None) if index >= 0 else None


def next_action(timeline: Timeline, seq: int) -> int | None:
    """Where the next action begins after event `seq`."""
    index = timeline.actions.count(seq)
    return timeline.actions.seq_of(index) if index < len(timeline.actions) else None


def previous_action(timeline: Timeline, seq: int) -> int | None:
    """Where the action before the one at event `seq` begins."""
    index = timeline.actions.count(seq) - 1
    if index >= 0 and timeline.actions.seq_of(index) == seq:
        index -= 1
    return timeline.actions.seq_of(index) if index >= 0 else None


def _begun_for(timeline: Timeline, asked: AskRecord) -> int | None:
    """The index of the action that `asked` allowed; it begins before any later question about the same call."""
    for index in range(timeline.actions.count(asked.seq), len(timeline.actions)):
        action = timeline.actions[index]
        if action.ask_id == asked.ask.ask_id:
            return index
        if asked.decided_seq is not None and action.call_id != asked.ask.call_id:
            return None
    return None


def _pair(timeline: Timeline, index: int, asked: AskRecord | None) -> ActionPair:
    action: ActionStarted = timeline.actions[index]
    begun = timeline.actions.seq_of(index)
    if asked is None and action.ask_id is not None:
        asked = timeline.ask(action.ask_id)
    # What only reads leaves the screen as it is: a picture from after it is one from after this action, too.
    later = (at for at in range(index + 1, len(timeline.actions)) if not timeline.actions[at].reads_only)
    following = next(later, None)
    upto = timeline.actions.seq_of(following) - 1 if following is not None else timeline.last_seq
    frame = timeline.frames.last(begun)
    shown = asked.ask.evidence.picture if asked is not None else None
    ended, after, after_is = _afterwards(timeline, action, begun, upto)
    return ActionPair(
        seq=asked.seq if asked is not None else begun,
        source=action.source,
        member=action.member,
        ask=asked.ask if asked is not None else None,
        started=True,
        outcome=ended.outcome if ended is not None else None,
        before=shown or (frame.picture if frame is not None else None),
        after=after,
        after_is=after_is,
    )


def _afterwards(
    timeline: Timeline, action: ActionStarted, begun: int, upto: int
) -> tuple[ActionEnded | None, Picture | None, AfterIs]:
    """How it ended, and the first picture from then until the next action that does something, or a person's own.

    The one that was at hand as it ended serves where no later one is: it need not show yet what the action did.
    """
    ended: ActionEnded | None = None
    for recorded in timeline.events.between(begun, upto):
        match recorded.event:
            case ActionEnded() as end if (end.call_id, end.part) == (action.call_id, action.part):
                ended = end
            case PictureTaken() as taken if ended is not None:
                return ended, taken.picture, "later"
            case AskRaised() as raised if ended is not None and raised.ask.evidence.picture is not None:
                return ended, raised.ask.evidence.picture, "next_ask"
            case HumanActed() if ended is not None:
                break
            case _:
                pass
    if ended is None or ended.picture is None:
        return ended, None, "later"
    return ended, ended.picture, "as_it_ended"


def _only_asked(asked: AskRecord) -> ActionPair:
    return ActionPair(
        seq=asked.seq,
        source=asked.ask.source,
        member=asked.ask.member,
        ask=asked.ask,
        started=False,
        outcome=None,
        before=asked.ask.evidence.picture,
        after=None,
    )
