"""How requests to services leave: by the proxies that the environment names, and to this machine itself by none."""

import ipaddress
import os
from urllib.parse import urlsplit

import httpx2

from app.core.errors import MissingHere

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


def by_proxy(url: str | None) -> bool:
    """Whether the environment has a say in how `url` is reached; None is the service's own address.

    A proxy cannot reach this machine's own services, and would be told what is sent to them.
    """
    try:
        parts = urlsplit(url or "")
        host = parts.hostname or ""
    except ValueError:
        return True
    if parts.scheme != "http":
        return True
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.rstrip(".").casefold() != "localhost"


def require_way_out(url: str | None) -> None:
    """See that what the environment says of proxies can be used for `url`.

    Raises:
        MissingHere: it cannot; names the variables, never what is in them, which may hold a password.
    """
    # As the HTTP client reads them: whatever the case of their letters.
    set_here = {name.upper() for name, value in os.environ.items() if value}
    named = [name for name in PROXY_VARIABLES if name in set_here]
    if not named or not by_proxy(url):
        return
    try:
        httpx2.Client().close()
    except ImportError as error:
        raise MissingHere(f"{_of(named)} names a SOCKS proxy, which needs the Python package socksio") from error
    except (ValueError, httpx2.InvalidURL) as error:
        raise MissingHere(f"{_of(named)} names a proxy whose address is none") from error


def _of(names: list[str]) -> str:
    return " or ".join(names)
