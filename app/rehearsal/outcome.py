"""Compares what the demo site really saved with what a scenario expects; the model's claim stands apart from it."""

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from app.rehearsal.bookings import Booking, day_name
from app.rehearsal.scenario import ExpectedBooking, Scenario


class SavedBookings(Protocol):
    """A site that can be asked what it saved."""

    @property
    def bookings(self) -> list[Booking]:
        """All bookings, cancelled ones too."""


@dataclass(frozen=True)
class Outcome:
    """What is really there at the end of a run."""

    ok: bool
    """The site holds exactly the bookings that the scenario expects."""
    facts: list[str]
    """What the site saved, then what is missing or too much, in words for people."""
    claim: str
    """What the model said it had done; never used to judge."""


def check_outcome(scenario: Scenario, site: SavedBookings, *, claim: str | None = None) -> Outcome:
    """Ask the site. `claim` is the run's final message; without it the scenario's own wording stands there."""
    reserved = [booking for booking in site.bookings if booking.status == "reserved"]
    cancelled = [booking for booking in site.bookings if booking.status == "cancelled"]
    facts = [
        f"{_count(len(reserved))} saved: {'; '.join(map(_words, reserved))}" if reserved else "no booking was saved"
    ]
    if cancelled:
        facts.append(f"{_count(len(cancelled))} cancelled: {'; '.join(map(_words, cancelled))}")
    found = [_expected(booking) for booking in reserved]
    wanted = list(scenario.check.bookings)
    missing = _without(wanted, found)
    unexpected = _without(found, wanted)
    facts += [f"expected, but not there: {_words(booking)}" for booking in missing]
    facts += [f"there, but not expected: {_words(booking)}" for booking in unexpected]
    return Outcome(
        ok=not missing and not unexpected,
        facts=facts,
        claim=scenario.check.claim if claim is None else claim,
    )


def _expected(booking: Booking) -> ExpectedBooking:
    return ExpectedBooking(
        name=booking.name,
        guests=booking.guests,
        date=booking.date,
        time=booking.time,
        newsletter=booking.newsletter,
    )


def _without(some: list[ExpectedBooking], others: list[ExpectedBooking]) -> list[ExpectedBooking]:
    left = list(others)
    rest = []
    for booking in some:
        if booking in left:
            left.remove(booking)
        else:
            rest.append(booking)
    return rest


def _words(booking: Booking | ExpectedBooking) -> str:
    guests = "1 guest" if booking.guests == 1 else f"{booking.guests} guests"
    day = day_name(date.fromisoformat(booking.date)).split(" ", 1)[1]
    newsletter = ", with the newsletter" if booking.newsletter else ""
    return f"{booking.name}, {guests}, {day} {booking.time}{newsletter}"


def _count(number: int) -> str:
    return "1 booking" if number == 1 else f"{number} bookings"
