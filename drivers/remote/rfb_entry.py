"""How a VNC server is entered: the version, encryption with the server checked, and the password."""

from __future__ import annotations

import asyncio
import re
import ssl
import struct

from drivers.remote.des import encrypted
from drivers.remote.endpoint import Endpoint, RemoteMissing, untrusted

_NONE, _PASSWORD, _VENCRYPT = 1, 2, 19
X509_NONE, X509_PASSWORD, X509_PLAIN = 260, 261, 262
VERSION = b"RFB 003.008\n"
NO_TLS = (
    "{where} offers no encryption with a certificate (VeNCrypt, X509), so anybody on the way could see and change "
    "what is done there. Use an SSH tunnel to 127.0.0.1, or say allow_plain = true."
)

Ways = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def enter(endpoint: Endpoint, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Come in, up to where the desktop is shared; whether everything from here on is encrypted.

    Raises :class:`RemoteMissing`.
    """
    try:
        return await _entered(endpoint, reader, writer)
    except ssl.SSLCertVerificationError as wrong:
        raise RemoteMissing(untrusted(endpoint.authority, wrong)) from wrong
    except (OSError, asyncio.IncompleteReadError, struct.error) as wrong:
        raise RemoteMissing(f"{endpoint.authority} does not speak as a VNC server does.") from wrong


async def _entered(endpoint: Endpoint, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    said = re.fullmatch(rb"RFB (\d{3})\.(\d{3})\n", await reader.readexactly(12))
    if said is None:
        raise RemoteMissing(f"{endpoint.authority} does not speak as a VNC server does.")
    if (int(said[1]), int(said[2])) < (3, 8):
        raise RemoteMissing(f"{endpoint.authority} speaks a VNC older than version 3.8, from 2007.")
    writer.write(VERSION)
    kinds = set(await reader.readexactly((await reader.readexactly(1))[0]))
    if not kinds:
        raise RemoteMissing(f"{endpoint.authority} lets nobody in just now.")
    if _VENCRYPT in kinds and (offered := await _subtypes(endpoint, reader, writer, kinds)):
        kind = _best(endpoint, offered)
        writer.write(struct.pack(">I", kind))
        if await reader.readexactly(1) != b"\1":
            raise RemoteMissing(f"{endpoint.authority} takes back the encryption that it offered.")
        await writer.start_tls(endpoint.tls(), server_hostname=endpoint.host)
    else:
        kind = _in_the_clear(endpoint, kinds)
        writer.write(bytes([kind]))
    await _prove(endpoint, kind, reader, writer)
    if struct.unpack(">I", await reader.readexactly(4))[0] != 0:
        words = "it wants a password" if endpoint.secret is None else "its password, or the name, is wrong"
        raise RemoteMissing(f"{endpoint.authority} lets nobody in: {words}.")
    return kind in (X509_NONE, X509_PASSWORD, X509_PLAIN)


async def _subtypes(
    endpoint: Endpoint, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kinds: set[int]
) -> set[int]:
    """The kinds of encryption with a certificate; none where another way in is to be taken."""
    if kinds & {_NONE, _PASSWORD} and (endpoint.is_loopback or endpoint.allow_plain) and endpoint.certificate is None:
        # It may be done without, and a certificate that this machine does not know is not to stand in the way.
        return set()
    writer.write(bytes([_VENCRYPT]))
    await reader.readexactly(2)
    writer.write(b"\0\2")
    if await reader.readexactly(1) != b"\0":
        raise RemoteMissing(f"{endpoint.authority} speaks another VeNCrypt than 0.2.")
    count = (await reader.readexactly(1))[0]
    offered = set(struct.unpack(f">{count}I", await reader.readexactly(4 * count)))
    usable = offered & {X509_NONE, X509_PASSWORD, X509_PLAIN}
    if not usable:
        raise RemoteMissing(NO_TLS.format(where=endpoint.authority))
    return usable


def _best(endpoint: Endpoint, offered: set[int]) -> int:
    """The kind that fits what there is to prove."""
    wanted = X509_NONE if endpoint.secret is None else X509_PLAIN if endpoint.user else X509_PASSWORD
    if wanted not in offered:
        words = {X509_NONE: "a password", X509_PLAIN: "a password without a name", X509_PASSWORD: "a name, too"}
        raise RemoteMissing(f"{endpoint.authority} lets nobody in: it wants {words[wanted]}.")
    return wanted


def _in_the_clear(endpoint: Endpoint, kinds: set[int]) -> int:
    if not (endpoint.is_loopback or endpoint.allow_plain) or endpoint.certificate is not None:
        raise RemoteMissing(NO_TLS.format(where=endpoint.authority))
    wanted = _NONE if endpoint.secret is None else _PASSWORD
    if wanted in kinds and not endpoint.user:
        return wanted
    if endpoint.secret is None and _PASSWORD in kinds:
        raise RemoteMissing(f"{endpoint.authority} lets nobody in: it wants a password.")
    raise RemoteMissing(f"{endpoint.authority} offers no way in that is known here.")


async def _prove(endpoint: Endpoint, kind: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    value = endpoint.secret.value.encode() if endpoint.secret is not None else b""
    if kind in (_PASSWORD, X509_PASSWORD):
        writer.write(encrypted(value, await reader.readexactly(16)))
    elif kind == X509_PLAIN:
        user = endpoint.user.encode()
        writer.write(struct.pack(">II", len(user), len(value)) + user + value)
