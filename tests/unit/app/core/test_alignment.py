"""Two runs are laid beside each other by their calls; where they part ways is found, and what each has alone."""

from typing import Literal

import pytest

from app.core.alignment import AlignedStep, aligned, first_difference, steps_of
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    DecisionMade,
    ProposedCall,
    RunEnded,
    RunStarted,
    TurnAnswered,
)
from app.core.evidence import Evidence, Target
from app.core.timeline import Timeline
from tests.helpers.journals import JournalWriter, booking, folded


def rows(left: Timeline, right: Timeline) -> list[AlignedStep]:
    return aligned(steps_of(left), steps_of(right))


def test_a_run_beside_itself_is_the_same_all_the_way() -> None:
    timeline = folded(booking().records)
    found = rows(timeline, timeline)
    assert len(found) == len(timeline.calls) + 1
    assert first_difference(found) is None


def test_the_first_difference_is_what_was_decided_otherwise() -> None:
    found = rows(folded(booking().records), folded(booking(deny_last=True).records))
    first = first_difference(found)
    assert first == 7
    assert found[7].differs == ("decision", "outcome")
    assert found[7].left is not None
    assert found[7].right is not None
    assert (found[7].left.decision, found[7].right.decision) == ("allowed by you", "denied by you")
    assert first_difference(found, 7) is None


def test_a_run_that_was_cut_off_lacks_what_came_later_and_its_end_differs() -> None:
    whole, cut = booking().records, booking(stop_at_last_ask=True).records
    found = rows(folded(whole), folded(cut[: len(cut) // 2]))
    alone = [step for step in found if step.differs == ("only in one",)]
    assert alone
    assert all(step.right is None for step in alone)
    assert found[-1].differs == ("outcome",)


def acted(ref: str, label: str, members: tuple[str, ...] = ("click",)) -> Timeline:
    writer = JournalWriter()
    writer.add(booking().records[0].event)
    for number, member in enumerate(members, start=1):
        call = next(one.event for one in booking().records if isinstance(one.event, TurnAnswered))
        proposed = call.calls[0].model_copy(
            update={"call_id": f"c{number}", "member": member, "arguments": {"target": ref}}
        )
        writer.add(call.model_copy(update={"turn": number, "calls": (proposed,)}))
        target = Target(ref=ref, role="button", label=label, frame_origin="http://a", box=None, covered_by=None)
        ask = writer.ask(proposed, number, "browser_action", Evidence(target=target))
        writer.decide(ask)
        started = ActionStarted(
            call_id=proposed.call_id, source="browser", member=member, digest=ask.digest, ask_id=ask.ask_id,
            reads_only=False,
        )  # fmt: skip
        writer.add(started)
        writer.add(ActionEnded(call_id=proposed.call_id, outcome="done"))
    writer.add(RunEnded(status="finished", reason="done"))
    assert any(isinstance(one.event, AskRaised) for one in writer.records)
    assert any(isinstance(one.event, DecisionMade) for one in writer.records)
    return folded(writer.records)


def test_the_same_element_under_another_ref_is_the_same_step() -> None:
    assert first_difference(rows(acted("e4", "Reserve"), acted("e9", "Reserve"))) is None
    found = rows(acted("e4", "Reserve"), acted("e4", "Cancel"))
    assert found[0].differs == ("arguments",)


def test_a_step_in_between_is_alone_and_the_rest_is_found_again() -> None:
    found = rows(acted("e1", "A", ("click", "hover")), acted("e1", "A", ("click", "scroll_to", "hover")))
    assert [step.differs for step in found] == [(), ("only in one",), (), ()]
    assert found[1].left is None
    assert found[1].right is not None
    assert found[1].right.member == "scroll_to"


@pytest.mark.parametrize(("provenance", "differs"), [("demo", ()), ("live", ("arguments",))])
def test_the_port_of_the_embedded_site_counts_only_outside_a_demo(
    provenance: Literal["demo", "live"], differs: tuple[str, ...]
) -> None:
    timelines = []
    for port in (8000, 8001):
        writer = JournalWriter()
        started = booking().records[0].event
        assert isinstance(started, RunStarted)
        writer.add(started.model_copy(update={"provenance": provenance}))
        arguments = {"url": f"http://127.0.0.1:{port}/book"}
        call = ProposedCall(call_id="c1", source="browser", member="navigate", arguments=arguments)
        writer.add(TurnAnswered(turn=1, response_id="r", calls=(call,), messages=(), final=False))
        timelines.append(folded(writer.records))
    assert rows(timelines[0], timelines[1])[0].differs == differs
