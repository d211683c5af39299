"""The part of a host that somebody registered: what stands before it costs nothing and proves nothing."""

import ipaddress
from functools import lru_cache

from publicsuffixlist import PublicSuffixList


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    # With its private part: pages under github.io or a cloud's name belong to many, each to whoever took the name.
    return PublicSuffixList()


def registrable_domain(hostname: str) -> str | None:
    """``example.co.uk`` of ``shop.example.co.uk``; None for an address in numbers, or a suffix that is nobody's own.

    `hostname` in lower-case ASCII, without a port. A name of one label is its own.
    """
    name = hostname.rstrip(".")
    if _is_number(name):
        return None
    if "." not in name:
        return name or None
    found: str | None = _suffixes().privatesuffix(name)
    return found


def is_shared_suffix(hostname: str) -> bool:
    """Whether the whole host is a suffix under which anybody can register."""
    name = hostname.rstrip(".")
    return "." in name and not _is_number(name) and registrable_domain(name) is None


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
