"""Runs made up for the ledger's tests: events in a run's order, checkpoints as the SDK makes them, pictures."""

import base64
import io
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

from app.core.ask import Ask
from app.core.decision import Decision, Verdict
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    DecisionMade,
    Event,
    ProposedCall,
    RunEnded,
    RunStarted,
    TurnAnswered,
)
from app.core.evidence import Blob, Evidence, Picture
from app.core.value import call_digest


@dataclass
class StandingClock:
    """Time that moves by one millisecond a look."""

    ticks: int = 0

    def wall_ms(self) -> int:
        self.ticks += 1
        return 1_800_000_000_000 + self.ticks

    def mono_ns(self) -> int:
        self.ticks += 1
        return self.ticks * 1_000_000


def run_started(run_id: str = "20261129-2105-k7m3qx") -> RunStarted:
    return RunStarted(
        run_id=run_id,
        task="Book a table",
        model="scripted-model",
        engine="responses",
        max_steps=20,
        provenance="demo",
        unattended=True,
        plan={"task": "Book a table"},
        versions={"signalbox": "0.1.0"},
    )


def run_ended() -> RunEnded:
    return RunEnded(status="finished", reason="the model is done", final_text="Booked.")


def png(seed: int, *, width: int = 320, height: int = 200) -> bytes:
    """A picture that does not compress: a different one for each seed."""
    noise = random.Random(seed).randbytes(width * height * 3)
    written = io.BytesIO()
    Image.frombytes("RGB", (width, height), noise).save(written, "PNG", compress_level=0)
    return written.getvalue()


def data_url(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"


def picture_of(blob: Blob, *, width: int = 320, height: int = 200) -> Picture:
    return Picture(
        digest=blob.digest,
        media_type=blob.media_type,
        width=width,
        height=height,
        css_width=width,
        css_height=height,
    )


ARGUMENTS = {"ref": "e1", "tab_id": None}


@dataclass
class Click:
    """One click from proposal to end, in the order in which a run writes it."""

    number: int
    picture: Blob | None = None
    verdict: Verdict = "allow"
    digest: str = field(default_factory=lambda: call_digest("click", ARGUMENTS))

    @property
    def call_id(self) -> str:
        return f"call_{self.number}"

    @property
    def proposed(self) -> TurnAnswered:
        call = ProposedCall(call_id=self.call_id, source="browser", member="click", arguments=ARGUMENTS)
        return TurnAnswered(turn=self.number, response_id="r", calls=(call,), messages=(), final=False)

    @property
    def asked(self) -> AskRaised:
        evidence = Evidence(picture=picture_of(self.picture)) if self.picture else Evidence()
        ask = Ask(
            ask_id=f"a{self.number:04d}",
            kind="browser_action",
            source="browser",
            call_id=self.call_id,
            turn=self.number,
            member="click",
            arguments=ARGUMENTS,
            digest=self.digest,
            evidence=evidence,
        )
        return AskRaised(ask=ask)

    @property
    def decided(self) -> DecisionMade:
        decision = Decision(ask_id=f"a{self.number:04d}", verdict=self.verdict, by="scripted", digest=self.digest)
        return DecisionMade(decision=decision)

    @property
    def started(self) -> ActionStarted:
        return ActionStarted(
            call_id=self.call_id,
            source="browser",
            member="click",
            digest=self.digest,
            ask_id=f"a{self.number:04d}",
            reads_only=False,
        )

    @property
    def ended(self) -> ActionEnded:
        return ActionEnded(call_id=self.call_id, outcome="done")

    def steps(self) -> list[Event]:
        return [self.proposed, self.asked, self.decided, self.started, self.ended]


TOOLS = [
    {
        "type": "function",
        "name": f"browser_{number}",
        "strict": True,
        "description": "d" * 120,
        "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
    }
    for number in range(20)
]


class SdkRun:
    """Checkpoints in the SDK's order, five a step, each a fresh copy of containers that share their strings."""

    def __init__(self, run_id: str = "run", *, picture_bytes: int = 6000, seed: int = 1) -> None:
        self.run_id = run_id
        self.steps = 0
        self._picture_bytes = picture_bytes
        self._random = random.Random(seed)
        self._revision = 0
        self._history: list[Any] = [{"role": "user", "content": "go"}]
        self._attempted: list[str] = []
        self._returned: list[str] = []

    @property
    def picture_total(self) -> int:
        """Bytes of all pictures so far."""
        return self.steps * self._picture_bytes

    def step(self) -> Iterator[dict[str, Any]]:
        number = self.steps
        call = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": "browser_1"}
        call |= {"arguments": '{"tab_id":null}', "status": "completed"}
        state = '{"ok": true, "state": {"tabs": [{"id": "1", "title": "t", "url": "http://page.invalid/"}]}}'
        url = data_url(self._random.randbytes(self._picture_bytes))
        parts = [{"type": "input_text", "text": state}, {"type": "input_image", "detail": "auto", "image_url": url}]
        output = {"type": "function_call_output", "call_id": f"call_{number}", "output": parts}
        yield self.checkpoint("boundary")
        yield self.checkpoint("pending", [call])
        self._attempted.append(f"call_{number}")
        yield self.checkpoint("pending", [call])
        self._returned.append(f"call_{number}")
        yield self.checkpoint("pending", [call], [output])
        self._history += [call, output]
        self.steps += 1
        yield self.checkpoint("boundary")

    def checkpoint(
        self, phase: str, pending: list[Any] | None = None, outputs: list[Any] | None = None
    ) -> dict[str, Any]:
        self._revision += 1
        found = {
            "version": 1,
            "run_id": self.run_id,
            "revision": self._revision,
            "phase": phase,
            "max_steps": 1000,
            "consumed_requests": self.steps,
            "tools": TOOLS,
            "output_override_names": [],
            "history": self._history,
            "attempted_call_ids": self._attempted,
            "returned_call_ids": self._returned,
            "pending_items": pending or [],
            "returned_outputs": outputs or [],
            "final_response": None,
        }
        copy: dict[str, Any] = detached(found)
        return copy


def detached(value: Any) -> Any:
    """A copy as the SDK makes it: new containers around the same strings."""
    if isinstance(value, list):
        return [detached(item) for item in value]
    if isinstance(value, dict):
        return {key: detached(item) for key, item in value.items()}
    return value
