"""What is left of a run is named by what a person would call it: a candidate's words, an element's role and name."""

import pytest

from app.core.ask import Ask
from app.core.events import AskRaised, Event, PageRead, ProposedCall, RequestSent, TurnAnswered
from app.core.evidence import Evidence, Target
from app.core.offer import Candidate, Offer
from app.core.settle import settle
from app.core.value import Json
from tests.unit.app.core.test_settle import recorded

OFFER = Offer(
    question="Which?",
    observation="A page",
    candidates=(
        Candidate(candidate_id="press-reserve", description="Press the button “Reserve table”"),
        Candidate(candidate_id="press-cancel", description="Press the button “Cancel”"),
    ),
    chosen="press-cancel",
)
READ = PageRead(
    call_id="r",
    member="read_page",
    tab_id="t1",
    url="",
    report={"elements": [{"ref": "e41", "role": "button", "label": "Reserve table"}]},
)
TARGET = Target(ref="e41", role="link", label="Reserve", frame_origin="", box=None, covered_by=None)


def turn(source: str, member: str, arguments: Json, items: Json = None) -> TurnAnswered:
    call = ProposedCall.model_validate({"call_id": "c", "source": source, "member": member, "arguments": arguments})
    return TurnAnswered(turn=1, response_id="", calls=(call,), messages=(), final=False, items=items)


def asked(source: str, arguments: Json, *, offer: Offer | None = None, target: Target | None = None) -> AskRaised:
    ask = Ask.model_validate(
        {"ask_id": "a1", "kind": "browser_action", "source": source, "call_id": "c", "turn": 1, "member": "click",
         "arguments": arguments, "digest": "0" * 64}
    )  # fmt: skip
    return AskRaised(ask=ask.model_copy(update={"offer": offer, "evidence": Evidence(target=target)}))


CHOSEN: Json = [{"type": "choice", "choice": "press-reserve"}]
REF: Json = {"target": "e41"}
WHICH: list[tuple[list[Event], str]] = [
    ([READ, turn("browser", "click", REF)], "button “Reserve table”"),
    ([turn("browser", "click", REF)], ""),
    ([READ, turn("browser", "click", REF), asked("browser", REF, target=TARGET)], "link “Reserve”"),
    ([turn("browser", "navigate", {"url": "https://a.example/"})], "https://a.example/"),
    ([RequestSent(turn=1, revision=0, offer=OFFER), turn("decisions", "click", REF, CHOSEN)],
     "Press the button “Reserve table”"),
    ([turn("decisions", "click", REF), asked("decisions", REF, offer=OFFER)], "Press the button “Cancel”"),
    ([RequestSent(turn=1, revision=0, offer=OFFER), turn("decisions", "click", REF, [3])], ""),
    ([turn("functions", "lookup", ["e41"])], ""),
]  # fmt: skip


@pytest.mark.parametrize(("events", "about"), WHICH)
def test_which_it_was(events: list[Event], about: str) -> None:
    [call] = settle(recorded(events))
    assert call.about == about
