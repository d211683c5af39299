"""Keys and secrets: in the key store of the operating system and nowhere else, never in a file of ours."""

import secrets
from typing import Protocol

from app.core.errors import SignalboxError

SERVICE, NAME = "signalbox", "seal of saved runs"
KEY_BYTES = 32

TRUSTED = ("SecretService", "libsecret", "kwallet", "macOS", "Windows")
"""The key stores that are the system's own. Others of the library write files, some of them plain ones."""


class NoKeyStore(SignalboxError):
    """This machine has no key store that may hold it; without one nothing can be sealed, and no secret kept."""

    exit_code = 3


class Store(Protocol):
    """The part of a key store that is used."""

    def get_password(self, service: str, username: str) -> str | None:
        """What is kept under that name."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep it under that name."""

    def delete_password(self, service: str, username: str) -> None:
        """Forget it; an error where there is none."""


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


def secret_for(name: str, where: str, store: Store | None = None) -> str:
    """What was kept under `name` for the place `where`, and is for no other. May wait for a person.

    Raises:
        NoKeyStore: there is no such store, it stays locked, or it holds no such secret.
    """
    chosen = store if store is not None else system_store()
    try:
        text = chosen.get_password(SERVICE, _entry(name, where))
    except Exception as error:
        raise NoKeyStore(f"the key store of this machine cannot be used ({type(error).__name__})") from error
    if not text:
        raise NoKeyStore(f"the key store holds no secret {name!r} for {where}: run `signalbox secret` to keep one")
    return text


def keep_secret(name: str, where: str, text: str | None, store: Store | None = None) -> None:
    """Keep a secret for one place; None forgets it. Raises `NoKeyStore`."""
    chosen = store if store is not None else system_store()
    try:
        if text is None:
            chosen.delete_password(SERVICE, _entry(name, where))
        else:
            chosen.set_password(SERVICE, _entry(name, where), text)
    except Exception as error:
        raise NoKeyStore(f"the key store of this machine did not do it ({type(error).__name__})") from error


def _entry(name: str, where: str) -> str:
    # Bound to its place, so that a run file from elsewhere cannot have it sent to another.
    return f"secret {name} for {where}"
