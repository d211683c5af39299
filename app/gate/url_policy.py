"""What an address really is: one WHATWG parser, and the addresses that are refused before anybody is asked."""

import ipaddress
from dataclasses import dataclass

import ada_url


@dataclass(frozen=True)
class Address:
    """An address as a browser understands it. `refused` says why it is never opened, or is None."""

    raw: str
    href: str
    origin: str
    hostname: str
    refused: str | None = None
    private: bool = False
    """The host is an address of this machine or of a private network."""


def read_address(raw: str) -> Address:
    """Parse `raw` as a browser does and say whether it may be opened at all.

    Source of the rules: the WHATWG URL standard for parsing; only http and https, no credentials, no hidden characters.
    """
    if any(ord(letter) < 0x20 or ord(letter) == 0x7F for letter in raw) or raw != raw.strip():
        return Address(raw, "", "", "", "it holds control characters or outer spaces")
    if not raw.isprintable():
        return Address(raw, "", "", "", "it holds characters that cannot be seen")
    if "\\" in raw:
        return Address(raw, "", "", "", "it holds a backslash, which browsers read as a slash")
    try:
        url = ada_url.URL(raw)
    except ValueError:
        return Address(raw, "", "", "", "it is not a whole address")
    if url.protocol not in ("http:", "https:"):
        return Address(raw, url.href, "", url.hostname, "only http and https addresses are opened")
    if url.username or url.password:
        return Address(raw, url.href, url.origin, url.hostname, "it carries a user name or password")
    return Address(raw, url.href, url.origin, url.hostname, None, _is_private(url.hostname))


def origin_of(url: str) -> str:
    """The origin of an http(s) address, or an empty string."""
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return ""
    return parsed.origin if parsed.protocol in ("http:", "https:") else ""


def _is_private(hostname: str) -> bool:
    if hostname == "localhost" or hostname.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(hostname.strip("[]"))
    except ValueError:
        return False
    return not address.is_global
