"""The pages of the demo site as HTML text, made from the templates in ``resources/site``."""

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from html import escape
from string import Template

from app.paths import resource_text
from app.rehearsal.bookings import CLOSED_WEEKDAY, HOURS, MOST_GUESTS, TIMES, Booking, Bookings, day_name

Form = Mapping[str, str]

FIELDS = ("name", "guests", "date", "time")


@cache
def resource(name: str) -> str:
    """The text of one file of the site."""
    return resource_text(f"site/{name}")


def tables_page(bookings: Bookings) -> str:
    """The first page: days and times, each with a button that opens the form."""
    times = "".join(f'<th scope="col">{time}</th>' for time in TIMES)
    rows = "\n".join(_table_row(bookings, day) for day in bookings.days)
    return _page("Tables", "tables.html", times=times, rows=rows)


def form_page(bookings: Bookings, form: Form, wrong: Mapping[str, str]) -> str:
    """The booking form with what was filled in, and what is wrong with it."""
    days = [(day.isoformat(), day_name(day)) for day in bookings.days if day.weekday() != CLOSED_WEEKDAY]
    guests = [(str(n), f"{n} guest" if n == 1 else f"{n} guests") for n in range(1, MOST_GUESTS + 1)]
    return _page(
        "Book a table",
        "book.html",
        alert=_alert(wrong.values()) if wrong else "",
        name=escape(form.get("name", "")),
        guests=_options(guests, form.get("guests", ""), "Choose the number of guests"),
        dates=_options(days, form.get("date", ""), "Choose a day"),
        times=_options([(time, time) for time in TIMES], form.get("time", ""), "Choose a time"),
        newsletter=" checked" if form.get("newsletter") == "yes" else "",
        **{f"{field}_class": "wrong" if field in wrong else "right" for field in FIELDS},
    )


def booking_page(booking: Booking) -> str:
    """The confirmation, or the word that the booking was cancelled."""
    if booking.status == "cancelled":
        return _page("Booking cancelled", "cancelled.html", reference=booking.reference, facts=_facts(booking))
    return _page(
        "Table reserved",
        "booking.html",
        name=escape(booking.name),
        reference=booking.reference,
        facts=_facts(booking),
    )


def cancel_page(booking: Booking) -> str:
    """The question before a booking is cancelled."""
    return _page("Cancel this booking?", "cancel.html", reference=booking.reference, facts=_facts(booking))


def hours_page() -> str:
    """Opening hours of the week."""
    rows = "\n".join(
        f'<tr><th scope="row">{name}</th>'
        + ("<td>closed</td><td></td></tr>" if n == CLOSED_WEEKDAY else "<td>17:30 to 23:00</td><td>22:00</td></tr>")
        for n, name in enumerate(HOURS)
    )
    return _page("Opening hours", "hours.html", rows=rows)


def help_page() -> str:
    """Questions and answers."""
    return _page("Help", "help.html")


def missing_page() -> str:
    """For any other address."""
    return _page("Not found", "missing.html")


def _page(title: str, template: str, **values: str) -> str:
    content = Template(resource(template)).substitute(values)
    return Template(resource("layout.html")).substitute(title=escape(title), content=content)


def _table_row(bookings: Bookings, day: date) -> str:
    cells = "".join(f"<td>{_table_cell(bookings, day, time)}</td>" for time in TIMES)
    return f'<tr><th scope="row">{day_name(day)}</th>{cells}</tr>'


def _table_cell(bookings: Bookings, day: date, time: str) -> str:
    if day.weekday() == CLOSED_WEEKDAY:
        return '<span class="full">closed</span>'
    if not bookings.is_free(day, time):
        return '<span class="full">full</span>'
    return (
        '<form method="get" action="/book">'
        f'<input type="hidden" name="date" value="{day.isoformat()}"><input type="hidden" name="time" value="{time}">'
        f'<button type="submit" class="quiet" aria-label="Book {day_name(day)} at {time}">Book</button></form>'
    )


def _options(options: Iterable[tuple[str, str]], chosen: str, prompt: str) -> str:
    return "".join(
        f'<option value="{value}"{" selected" if value == chosen else ""}>{text}</option>'
        for value, text in [("", prompt), *options]
    )


def _alert(messages: Iterable[str]) -> str:
    entries = "".join(f"<li>{escape(message)}</li>" for message in messages)
    return f'<div class="alert" role="alert"><strong>The booking was not saved.</strong><ul>{entries}</ul></div>'


def _facts(booking: Booking) -> str:
    facts = {
        "Reference": booking.reference,
        "Name": booking.name,
        "Guests": str(booking.guests),
        "Date": day_name(date.fromisoformat(booking.date)),
        "Time": booking.time,
        "Newsletter": "yes" if booking.newsletter else "no",
    }
    return "<dl>" + "".join(f"<dt>{key}</dt><dd>{escape(value)}</dd>" for key, value in facts.items()) + "</dl>"
