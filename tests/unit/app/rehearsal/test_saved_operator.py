"""An unattended rehearsal decides as was decided then, about the same thing only, each decision once."""

import pytest

from app.core.ask import Ask
from app.core.decision import Decision, Verdict
from app.core.evidence import Evidence, Target
from app.core.ports import InboxClosed
from app.core.value import Json, call_digest
from app.rehearsal.saved_answers import SavedDecision
from app.rehearsal.saved_operator import NOT_ASKED_THEN, SavedOperator


def ask(ref: str = "e1", *, label: str = "Save", call_id: str = "c1", part: int = 1, **more: Json) -> Ask:
    arguments = {"target": ref, **more}
    target = Target(ref=ref, role="button", label=label, frame_origin="", box=None, covered_by=None)
    return Ask(
        ask_id="a0001",
        kind="browser_action",
        source="browser",
        call_id=call_id,
        turn=1,
        member="click",
        arguments=arguments,
        digest=call_digest("click", arguments),
        part=part,
        evidence=Evidence(target=target),
    )


def then(asked: Ask, verdict: Verdict = "allow", **more: Json) -> SavedDecision:
    return SavedDecision(asked, Decision(ask_id="a0001", verdict=verdict, by="person", digest=asked.digest, **more))


async def test_the_same_question_gets_the_same_answer_once_and_as_scripted() -> None:
    operator = SavedOperator([then(ask()), then(ask(call_id="c2"), "deny", note="no")])
    allowed = await operator.hold(ask("e44"))
    assert (allowed.verdict, allowed.by) == ("allow", "scripted")
    denied = await operator.hold(ask(call_id="c2"))
    assert (denied.verdict, denied.note) == ("deny", "no")
    again = await operator.hold(ask())
    assert (again.verdict, again.note) == ("deny", NOT_ASKED_THEN)


@pytest.mark.parametrize(
    "other",
    [ask(label="Pay"), ask(call_id="c9"), ask(part=2), ask(force=True), ask().model_copy(update={"member": "type"})],
)
async def test_any_other_question_is_denied(other: Ask) -> None:
    operator = SavedOperator([then(ask())])
    assert (await operator.hold(other)).verdict == "deny"
    assert (await operator.hold(ask())).verdict == "allow"


async def test_addresses_are_compared_as_they_were() -> None:
    saved = then(ask(url="http://127.0.0.1:1/book"))
    operator = SavedOperator([saved], moved=("http://127.0.0.1:1", "http://127.0.0.1:2"))
    assert (await operator.hold(ask(url="http://127.0.0.1:2/book"))).verdict == "allow"


async def test_a_stop_ends_it() -> None:
    operator = SavedOperator([then(ask())])
    operator.close("stopped")
    with pytest.raises(InboxClosed):
        await operator.hold(ask())
