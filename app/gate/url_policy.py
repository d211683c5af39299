"""What an address really is: one WHATWG parser, and the addresses that are refused before anybody is asked."""

import ipaddress
import re
import unicodedata
from dataclasses import dataclass, field

import ada_url

LONG_CHARACTERS = 2000
"""Longer than any address that a person reads to its end."""

INTERNAL_ENDINGS = (".local", ".internal", ".lan", ".home", ".corp", ".intranet", ".localhost")
"""Names that only mean something inside one network. A name of one label is another."""

_BEGINNING = re.compile(r"https?://[^/\\]", re.IGNORECASE)
_AUTHORITY = re.compile(r"[^:]*://([^/?#]*)")
_ADDRESS_INSIDE = re.compile(r"https?(:|%3a)(/|%2f){2}", re.IGNORECASE)
_UNSEEN = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})


@dataclass(frozen=True)
class Address:
    """An address as a browser understands it. `refused` says why it is never opened, or is None."""

    raw: str
    href: str
    origin: str
    hostname: str
    refused: str | None = None
    private: bool = False
    """The host is an address of this machine or of a private network, or a name that only such a network knows."""
    odd: tuple[str, ...] = field(default=())
    """What a person must look at before it is opened: no rule of a run file may allow it unseen."""


def read_address(raw: str) -> Address:
    """Parse `raw` as a browser does and say whether it may be opened at all.

    Source of the rules: the WHATWG URL standard for parsing; only http, https and about:blank, no credentials, nothing
    that a browser drops or reads as something else.
    """
    if raw == "about:blank":
        return Address(raw, raw, "", "")
    if (words := _unreadable(raw)) is not None:
        return Address(raw, "", "", "", words)
    try:
        url = ada_url.URL(raw)
    except ValueError:
        return Address(raw, "", "", "", "it is not a whole address")
    if url.protocol not in ("http:", "https:"):
        return Address(raw, url.href, "", url.hostname, "only http and https addresses are opened")
    written = _AUTHORITY.match(raw)
    host_as_written = written.group(1) if written else ""
    if not _BEGINNING.match(raw):
        words = "it does not begin with two slashes, which browsers add or take away"
    elif url.username or url.password or "@" in host_as_written:
        words = "it carries a user name or password"
    elif "xn--" in url.hostname.split("."):
        words = "its host is not a name"
    return Address(
        raw, url.href, url.origin, url.hostname, words, _is_private(url.hostname), _oddities(raw, host_as_written, url)
    )


def origin_of(url: str) -> str:
    """The origin of an http(s) address, or an empty string."""
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return ""
    return parsed.origin if parsed.protocol in ("http:", "https:") else ""


def _unreadable(raw: str) -> str | None:
    if raw != raw.strip() or any(unicodedata.category(letter) in _UNSEEN for letter in raw):
        return "it holds control characters, line ends, outer spaces, or what is no text"
    if "\\" in raw:
        return "it holds a backslash, which browsers read as a slash"
    return None


def _oddities(raw: str, host_as_written: str, url: ada_url.URL) -> tuple[str, ...]:
    labels = url.hostname.rstrip(".").split(".")
    found = {
        "characters that cannot be seen": any(unicodedata.category(letter) == "Cf" for letter in raw),
        "a host that is not written in plain Latin letters": not host_as_written.isascii()
        or any(label.startswith("xn--") for label in labels),
        "a dot at the end of the host": url.hostname.endswith("."),
        "an unusual host name": any(not 1 <= len(label) <= 63 or "-" in (label[0], label[-1]) for label in labels),
        "another address within it": _ADDRESS_INSIDE.search(url.search + url.hash) is not None,
        f"more than {LONG_CHARACTERS} characters": len(raw) > LONG_CHARACTERS,
    }
    return tuple(words for words, there in found.items() if there)


def _is_private(hostname: str) -> bool:
    name = hostname.rstrip(".")
    try:
        address = ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return "." not in name or name.endswith(INTERNAL_ENDINGS)
    return not address.is_global or address.is_multicast
