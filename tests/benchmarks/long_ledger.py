"""A finished run of many steps on disk, written event by event: an ask, a decision, an action and a picture a step."""

import threading
from pathlib import Path

from app.clock import SystemClock
from app.core.ask import Ask
from app.core.decision import Decision
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CallAnswered,
    DecisionMade,
    Event,
    PageChanged,
    PictureTaken,
    ProposedCall,
    RequestSent,
    RunEnded,
    RunStarted,
    SegmentStarted,
    TurnAnswered,
)
from app.core.evidence import Blob, Box, Evidence, Page, Picture, Target
from app.core.value import call_digest
from app.ledger.store import RunLedger
from tests.benchmarks.pictures import HEIGHT, WIDTH, picture

MOST_AHEAD = 32
"""Pictures that may wait for their thumbnail, so that none goes without."""
LOOK_AGAIN_SECS = 0.002


def write(file: Path, steps: int) -> None:
    """Write the run to `file`."""
    waiting: list[str] = []
    with RunLedger.create(file, SystemClock()) as ledger:
        ledger.append(_started(file.stem, steps))
        ledger.append(SegmentStarted(number=1, base_revision=0, reason="the run begins"))
        for number in range(1, steps + 1):
            blob = Blob(picture(number), "image/jpeg")
            waiting.append(blob.digest)
            for event in _step(number, blob.digest):
                ledger.append(event, [blob] if isinstance(event, AskRaised | PictureTaken) else [])
            while len(waiting) > MOST_AHEAD:
                if ledger.thumbnail(waiting[0]) is None:
                    threading.Event().wait(LOOK_AGAIN_SECS)
                else:
                    waiting.pop(0)
        ledger.append(RunEnded(status="finished", reason="the model gave its final message", final_text="Done."))


def write_tiny(file: Path, events: int) -> None:
    """A run of many small events and no pictures."""
    with RunLedger.create(file, SystemClock()) as ledger:
        ledger.append(_started(file.stem, events))
        for number in range(2, events):
            ledger.append(PageChanged(kind="navigation", tab_id="1", detail=f"http://127.0.0.1/{number}"))
        ledger.append(RunEnded(status="finished", reason="the model gave its final message", final_text="Done."))


def _started(run_id: str, steps: int) -> RunStarted:
    return RunStarted(
        run_id=run_id,
        task="Go on until you are told to stop.",
        model="scripted-model",
        engine="responses",
        max_steps=steps,
        provenance="demo",
        unattended=False,
        plan={},
        versions={},
    )


def _step(number: int, digest: str) -> list[Event]:
    call_id, target = f"call_{number}", f"e{number}"
    arguments = {"tab_id": None, "target": target}
    named = call_digest("click", arguments)
    shown = Picture(
        digest=digest, media_type="image/jpeg", width=WIDTH, height=HEIGHT, css_width=WIDTH, css_height=HEIGHT
    )
    ask = Ask(
        ask_id=f"a{number:04d}",
        kind="browser_action",
        source="browser",
        call_id=call_id,
        turn=number,
        member="click",
        arguments=arguments,
        digest=named,
        evidence=Evidence(
            page=Page(tab_id="1", url=f"http://127.0.0.1/{number}", origin="http://127.0.0.1", title=f"Page {number}"),
            target=Target(
                ref=target,
                role="button",
                label="Reserve table",
                frame_origin="http://127.0.0.1",
                box=Box(x=420, y=300, width=160, height=40),
                covered_by=None,
            ),
            picture=shown,
        ),
    )
    decision = Decision(ask_id=ask.ask_id, verdict="allow", by="person", digest=named, waited_ms=800)
    call = ProposedCall(call_id=call_id, source="browser", member="click", arguments=arguments)
    return [
        RequestSent(turn=number, revision=number),
        TurnAnswered(turn=number, response_id=f"r{number}", calls=(call,), messages=("I click.",), final=False),
        AskRaised(ask=ask),
        DecisionMade(decision=decision),
        ActionStarted(
            call_id=call_id, source="browser", member="click", digest=named, ask_id=ask.ask_id, reads_only=False
        ),
        ActionEnded(call_id=call_id, outcome="done", duration_ms=12),
        PictureTaken(role="after", picture=shown, call_id=call_id),
        CallAnswered(call_id=call_id, ok=True, output=[{"ok": True, "result": "Clicked."}]),
    ]
