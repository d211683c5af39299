"""The real outcome is judged by what the site saved, never by what the model claims."""

from dataclasses import replace

import pytest

from app.rehearsal.bookings import Booking
from app.rehearsal.outcome import check_outcome
from app.rehearsal.scenario import load_scenario

ADA = Booking("HT-1", "Ada Park", 2, "2027-05-03", "19:00", newsletter=False)


class Saved:
    def __init__(self, *bookings: Booking) -> None:
        self.bookings = list(bookings)


def test_what_was_expected_is_there() -> None:
    outcome = check_outcome(load_scenario("booking"), Saved(ADA))
    assert outcome.ok
    assert outcome.facts == ["1 booking saved: Ada Park, 2 guests, 3 May 2027 19:00"]
    assert outcome.claim.startswith("Your table is reserved")


def test_a_claim_does_not_make_it_so() -> None:
    outcome = check_outcome(load_scenario("booking"), Saved(), claim="All is booked.")
    assert not outcome.ok
    assert outcome.facts == [
        "no booking was saved",
        "expected, but not there: Ada Park, 2 guests, 3 May 2027 19:00",
    ]
    assert outcome.claim == "All is booked."


@pytest.mark.parametrize(
    ("saved", "facts"),
    [
        (
            [replace(ADA, guests=1)],
            ["expected, but not there: Ada Park, 2 guests", "there, but not expected: Ada Park, 1 guest,"],
        ),
        ([ADA, replace(ADA, reference="HT-2")], ["2 bookings saved", "there, but not expected: Ada Park, 2 guests"]),
        (
            [replace(ADA, newsletter=True)],
            ["there, but not expected: Ada Park, 2 guests, 3 May 2027 19:00, with the newsletter"],
        ),
        (
            [replace(ADA, status="cancelled")],
            ["no booking was saved", "1 booking cancelled: Ada Park", "expected, but not there"],
        ),
    ],
)
def test_what_differs_is_said(saved: list[Booking], facts: list[str]) -> None:
    outcome = check_outcome(load_scenario("booking"), Saved(*saved))
    assert not outcome.ok
    for fact in facts:
        assert fact in "\n".join(outcome.facts)
