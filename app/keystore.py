"""The key that seals runs: in the key store of the operating system and nowhere else, never in a file of ours."""

import secrets
from typing import Protocol

from app.core.errors import SignalboxError

SERVICE, NAME = "signalbox", "seal of saved runs"
KEY_BYTES = 32

TRUSTED = ("SecretService", "libsecret", "kwallet", "macOS", "Windows")
"""The key stores that are the system's own. Others of the library write files, some of them plain ones."""


class NoKeyStore(SignalboxError):
    """This machine has no key store that may hold the key; nothing can be sealed or checked against a seal here."""

    exit_code = 3


class Store(Protocol):
    """The part of a key store that is used."""

    def get_password(self, service: str, username: str) -> str | None:
        """What is kept under that name."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep it under that name."""


def system_store() -> Store:
    """The system's own key store. Raises `NoKeyStore`."""
    try:
        import keyring

        chosen = keyring.get_keyring()
        found: list[Store] = list(getattr(chosen, "backends", [chosen]))
    except Exception as error:
        # What a key store of some desktop raises is known to nobody.
        raise NoKeyStore(f"there is no key store that can be used ({type(error).__name__})") from error
    for store in found:
        package, _, module = type(store).__module__.rpartition(".")
        if package == "keyring.backends" and module in TRUSTED:
            return store
    raise NoKeyStore("this machine has no system key store (such as GNOME Keyring, KWallet, Keychain)")


def seal_key(store: Store | None = None, *, create: bool) -> bytes | None:
    """The key of this machine; made now where there is none and `create` says so.

    May wait for a person whom the system asks to unlock the store.

    Raises:
        NoKeyStore: there is no such store, it stays locked, or what it holds is no key.
    """
    chosen = store if store is not None else system_store()
    try:
        text = chosen.get_password(SERVICE, NAME)
        if text is None and create:
            chosen.set_password(SERVICE, NAME, secrets.token_bytes(KEY_BYTES).hex())
            text = chosen.get_password(SERVICE, NAME)
    except Exception as error:
        raise NoKeyStore(f"the key store of this machine cannot be used ({type(error).__name__})") from error
    if text is None:
        return None
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise NoKeyStore("what the key store holds for signalbox is not the key of its seals")
    return key
