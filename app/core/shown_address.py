"""A web address taken apart for the eye: where it leads stands by itself, as a browser's own rules read it."""

from dataclasses import dataclass
from functools import lru_cache

import ada_url

from app.core.registrable import is_shared_suffix, registrable_domain
from app.core.untrusted import alphabet_warnings

_REMEMBERED_CHARS, _REMEMBERED = 1000, 256
"""A run asks about few pages, again and again; the few addresses that are longer are read each time."""

_SPECIAL = ("http:", "https:", "ws:", "wss:", "ftp:")


@dataclass(frozen=True, slots=True)
class ShownAddress:
    """An address in three parts that, joined, are the whole of it. Nothing of it is ever left out."""

    before_host: str
    """Such as ``https://``; with user information in it when there is some."""
    host: str
    """Host and port in ASCII (punycode); empty for addresses that have none."""
    after_host: str
    is_address: bool = True
    """False when no browser would take it for an address; then everything stands in `after_host`."""
    same_as_written: bool = True
    warnings: tuple[str, ...] = ()

    domain: str = ""
    """The part of `host` that somebody registered; empty where there is no such part."""

    @property
    def host_parts(self) -> tuple[str, str, str]:
        """Subdomains, the registrable domain and the port; joined they are `host`."""
        at = self.host.rfind(self.domain) if self.domain else 0
        end = at + len(self.domain) if self.domain else len(self.host)
        return self.host[:at], self.host[at:end], self.host[end:]

    @property
    def whole(self) -> str:
        """The address in one piece."""
        return self.before_host + self.host + self.after_host


def shown_address(written: str) -> ShownAddress:
    """Read `written` by the WHATWG rules, as Chromium does."""
    return _known(written) if len(written) <= _REMEMBERED_CHARS else _read(written)


def _read(written: str) -> ShownAddress:
    try:
        url = ada_url.URL(written)
    except (ValueError, UnicodeError):
        return ShownAddress("", "", written, is_address=False, warnings=("not an address that a browser can open",))
    whole, host = url.href, url.host
    same = whole in (written, written + "/")
    if not host:
        return ShownAddress(url.protocol, "", whole[len(url.protocol) :], True, same, _warnings(url))
    at = whole.index(host, len(url.protocol) + 2 + _userinfo_length(url))
    domain = registrable_domain(url.hostname) or ""
    return ShownAddress(whole[:at], host, whole[at + len(host) :], True, same, _warnings(url), domain)


_known = lru_cache(maxsize=_REMEMBERED)(_read)


def _userinfo_length(url: ada_url.URL) -> int:
    named = len(url.username) + (len(url.password) + 1 if url.password else 0)
    return named + 1 if named else 0


def _warnings(url: ada_url.URL) -> tuple[str, ...]:
    warnings = []
    if url.protocol not in ("http:", "https:"):
        warnings.append("not a web page's address" if url.protocol not in _SPECIAL else "an unusual kind of address")
    if url.username or url.password:
        warnings.append("a user name or password stands before the host")
    labels = url.hostname.split(".")
    if any(label.startswith("xn--") for label in labels):
        unicode_host = ada_url.idna_to_unicode(url.hostname)
        warnings.append("the host's letters are not plain Latin; shown in punycode")
        warnings.extend(alphabet_warnings(unicode_host))
    if is_shared_suffix(url.hostname):
        warnings.append("anybody can have a name under this host")
    return tuple(warnings)
