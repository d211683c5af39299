"""Requests are kept in order, without secrets, and with each long text in memory once."""

from app.rehearsal.record import LONG_CHARACTERS, Record


def test_equal_long_texts_are_kept_once() -> None:
    record = Record()
    for _ in range(2):
        record.add("/v1/responses", {"input": [{"image_url": "x" * (LONG_CHARACTERS + 1)}]}, {})
    first, second = (request.input[0]["image_url"] for request in record.all())
    assert first is second


def test_secrets_are_not_kept_and_names_are_lower_case() -> None:
    headers = {"Authorization": "Bearer x", "Cookie": "y", "X-Stainless-Retry-Count": "2", "User-Agent": "z"}
    request = Record().add("/v1/responses", {}, headers)
    assert request.headers == {"x-stainless-retry-count": "2", "user-agent": "z"}


def test_a_list_that_was_handed_out_does_not_grow() -> None:
    record = Record()
    before = record.all()
    record.add("/v1/decisions", {"input": "text"}, {})
    assert before == []
    assert record.all()[0].input == []
