"""File grants: one file, one use, an expiry, a size limit and a hash; issued by the application, never by the model."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import tempfile
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from drivers.own_folder import OwnFolder

MOST_BYTES = 50 * 1024 * 1024
EXPIRY_SECS = 300.0
NAME_CHARACTERS = 100
NAME_BYTES = 240
"""File systems take 255; a number is put behind a name that is taken."""
PREVIEW_BYTES = 1000

_RESERVED = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))}


@dataclass(frozen=True)
class Grant:
    """What one grant permits."""

    grant_id: str
    kind: Literal["upload", "download"]
    expires_at: float
    """Seconds by the grants' clock."""
    most_bytes: int
    path: Path | None = None
    """For an upload: a private copy made when the grant was issued, so that its content cannot change any more."""
    name: str = ""
    sha256: str = ""
    size: int = 0
    url: str = ""
    """For a download: the exact address."""
    tab_id: str | None = None
    target: str | None = None
    """For an upload: the ref of the file field, when the approval was for that one."""


@dataclass(frozen=True)
class GrantFacts:
    """What a person is shown of a grant before it is used. All texts come from outside."""

    kind: Literal["upload", "download"]
    name: str
    size: int
    sha256: str
    url: str
    preview: str
    """How a text file begins; empty for anything else."""


_CLOCK: int | None = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def awake_or_asleep() -> float:
    """Seconds on a clock that is never set and goes on while the machine sleeps; not everywhere does Python's own."""
    return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)


class Grants:
    """Takes each grant at most once. The folder goes with the session."""

    def __init__(self, folder: Path | None, clock: Callable[[], float] = awake_or_asleep) -> None:
        self._kept = OwnFolder("files")
        self.downloads = folder
        """Where downloads are put; None means inside of the session's own folder, which goes with it."""
        self._clock = clock
        self._open: dict[str, Grant] = {}

    @property
    def quarantine(self) -> Path:
        """The folder for downloads; made when first asked for."""
        folder = self.downloads or self._kept.path / "downloads"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder

    def scratch(self) -> Path:
        """A place for one file on its way, gone with the session."""
        return Path(tempfile.mkdtemp(dir=self._kept.path)) / "received"

    async def allow_upload(
        self, path: Path, *, target: str | None = None, tab_id: str | None = None, most_bytes: int = MOST_BYTES,
        secs: float = EXPIRY_SECS, grant_id: str | None = None, sha256: str | None = None,
    ) -> Grant:  # fmt: skip
        """Permit one upload of the file as it is now; ``ValueError`` when it is not as said.

        `grant_id`: one of the caller's own, in place of one that cannot be guessed. `secs` may be ``inf``.
        """
        copy, digest, size = await asyncio.to_thread(self._copy, path, most_bytes)
        if sha256 is not None and digest != sha256:
            raise ValueError(f"It is another file than its sha256 says: {path}")
        given = grant_id or secrets.token_urlsafe(18)
        return self._issue(
            Grant(given, "upload", self._clock() + secs, most_bytes, path=copy, name=path.name, sha256=digest,
                  size=size, tab_id=tab_id, target=target)
        )  # fmt: skip

    def allow_download(
        self, url: str, *, tab_id: str | None = None, most_bytes: int = MOST_BYTES, secs: float = EXPIRY_SECS,
        grant_id: str | None = None,
    ) -> Grant:  # fmt: skip
        """Permit one download of exactly this address."""
        given = grant_id or secrets.token_urlsafe(18)
        return self._issue(Grant(given, "download", self._clock() + secs, most_bytes, url=url, tab_id=tab_id))

    async def facts(self, grant_id: str) -> GrantFacts | None:
        """What that grant is for; None when there is none. Uses nothing up."""
        grant = self._open.get(grant_id)
        if grant is None:
            return None
        preview = await asyncio.to_thread(_beginning, grant.path) if grant.path is not None else ""
        return GrantFacts(grant.kind, grant.name, grant.size, grant.sha256, grant.url, preview)

    def take(self, grant_id: str, kind: Literal["upload", "download"]) -> Grant | None:
        """Use a grant up; None when there is no such grant, it is for the other direction, or too old."""
        grant = self._open.pop(grant_id, None)
        if grant is None or grant.kind != kind or self._clock() > grant.expires_at:
            return None
        return grant

    def close(self) -> None:
        """Remove the private copies and what was not kept elsewhere."""
        self._open.clear()
        self._kept.close()

    def _issue(self, grant: Grant) -> Grant:
        self._open[grant.grant_id] = grant
        return grant

    def _copy(self, path: Path, most_bytes: int) -> tuple[Path, str, int]:
        if not path.is_file():
            raise ValueError(f"Only a plain file can be granted: {path}")
        folder = Path(tempfile.mkdtemp(dir=self._kept.path))
        copy, digest, size = folder / path.name, hashlib.sha256(), 0
        with path.open("rb") as source, copy.open("wb") as out:
            while data := source.read(1 << 20):
                size += len(data)
                if size > most_bytes:
                    raise ValueError(f"The file is larger than the {most_bytes} bytes that are allowed: {path}")
                digest.update(data)
                out.write(data)
        return copy, digest.hexdigest(), size


def _beginning(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(PREVIEW_BYTES)
    if b"\0" in data:
        return ""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # Cut in the middle of a letter, or no text at all.
        return data[: error.start].decode("utf-8") if error.start > len(data) - 4 else ""


def safe_name(suggested: str) -> str:
    """A server's file name made harmless: no folders, no hidden or reserved names, no invisible letters."""
    last = re.split(r"[/\\]", suggested)[-1]
    kept = "".join(c for c in unicodedata.normalize("NFC", last) if unicodedata.category(c)[0] != "C")
    kept = re.sub(r'[<>:"|?*%]', "_", kept).strip(" .")
    if not kept:
        return "download"
    stem, dot, ending = kept.rpartition(".")
    if not dot:
        stem, ending = kept, ""
    if kept.split(".", 1)[0].casefold() in _RESERVED:
        stem = "_" + stem
    ending = _cut(ending, 20, NAME_BYTES)
    stem = _cut(stem, NAME_CHARACTERS - len(ending), NAME_BYTES - len(f".{ending}".encode()))
    return f"{stem}.{ending}" if ending else stem


def _cut(text: str, characters: int, octets: int) -> str:
    """As much of a text as fits both ways; no letter is cut through."""
    return text[:characters].encode()[:octets].decode(errors="ignore")
