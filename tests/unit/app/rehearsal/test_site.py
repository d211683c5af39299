"""The demo site by plain HTTP: it saves what is booked, refuses what is wrong, and can be asked."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import httpx2
import pytest

from app.core.errors import RehearsalProblem
from app.rehearsal.site import DemoSite

GOOD = {"name": "Ada Park", "guests": "2", "date": "2027-05-03", "time": "19:00"}


@pytest.fixture
def site() -> Iterator[DemoSite]:
    demo = DemoSite()
    yield demo
    demo.stop()


@pytest.fixture
def client(site: DemoSite) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=site.start(), trust_env=False, follow_redirects=True) as opened:
        yield opened


def test_a_booking_is_saved_confirmed_and_told(site: DemoSite, client: httpx2.Client) -> None:
    page = client.post("/book", data=GOOD)
    assert page.url.path == "/bookings/HT-1"
    assert "Your table is reserved" in page.text
    expected = {**GOOD, "reference": "HT-1", "guests": 2, "newsletter": False, "status": "reserved"}
    assert client.get("/api/bookings").json() == [expected]
    assert site.bookings[0].name == "Ada Park"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"name": "  "}, "Enter a name."),
        ({"guests": "9"}, "Choose from 1 to 8 guests."),
        ({"guests": "two"}, "Choose from 1 to 8 guests."),
        ({"date": "2026-01-01"}, "Choose one of the days on offer."),
        ({"time": ""}, "Choose a time."),
        ({"time": "18:30"}, "No table is free on Monday 3 May 2027 at 18:30."),
        ({"date": "2027-05-04"}, "No table is free on Tuesday 4 May 2027"),
    ],
)
def test_a_wrong_form_is_not_saved_and_keeps_what_was_filled_in(
    site: DemoSite, client: httpx2.Client, change: dict[str, str], complaint: str
) -> None:
    page = client.post("/book", data={**GOOD, **change})
    assert page.status_code == 422
    assert complaint in page.text
    assert 'role="alert"' in page.text
    assert site.bookings == []
    assert ('value="Ada Park"' in page.text) == ("name" not in change)


def test_a_name_is_shown_as_text_only(client: httpx2.Client) -> None:
    page = client.post("/book", data={**GOOD, "name": "<b>Ada</b>"})
    assert "&lt;b&gt;Ada&lt;/b&gt;" in page.text
    assert "<b>" not in page.text


def test_the_newsletter_is_off_unless_it_is_chosen(site: DemoSite, client: httpx2.Client) -> None:
    assert "checked" not in client.get("/book").text
    client.post("/book", data={**GOOD, "newsletter": "yes"})
    assert site.bookings[0].newsletter


def test_cancelling_asks_first(site: DemoSite, client: httpx2.Client) -> None:
    client.post("/book", data=GOOD)
    assert "Yes, cancel the booking" in client.get("/bookings/HT-1/cancel").text
    assert [booking.status for booking in site.bookings] == ["reserved"]
    assert "The booking HT-1 is cancelled." in client.post("/bookings/HT-1/cancel").text
    assert [booking.status for booking in site.bookings] == ["cancelled"]


@pytest.mark.parametrize("path", ["/", "/book", "/hours", "/help"])
def test_every_page_has_a_heading_and_asks_nothing_of_the_network(client: httpx2.Client, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 200
    assert page.text.count("<h1>") == 1
    assert "http" not in page.text
    assert "$" not in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/nothing", "/bookings/HT-9", "/bookings/HT-9/cancel"])
def test_what_is_not_there_is_a_page_that_says_so(client: httpx2.Client, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 404
    assert "nothing at this address" in page.text


def test_cancelling_what_is_not_there_changes_nothing(site: DemoSite, client: httpx2.Client) -> None:
    assert client.post("/bookings/HT-9/cancel").status_code == 404
    assert site.bookings == []


def test_other_hosts_are_not_served(client: httpx2.Client) -> None:
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400


def test_a_file_keeps_the_bookings(tmp_path: Path) -> None:
    file = tmp_path / "bookings.json"
    for expected in ("HT-1", "HT-2"):
        site = DemoSite(file=file)
        with httpx2.Client(base_url=site.start(), trust_env=False) as client:
            client.post("/book", data=GOOD)
        site.stop()
        assert site.bookings[-1].reference == expected


def test_a_file_that_is_no_list_of_bookings_is_named(tmp_path: Path) -> None:
    file = tmp_path / "bookings.json"
    file.write_text("[{}]")
    with pytest.raises(RehearsalProblem, match=r"cannot be read .*bookings\.json"):
        DemoSite(file=file)


def test_the_days_on_offer_are_given_not_taken_from_the_clock() -> None:
    site = DemoSite(first_day=date(2030, 1, 1))
    with httpx2.Client(base_url=site.start(), trust_env=False) as client:
        assert "Tuesday 1 January 2030" in client.get("/").text
    site.stop()
