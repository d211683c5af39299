"""The chain of check values through a journal: each event's covers all before it and what it brought along."""

import hashlib
import struct

NONCE_BYTES = 32


def start(nonce: bytes) -> bytes:
    """What the first event's check value is built on. Each file has its own, so that no other's log fits into it."""
    return hashlib.sha256(b"signalbox ledger 1" + nonce).digest()


def link(previous: bytes, seq: int, wall_ms: int, mono_ns: int, body: str, attached: bytes | None) -> bytes:
    """The check value of one event.

    `body` names pictures and long texts by their digests and `attached` is the digest of a checkpoint's manifest, which
    names its items by theirs: so one value stands for every byte that was on record when it was made.
    """
    head = struct.pack(">qqq", seq, wall_ms, mono_ns)
    tail = b"\x00" if attached is None else b"\x01" + attached
    return hashlib.sha256(previous + head + tail + body.encode("utf-8")).digest()


def fits(
    previous: bytes, seq: int, wall_ms: int, mono_ns: int, body: str, attached: bytes | None, chain: bytes
) -> bool:
    """Whether `chain` is the check value of that event; a damaged file may hand over anything for each of them."""
    try:
        return link(previous, seq, wall_ms, mono_ns, body, attached) == chain
    except (TypeError, ValueError, AttributeError, struct.error):
        return False


def manifest_value(body: str) -> bytes:
    """The digest of a checkpoint's manifest, as its event carries it."""
    return hashlib.sha256(body.encode("utf-8")).digest()


def manifest_fits(body: object, attached: object) -> bool:
    """Whether `attached` is the digest of that manifest; a damaged file may hand over anything for both."""
    return isinstance(body, str) and manifest_value(body) == attached
