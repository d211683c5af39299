"""Which step a request gets: errors first, then the answer; a retry gets what was given already."""

from app.rehearsal.scenario import Fault
from app.rehearsal.script import Script

LIMIT = Fault(status=429)


def test_each_step_is_given_once_and_then_there_are_none() -> None:
    script = Script[str]([("a", 1, ()), ("b", 2, ())])
    given = [turn.step if (turn := script.take({"n": n}, retry=False)) else None for n in range(4)]
    assert given == ["a", "b", "b", None]


def test_errors_come_first_and_do_not_use_up_the_answer() -> None:
    script = Script[str]([("a", 1, (LIMIT, LIMIT))])
    turns = [script.take({"n": n}, retry=False) for n in range(3)]
    assert [turn.fault for turn in turns if turn] == [LIMIT, LIMIT, None]
    assert {turn.index for turn in turns if turn} == {0}


def test_a_retry_after_an_error_gets_the_next_of_the_same_step() -> None:
    script = Script[str]([("a", 1, (LIMIT,)), ("b", 1, ())])
    script.take({"n": 1}, retry=False)
    turn = script.take({"n": 1}, retry=True)
    assert turn is not None
    assert (turn.step, turn.fault, turn.again) == ("a", None, False)


def test_a_retry_of_what_was_answered_gets_the_answer_again() -> None:
    script = Script[str]([("a", 1, ()), ("b", 1, ())])
    script.take({"n": 1}, retry=False)
    turn = script.take({"n": 1}, retry=True)
    assert turn is not None
    assert (turn.step, turn.again) == ("a", True)
    after = script.take({"n": 2}, retry=False)
    assert after is not None
    assert after.step == "b"


def test_a_new_body_is_no_repetition_even_when_marked_as_a_retry() -> None:
    script = Script[str]([("a", 1, ()), ("b", 1, ())])
    script.take({"n": 1}, retry=False)
    turn = script.take({"n": 2}, retry=True)
    assert turn is not None
    assert turn.step == "b"
