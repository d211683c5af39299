"""Keeps every request that the scripted model got, in order, with equal long texts held in memory once."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "api-key", "cookie"})
LONG_CHARACTERS = 1024


@dataclass(frozen=True)
class RecordedRequest:
    """One request as it arrived, HTTP retries included."""

    number: int
    """Counted from 1 over both endpoints."""
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    """Lower-case names; without those that carry secrets."""
    query: str
    """What stands behind the address's question mark."""
    retry: int
    """The client's own count of its HTTP retries of this request."""

    @property
    def input(self) -> list[Any]:
        """The input list of a request to the Responses API; empty where there is none."""
        value = self.body.get("input")
        return value if isinstance(value, list) else []


class Record:
    """The list of requests; safe to read from any thread while the server adds to it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: list[RecordedRequest] = []
        # Every request repeats all pictures sent before it: as equal but separate strings they would fill the memory.
        self._long_texts: dict[str, str] = {}

    def add(self, path: str, body: dict[str, Any], headers: Mapping[str, str], query: str = "") -> RecordedRequest:
        """Append a request and return it."""
        retry = headers.get("x-stainless-retry-count", "0")
        kept = {name.lower(): value for name, value in headers.items() if name.lower() not in SECRET_HEADERS}
        with self._lock:
            request = RecordedRequest(
                number=len(self._requests) + 1,
                path=path,
                body=self._shared(body),
                headers=kept,
                query=query,
                retry=int(retry) if retry.isdecimal() else 0,
            )
            self._requests.append(request)
        return request

    def all(self) -> list[RecordedRequest]:
        """What has arrived up to now."""
        with self._lock:
            return list(self._requests)

    def _shared(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._long_texts.setdefault(value, value) if len(value) > LONG_CHARACTERS else value
        if isinstance(value, dict):
            return {key: self._shared(entry) for key, entry in value.items()}
        if isinstance(value, list):
            return [self._shared(entry) for entry in value]
        return value
