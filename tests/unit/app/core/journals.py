"""Any journal that a run might leave, as a hypothesis strategy: calls that are asked, decided, started, ended."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from app.core.ask import Ask, AskKind, Source
from app.core.decision import Decision, Verdict
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CallAnswered,
    CheckpointSaved,
    DecisionMade,
    Event,
    Outcome,
    ProposedCall,
    Recorded,
    RequestSent,
    RunEnded,
    RunStarted,
    SegmentStarted,
    StopRequested,
    TurnAnswered,
    UserTextAdded,
)
from app.core.value import call_digest

KINDS: dict[Source, AskKind] = {
    "browser": "browser_action",
    "computer": "computer_action",
    "functions": "function_call",
    "mcp": "mcp_approval",
}
OUTCOMES: tuple[Outcome, ...] = ("done", "done", "not_done", "may_have_happened")


@dataclass
class Writing:
    """A journal being written, with what becomes of each action beside it."""

    draw: Any
    events: list[Event] = field(default_factory=list)
    asks: int = 0
    calls: int = 0
    stopped: bool = False
    outcomes: dict[tuple[str, int], Outcome] = field(default_factory=dict)
    """What became of each action that was started."""

    def add(self, event: Event) -> None:
        self.events.append(event)

    def choose(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def turn(self, number: int) -> None:
        """One request, its answer, and what becomes of its calls."""
        self.add(RequestSent(turn=number, revision=number))
        calls = [self._call() for _ in range(self.draw(st.integers(0, 3)))]
        eager = self.choose(False, False, True)
        answered = TurnAnswered(
            turn=number,
            response_id=f"r{number}",
            calls=tuple(calls),
            messages=tuple(f"m{number}" for _ in range(self.draw(st.integers(0, 1)))),
            final=not calls,
            total_tokens=self.draw(st.integers(0, 50)),
        )
        if not eager:
            self.add(answered)
        for call in calls:
            self._carry_out(call, number)
        if eager:
            self.add(answered)
        self.add(
            CheckpointSaved(
                revision=number + 1,
                phase="boundary",
                consumed_requests=number,
                attempted_call_ids=(),
                returned_call_ids=(),
            )
        )

    def _call(self) -> ProposedCall:
        self.calls += 1
        source: Source = self.choose("browser", "computer", "functions", "mcp")
        if source == "computer":
            kinds = self.draw(st.lists(st.sampled_from(["click", "type", "screenshot"]), min_size=1, max_size=3))
            arguments: Any = [{"type": kind} for kind in kinds]
            return ProposedCall(call_id=f"c{self.calls}", source=source, member="computer", arguments=arguments)
        return ProposedCall(call_id=f"c{self.calls}", source=source, member="click", arguments={"n": self.calls})

    def _carry_out(self, call: ProposedCall, turn: int) -> None:
        """Ask about each action, start what is allowed; anything may be cut off anywhere."""
        ok = True
        if call.source == "computer":
            for part, action in enumerate([*call.arguments, {"type": "screenshot"}], start=1):
                outcome = self._action(call, turn, str(action["type"]), action, part)
                ok = outcome == "done"
                if not ok:
                    break
        elif call.source == "mcp":
            ok = self._asked(call, turn, call.member, call.arguments, 1) is not None
            if ok:
                return
        else:
            ok = self._action(call, turn, call.member, call.arguments, 1) == "done"
        if self.choose(True, True, True, False):
            self.add(CallAnswered(call_id=call.call_id, ok=ok, output=None))

    def _asked(self, call: ProposedCall, turn: int, member: str, arguments: Any, part: int) -> str | None:
        self.asks += 1
        ask = Ask(
            ask_id=f"a{self.asks:04d}",
            kind=KINDS[call.source],
            source=call.source,
            call_id=call.call_id,
            turn=turn,
            member=member,
            arguments=arguments,
            digest=call_digest(member, arguments),
            part=part,
            parts=max(part, len(call.arguments) if isinstance(call.arguments, list) else 1),
            siblings=tuple(call.arguments) if isinstance(call.arguments, list) else (),
        )
        self.add(AskRaised(ask=ask))
        verdict: Verdict = "deny" if self.stopped else self.choose("allow", "allow", "allow", "deny", "stop")
        note = self.choose("", "", "a note") if verdict == "deny" else ""
        decision = Decision(ask_id=ask.ask_id, verdict=verdict, by="person", note=note, digest=ask.digest)
        self.add(DecisionMade(decision=decision))
        if verdict == "stop":
            self.stopped = True
            self.add(StopRequested(by="person"))
        return ask.ask_id if verdict == "allow" else None

    def _action(self, call: ProposedCall, turn: int, member: str, arguments: Any, part: int) -> Outcome | None:
        ask_id = self._asked(call, turn, member, arguments, part)
        if ask_id is None or self.choose(False, False, False, True):
            return None
        reads = member == "screenshot"
        self.add(
            ActionStarted(
                call_id=call.call_id,
                part=part,
                source=call.source,
                member=member,
                digest=call_digest(member, arguments),
                ask_id=ask_id,
                reads_only=reads,
            )
        )
        outcome: Outcome = self.choose("done", "not_done") if reads else self.choose(*OUTCOMES)
        self.add(ActionEnded(call_id=call.call_id, part=part, outcome=outcome))
        self.outcomes[(call.call_id, part)] = outcome
        return outcome


@st.composite
def journals(draw: Any) -> Writing:
    """A journal of up to four turns; half of them end, half are cut off."""
    writing = Writing(draw)
    writing.add(
        RunStarted(
            run_id="r",
            task="t",
            model="m",
            engine="responses",
            max_steps=9,
            provenance="live",
            unattended=False,
            plan={},
            versions={},
        )
    )
    writing.add(SegmentStarted(number=1, base_revision=0, reason="the run begins"))
    for number in range(1, draw(st.integers(1, 4)) + 1):
        writing.turn(number)
        if writing.stopped:
            break
        if writing.choose(False, True):
            writing.add(UserTextAdded(text="told"))
    if draw(st.booleans()):
        writing.add(RunEnded(status="stopped" if writing.stopped else "finished", reason="over"))
    return writing


def recorded(events: list[Event]) -> list[Recorded]:
    """The events as a ledger numbers them."""
    return [Recorded(seq, 1_000 * seq, 1_000_000 * seq, event) for seq, event in enumerate(events, start=1)]
