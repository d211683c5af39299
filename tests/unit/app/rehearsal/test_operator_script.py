"""The scripted operator answers by the first entry that fits, and always as scripted."""

from typing import Any

from app.core.ask import Ask
from app.core.value import call_digest
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.scenario import OperatorEntry, OperatorScript


def ask(member: str, arguments: Any, *, kind: Any = "browser_action") -> Ask:
    digest = call_digest(member, arguments)
    return Ask(
        ask_id="a", kind=kind, source="browser", call_id="c", turn=1, member=member, arguments=arguments, digest=digest
    )


def test_without_an_entry_that_fits_the_default_answers() -> None:
    operator = ScriptedOperator(OperatorScript(default="allow"))
    answer = operator.answer(ask("click", {}))
    assert (answer.verdict, answer.by, answer.note) == ("allow", "scripted", "")
    assert answer.shown_digest == ask("click", {}).digest


def test_a_script_that_says_nothing_denies() -> None:
    assert ScriptedOperator(OperatorScript()).answer(ask("click", {})).verdict == "deny"


def test_an_entry_is_used_as_often_as_it_says() -> None:
    entry = OperatorEntry(member="click", answer="deny", note="Not yet.", times=1)
    operator = ScriptedOperator(OperatorScript(default="allow", answers=(entry,)))
    answers = [operator.answer(ask(member, {})) for member in ("type", "click", "click")]
    assert [answer.verdict for answer in answers] == ["allow", "deny", "allow"]
    assert answers[1].note == "Not yet."


def test_kind_and_arguments_must_fit_too() -> None:
    entries = (
        OperatorEntry(kind="navigation", answer="stop"),
        OperatorEntry(member="type", arguments='"text":"Ada', answer="deny"),
    )
    operator = ScriptedOperator(OperatorScript(default="allow", answers=entries))
    assert operator.answer(ask("navigate", {"url": "x"}, kind="navigation")).verdict == "stop"
    assert operator.answer(ask("type", {"text": "Ada Park"})).verdict == "deny"
    assert operator.answer(ask("type", {"text": "Bea"})).verdict == "allow"
