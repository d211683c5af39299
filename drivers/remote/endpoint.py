"""Where somebody else's browser or desktop listens, what proves who asks, and when that may go in the clear."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import ssl
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

CONNECT_SECS = 20.0
PORTS = {"ws": 80, "http": 80, "wss": 443, "https": 443, "vnc": 5900}
_OVER_TLS = ("wss", "https")

NOT_ENCRYPTED = (
    "{where} would be reached without encryption, so anybody on the way could see and change what is done there. "
    "Use a wss:// or https:// address, an SSH tunnel to 127.0.0.1, or say allow_plain = true."
)


class RemoteMissing(RuntimeError):
    """Somebody else's browser or desktop cannot be had, in words for people. Nothing was done there."""


@dataclass(frozen=True)
class Secret:
    """Proves who asks. Never part of an address, a message or a log line."""

    value: str = field(repr=False)
    sent_as: str = "bearer"
    """``bearer``, ``basic`` (the value is ``user:password``), ``header:NAME`` or ``query:NAME``."""

    def header(self) -> str:
        """The line to add to a request; empty where it goes elsewhere."""
        kind, _, name = self.sent_as.partition(":")
        if kind == "bearer":
            return f"Authorization: Bearer {self.value}"
        if kind == "basic":
            return f"Authorization: Basic {b64encode(self.value.encode()).decode()}"
        return f"{name}: {self.value}" if kind == "header" else ""

    def query(self) -> str:
        """The parameter to add to a path; empty where it goes elsewhere."""
        kind, _, name = self.sent_as.partition(":")
        return f"{quote(name)}={quote(self.value, safe='')}" if kind == "query" else ""


@dataclass(frozen=True)
class Endpoint:
    """One address. It holds no secret of its own: a name and password, or a query, in it are refused."""

    scheme: str
    host: str
    port: int
    path: str
    certificate: Path | None = None
    """The only certificate, or authority, that is trusted; None: those that this machine trusts."""
    secret: Secret | None = None
    user: str = ""
    """For a desktop whose server wants a name, too."""
    allow_plain: bool = False
    """Without encryption also to another machine."""

    @classmethod
    def at(
        cls, address: str, *, schemes: tuple[str, ...], certificate: Path | None = None, secret: Secret | None = None,
        user: str = "", allow_plain: bool = False,
    ) -> Endpoint:  # fmt: skip
        """Raises :class:`RemoteMissing` for what is no such address."""
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if not host or parts.scheme not in schemes:
            raise RemoteMissing(f"The address has to begin with {' or '.join(f'{one}://' for one in schemes)}.")
        if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
            raise RemoteMissing("The address must hold no name, password or token: those are kept in the key store.")
        if secret is not None and any(ord(letter) < 0x20 for letter in secret.value):
            raise RemoteMissing("The secret holds a line break or another control character.")
        path = parts.path.rstrip("/")
        number = PORTS[parts.scheme] if port is None else port
        return cls(parts.scheme, host, number, path, certificate, secret, user, allow_plain)

    @property
    def over_tls(self) -> bool:
        """Whether the address itself says that everything is encrypted."""
        return self.scheme in _OVER_TLS

    @property
    def is_loopback(self) -> bool:
        """Whether it is this machine."""
        return is_loopback(self.host)

    @property
    def authority(self) -> str:
        """Host and port, as in an address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def place(self) -> str:
        """What a secret is kept for: this host and port, and in the clear only where that was said of it."""
        return f"{self.authority} (not encrypted)" if self.is_plain_elsewhere and self.allow_plain else self.authority

    @property
    def is_plain_elsewhere(self) -> bool:
        """Whether what is done there can be seen and changed on the way."""
        return not self.over_tls and not self.is_loopback

    def require_encryption(self) -> None:
        """Raises :class:`RemoteMissing` where it would go to another machine in the clear and nobody said so."""
        if self.is_plain_elsewhere and not self.allow_plain:
            raise RemoteMissing(NOT_ENCRYPTED.format(where=self.authority))

    def tls(self) -> ssl.SSLContext:
        """What checks the certificate and the host's name; neither can be left out."""
        try:
            context = ssl.create_default_context(cafile=self.certificate)
        except (OSError, ssl.SSLError) as problem:
            raise RemoteMissing(f"The certificate {self.certificate} cannot be read.") from problem
        if self.certificate is not None:
            # A server's own certificate may be named, not only the authority that signed it.
            context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        return context

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection, encrypted and checked where the address says so. Raises :class:`RemoteMissing`."""
        self.require_encryption()
        return await self._opened(self.tls() if self.over_tls else None)

    async def connect_bare(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """The connection alone, where encryption is agreed on within it. Raises :class:`RemoteMissing`."""
        return await self._opened(None)

    async def _opened(self, tls: ssl.SSLContext | None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            reader, writer = await asyncio.wait_for(
                asyncio.open_connection(self.host, self.port, ssl=tls, limit=1 << 20), CONNECT_SECS
            )
        except ssl.SSLCertVerificationError as wrong:
            raise RemoteMissing(untrusted(self.authority, wrong)) from wrong
        except ssl.SSLError as wrong:
            raise RemoteMissing(f"{self.authority} does not speak TLS as it has to.") from wrong
        except (OSError, TimeoutError, UnicodeError) as wrong:
            raise RemoteMissing(f"{self.authority} cannot be reached ({type(wrong).__name__}).") from wrong
        if tls is None and self.is_loopback and not is_loopback(writer.get_extra_info("peername")[0]):
            # A name such as localhost says what it should be, not what it is.
            writer.close()
            raise RemoteMissing(NOT_ENCRYPTED.format(where=self.authority))
        return reader, writer

    async def probe(self) -> None:
        """Connect and hang up, sending nothing. Raises :class:`RemoteMissing`."""
        _, writer = await (self.connect_bare() if self.scheme == "vnc" else self.connect())
        writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            await asyncio.wait_for(writer.wait_closed(), CONNECT_SECS)


def untrusted(authority: str, wrong: ssl.SSLCertVerificationError) -> str:
    """Why a certificate was not taken, in words."""
    return f"The certificate of {authority} is not trusted ({wrong.verify_message})."


def is_loopback(host: str) -> bool:
    """Whether a host, as it stands in an address, is this machine."""
    try:
        return ipaddress.ip_address(host.split("%", 1)[0]).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
