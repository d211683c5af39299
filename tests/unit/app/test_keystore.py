"""The seal's key: made once, kept in the system's key store only, and in nothing that could be a file."""

from collections.abc import Iterator

import keyring
import keyring.backend
import keyring.backends.chainer
import keyring.backends.fail
import keyring.backends.SecretService
import pytest

from app.keystore import KEY_BYTES, NAME, SERVICE, NoKeyStore, keep_secret, seal_key, secret_for, system_store


class Kept(keyring.backend.KeyringBackend):
    """A key store in memory, of nobody's system; `locked` refuses as a store does that a person does not unlock."""

    priority = 1

    def __init__(self, *, locked: bool = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = locked

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise RuntimeError("locked")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[(service, username)] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[(service, username)]


@pytest.fixture
def chosen() -> Iterator[None]:
    """Whatever a test chooses as the machine's key store is put back."""
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


def test_the_key_is_made_once_and_only_on_wish() -> None:
    store = Kept()
    assert seal_key(store, create=False) is None
    assert store.kept == {}
    key = seal_key(store, create=True)
    assert key is not None
    assert len(key) == KEY_BYTES
    assert store.kept == {(SERVICE, NAME): key.hex()}
    assert seal_key(store, create=True) == seal_key(store, create=False) == key


@pytest.mark.parametrize("text", ["", "secret", "00", "zz" * 32])
def test_what_is_no_key_is_not_taken_for_one_nor_replaced(text: str) -> None:
    store = Kept()
    store.set_password(SERVICE, NAME, text)
    with pytest.raises(NoKeyStore, match="not the key"):
        seal_key(store, create=True)
    assert store.kept == {(SERVICE, NAME): text}


def test_a_store_that_stays_locked_gives_no_key() -> None:
    with pytest.raises(NoKeyStore, match="cannot be used"):
        seal_key(Kept(locked=True), create=True)


@pytest.mark.usefixtures("chosen")
def test_only_the_systems_own_stores_are_trusted() -> None:
    failing = keyring.backends.fail.Keyring()  # type: ignore[no-untyped-call]
    for other in (Kept(), failing):
        keyring.set_keyring(other)
        with pytest.raises(NoKeyStore, match="no system key store"):
            system_store()
    # Named is enough: nothing is asked of it before a key is wanted.
    keyring.set_keyring(keyring.backends.SecretService.Keyring())  # type: ignore[no-untyped-call]
    assert isinstance(system_store(), keyring.backends.SecretService.Keyring)


def test_a_secret_is_for_one_place_and_forgotten_on_wish() -> None:
    store = Kept()
    keep_secret("work", "far.example:443", "sesame", store)
    assert secret_for("work", "far.example:443", store) == "sesame"
    for name, where in (("work", "evil.example:443"), ("work", "far.example:443 (not encrypted)"), (NAME, "x:1")):
        with pytest.raises(NoKeyStore, match="holds no secret"):
            secret_for(name, where, store)
    keep_secret("work", "far.example:443", None, store)
    with pytest.raises(NoKeyStore, match="holds no secret"):
        secret_for("work", "far.example:443", store)
    with pytest.raises(NoKeyStore, match="cannot be used"):
        secret_for("work", "far.example:443", Kept(locked=True))
