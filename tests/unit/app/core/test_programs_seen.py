"""What a run with background jobs is doing, as the header says it."""

from app.core.events import Event, ProposedCall, Recorded, RequestSent, RunStarted, TurnAnswered
from app.core.jobs import JobEnded, JobRegistered
from app.core.moment import Moment
from app.core.timeline import Timeline

HEADER = RunStarted(
    run_id="r",
    task="t",
    model="m",
    engine="programs",
    max_steps=5,
    provenance="demo",
    unattended=True,
    plan={},
    versions={},
)
JOB = ProposedCall(call_id="j", source="functions", member="lookup", arguments={}, background=True)


def turn(number: int, *calls: ProposedCall) -> TurnAnswered:
    return TurnAnswered(turn=number, response_id=f"r{number}", calls=calls, messages=(), final=False)


def test_a_run_that_only_waits_for_a_job_is_acting_and_one_with_a_request_out_is_not() -> None:
    events: list[tuple[Event, str]] = [
        (HEADER, "starting"),
        (RequestSent(turn=1, revision=1), "thinking"),
        (turn(1, JOB), "acting"),
        (JobRegistered(call_id="j", name="lookup"), "acting"),
        (RequestSent(turn=2, revision=2), "acting"),
        (turn(2), "acting"),
        (RequestSent(turn=3, revision=3), "thinking"),
        (turn(3), "acting"),
        (JobEnded(call_id="j", state="completed"), "thinking"),
    ]
    timeline = Timeline()
    for seq, (event, _) in enumerate(events, start=1):
        timeline.apply(Recorded(seq, seq, seq, event))
    assert [Moment(timeline, seq).state for seq in range(1, len(events) + 1)] == [state for _, state in events]
