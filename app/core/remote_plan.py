"""The tables ``remote`` of a run file: a browser or a desktop that runs elsewhere and belongs to somebody else."""

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from app.core.value import Frozen

SecretName = Annotated[str, Field(min_length=1, max_length=100)]
SENT_AS = re.compile(r"(bearer|basic|header:[A-Za-z0-9-]+|query:[A-Za-z0-9_.~-]+)\Z")


def _address(address: str, schemes: tuple[str, ...]) -> str:
    """The address as it stands, if it may stand in a record."""
    try:
        parts = urlsplit(address)
        there = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        there = False
    if not there:
        raise ValueError(f"it has to begin with {' or '.join(f'{scheme}://' for scheme in schemes)}, then a host")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("no name, password, token or query in it: keep them with `signalbox secret`")
    return address


class RemoteBrowserPlan(Frozen):
    """A browser that is attached to: the run has a context of its own in it and leaves everything else as it is."""

    via: Literal["cdp", "playwright"]
    """Chromium's own debugging port, or a server of Playwright."""
    address: str
    secret: SecretName | None = None
    """The name under which the key store of this machine keeps what proves who asks."""
    secret_as: str = "bearer"
    """``bearer``, ``basic`` (the secret is ``user:password``), ``header:NAME``, ``query:NAME``."""
    certificate: Annotated[str, Field(min_length=1)] | None = None
    """A PEM file: the only certificate or authority that is trusted."""
    allow_plain: bool = False
    """Without encryption also to another machine."""

    @field_validator("address")
    @classmethod
    def _of_a_browser(cls, address: str) -> str:
        return _address(address, ("https", "http", "wss", "ws"))

    @field_validator("secret_as")
    @classmethod
    def _known_way(cls, way: str) -> str:
        if SENT_AS.match(way) is None:
            raise ValueError("it is bearer, basic, header:NAME or query:NAME")
        return way


class RemoteDesktopPlan(Frozen):
    """A desktop that a VNC server shows."""

    address: str
    user: str = ""
    """Where the server wants a name beside the secret."""
    secret: SecretName | None = None
    """The name under which the key store of this machine keeps its password."""
    certificate: Annotated[str, Field(min_length=1)] | None = None
    """A PEM file: the only certificate or authority that is trusted."""
    allow_plain: bool = False
    """Without encryption also to another machine."""
    any_letter: bool = False
    """The server gives every program any letter, also those that its keyboard lacks."""

    @field_validator("address")
    @classmethod
    def _of_a_desktop(cls, address: str) -> str:
        return _address(address, ("vnc",))
