"""The bookings of the demo site: what is offered, what is accepted, what is saved. No HTTP and no pages."""

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Literal

from app.core.errors import RehearsalProblem

FIRST_DAY = date(2027, 5, 1)
DAYS = 7
TIMES = ("18:00", "18:30", "19:00", "19:30", "20:00", "21:00")
MOST_GUESTS = 8
CLOSED_WEEKDAY = 1
"""Tuesday, counted from Monday as 0."""
HOURS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Not the locale's names: Qt sets the locale, and outcomes must read the same everywhere.
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(frozen=True)
class Booking:
    """One booking as saved; cancelled ones stay in the list."""

    reference: str
    name: str
    guests: int
    date: str
    """ISO date."""
    time: str
    newsletter: bool
    status: Literal["reserved", "cancelled"] = "reserved"


class Bookings:
    """All bookings of one site, in order. With a file, what is in memory is in the file too.

    References are counted, days start at `first_day`: nothing here depends on the clock.
    """

    def __init__(self, *, first_day: date = FIRST_DAY, file: Path | None = None) -> None:
        self._lock = threading.Lock()
        self._file = file
        self._all: list[Booking] = []
        self.days = [first_day + timedelta(days=n) for n in range(DAYS)]
        if file is not None and file.exists():
            self._all = _read(file)

    def all(self) -> list[Booking]:
        """Every booking ever made."""
        with self._lock:
            return list(self._all)

    def find(self, reference: str) -> Booking | None:
        """The booking with this reference."""
        return next((booking for booking in self.all() if booking.reference == reference), None)

    def is_free(self, day: date, time: str) -> bool:
        """Whether the house is open and the time is not one of the days' full ones."""
        full = TIMES[(day.day * 2 + 1) % len(TIMES)]
        return day.weekday() != CLOSED_WEEKDAY and time != full

    def wrong_fields(self, form: Mapping[str, str]) -> dict[str, str]:
        """What is wrong with a form, by field, in words for the guest; empty when it can be saved."""
        wrong = {}
        if not form.get("name", "").strip():
            wrong["name"] = "Enter a name."
        guests = form.get("guests", "")
        if not (guests.isdecimal() and 1 <= int(guests) <= MOST_GUESTS):
            wrong["guests"] = f"Choose from 1 to {MOST_GUESTS} guests."
        day = next((day for day in self.days if day.isoformat() == form.get("date")), None)
        if day is None:
            wrong["date"] = "Choose one of the days on offer."
        if form.get("time") not in TIMES:
            wrong["time"] = "Choose a time."
        elif day is not None and not self.is_free(day, form["time"]):
            wrong["time"] = f"No table is free on {day_name(day)} at {form['time']}. Choose another time."
        return wrong

    def reserve(self, form: Mapping[str, str]) -> Booking:
        """Save a form that `wrong_fields` finds nothing wrong with."""
        with self._lock:
            booking = Booking(
                reference=f"HT-{len(self._all) + 1}",
                name=form["name"].strip(),
                guests=int(form["guests"]),
                date=form["date"],
                time=form["time"],
                newsletter=form.get("newsletter") == "yes",
            )
            self._all.append(booking)
            self._save()
        return booking

    def cancel(self, reference: str) -> Booking | None:
        """Mark a booking as cancelled; None when there is none with this reference."""
        with self._lock:
            for index, booking in enumerate(self._all):
                if booking.reference == reference:
                    self._all[index] = replace(booking, status="cancelled")
                    self._save()
                    return self._all[index]
        return None

    def as_json(self) -> list[dict[str, object]]:
        """The list as the site's API tells it."""
        return [asdict(booking) for booking in self.all()]

    def _save(self) -> None:
        if self._file is not None:
            text = json.dumps([asdict(booking) for booking in self._all], indent=2, ensure_ascii=False)
            self._file.write_text(text + "\n", encoding="utf-8")


def _read(file: Path) -> list[Booking]:
    try:
        return [Booking(**entry) for entry in json.loads(file.read_text(encoding="utf-8"))]
    except (ValueError, TypeError) as problem:
        raise RehearsalProblem(f"The demo site's bookings cannot be read ({problem}): {file}") from problem


def day_name(day: date) -> str:
    """As pages and outcomes write it: ``Monday 3 May 2027``."""
    return f"{HOURS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"
