"""What a person reads before a run is taken up: how it was left, what is otherwise, what becomes of what was begun."""

from app.core import describe
from app.core.resuming import ResumeOffer
from app.views.widgets.text_flow import Line, Outside, Run, Words

ALWAYS = "What had not begun is asked again: nothing that was allowed before holds any more"
NEW_BROWSER = "The browser is opened anew: logins, cookies and what was typed and not sent are gone"
HELD = "Everything is held, as it was: no rule allows anything"
NOTHING_CHANGED = "nothing: the same model, tools, rules and versions"


def left_lines(offer: ResumeOffer) -> list[Line]:
    """How it was left."""
    left = offer.left
    steps = f"{offer.steps_left:,} of {left.started.max_steps:,} steps left"
    lines = [
        Line((Outside(left.started.task, quoted=True),), label="Task"),
        Line((Words(f"{left.status} · {left.asked:,} asked · {steps}"),), label="Left"),
    ]
    if left.ended is not None:
        lines.append(Line((Outside(left.ended.reason),), label="Because"))
    if left.lost_requests:
        noun = "request" if left.lost_requests == 1 else "requests"
        words = f"{left.lost_requests} {noun} to the model left without an answer; each used a step"
        lines.append(Line((Words(words),), label=""))
    lines.append(Line((Outside(left.model),), label="Model"))
    return lines


def changed_lines(offer: ResumeOffer) -> list[Line]:
    """What is otherwise than it was."""
    said: list[Line] = []
    for at, change in enumerate(offer.changes):
        said.append(Line((Outside(change, tone="hold"),), label="Changed" if at == 0 else ""))
    if not said:
        said.append(Line((Words(NOTHING_CHANGED),), label="Changed"))
    said.append(Line((Words(ALWAYS),), label="Anew"))
    if offer.left.holding_all:
        said.append(Line((Words(HELD, "hold"),), label=""))
    if offer.start_url is not None:
        said.append(Line((Words(NEW_BROWSER),), label=""))
    return said


def unfinished_lines(offer: ResumeOffer) -> list[Line]:
    """What the model will read of the calls that the run was left in, but for those in doubt."""
    lines: list[Line] = []
    for call in offer.unfinished:
        if call.in_doubt:
            continue
        phrase = describe.member_phrase(call.source, call.member)
        name: Run = Words(phrase) if phrase is not None else Outside(call.member)
        about = (Words(" "), Outside(call.about, strong=True)) if call.about else ()
        lines.append(Line((name, *about, Words(f": {call.words}")), label="" if lines else "Told"))
    return lines
