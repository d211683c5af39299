"""Addresses and origins as a run file must write them: what could never be opened, or never match, is refused there."""

import re
from typing import Annotated

from pydantic import AfterValidator

_ORIGIN = re.compile(r"(https?)://(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:]+\])(?::([1-9][0-9]*))?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_ADDRESS = re.compile(r"https?://[^/]", re.IGNORECASE)


def _origin(text: str) -> str:
    written = _ORIGIN.fullmatch(text)
    if written is None or written[2] == _DEFAULT_PORTS[written[1]]:
        # Compared letter for letter with what a browser says: a rule that denies would deny nothing.
        raise ValueError(
            "an origin is https://host or https://host:port as a browser writes it: small letters (xn--… for other "
            "scripts), no port that is the usual one, and nothing after it, not even a slash"
        )
    return text


def _address(text: str) -> str:
    if text != "about:blank" and not _ADDRESS.match(text):
        raise ValueError("must be a whole address that begins with https:// or http://")
    return text


Origin = Annotated[str, AfterValidator(_origin)]
"""Scheme, host and port as a browser writes them."""

PageAddress = Annotated[str, AfterValidator(_address)]
"""An address that could be opened; whether it may be is asked, or judged, when it is."""
