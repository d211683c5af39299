"""A run's events one by one, for tests of the panels."""

from typing import Any

from app.core.ask import Ask
from app.core.decision import Decision
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CheckpointSaved,
    DecisionMade,
    DiagnosticReported,
    Event,
    PageRead,
    ProposedCall,
    Recorded,
    RequestSent,
    RunStarted,
    TurnAnswered,
    UserTextAdded,
)
from app.core.value import call_digest

ELEMENTS: list[dict[str, Any]] = [
    {"ref": "e37", "role": "textbox", "label": "Name", "value": "Party of two"},
    {"ref": "e38", "role": "combobox", "label": "Guests", "value": "2", "options": [{"label": "2", "value": "2"}]},
    {"ref": "e40", "role": "checkbox", "label": "Window\u202eseat", "checked": False},
    {"ref": "e41", "role": "button", "label": "Reserve table"},
]


def numbered(events: list[Event], first: int = 1) -> list[Recorded]:
    """`events` as a journal hands them out, from `seq` `first` on."""
    return [Recorded(first + at, 1_700_000_000_000 + at, at, event) for at, event in enumerate(events)]


def click_ask() -> Ask:
    """The ask for the sample turn's first call."""
    arguments = {"target": "e41", "tab_id": None}
    return Ask(
        ask_id="a0001",
        kind="browser_action",
        source="browser",
        call_id="c1",
        turn=1,
        member="click",
        arguments=arguments,
        digest=call_digest("click", arguments),
    )


def opening() -> list[Event]:
    """A run up to its first open ask: three calls proposed, the page read, one diagnostic, one checkpoint."""
    return [
        RunStarted(
            run_id="r",
            task="Book a table for two on 3 May",
            model="m",
            engine="responses",
            max_steps=20,
            provenance="demo",
            unattended=False,
            plan={},
            versions={},
        ),
        RequestSent(turn=1, revision=0),
        TurnAnswered(
            turn=1,
            response_id="resp_1",
            calls=(
                ProposedCall(call_id="c1", source="browser", member="click", arguments=click_ask().arguments),
                ProposedCall(call_id="c2", source="browser", member="get_page_text", arguments={"tab_id": None}),
                ProposedCall(
                    call_id="c3", source="functions", member="lookup", arguments={"reference": "HT-3", "n": 1}
                ),
            ),
            messages=("I filled in the form and will now reserve the table.",),
            final=False,
            total_tokens=1200,
        ),
        DiagnosticReported(api="responses", stage="request", reason="completed", duration_ms=1204.2, total_tokens=1200),
        PageRead(
            call_id="c0",
            member="read_page",
            report={
                "version": 1,
                "text": "Book a table. The kitchen closes at 22:00.\nBookings can be changed until noon.",
                "elements": ELEMENTS,
                "omitted": ["private", "frame_limit"],
            },
            tab_id="t1",
            url="https://harbour-table.example/book",
        ),
        CheckpointSaved(
            revision=3,
            phase="pending",
            consumed_requests=1,
            attempted_call_ids=("c1",),
            returned_call_ids=(),
            save_ms=0.41,
        ),
        AskRaised(ask=click_ask()),
    ]


def answering() -> list[Event]:
    """The ask allowed and done, and a word of the operator."""
    ask = click_ask()
    return [
        DecisionMade(decision=Decision(ask_id=ask.ask_id, verdict="allow", by="person", digest=ask.digest)),
        ActionStarted(
            call_id="c1", source="browser", member="click", digest=ask.digest, ask_id=ask.ask_id, reads_only=False
        ),
        ActionEnded(call_id="c1", outcome="done"),
        DiagnosticReported(api="browser", stage="approval", reason="refused", member="click"),
        UserTextAdded(text="Take the window seat"),
    ]
