"""What is sent and never kept: keys and tokens in run files, in declared tools and in addresses."""

from collections.abc import Iterator

from app.core.value import Json

SECRET_KEYS = frozenset(
    {
        "headers",
        "authorization",
        "domain_secrets",
        "api_key",
        "token",
        "password",
        "default_headers",
        "default_query",
        "env",
    }
)
_SCHEMAS = frozenset({"parameters", "input_schema", "output_schema"})
"""Say what an argument is called, which may well be ``password``, and hold none."""
NOT_RECORDED = "(not recorded)"

SHORTEST_SECRET = 8
"""Shorter values are no keys, and stand in many a place that has nothing to do with them."""


def without_secrets(declared: Json) -> None:
    """Values are replaced, keys stay: who reads the record sees that something was sent."""
    if isinstance(declared, list):
        for entry in declared:
            without_secrets(entry)
    if not isinstance(declared, dict):
        return
    for key, value in declared.items():
        if key in SECRET_KEYS and isinstance(value, dict):
            declared[key] = dict.fromkeys(value, NOT_RECORDED)
        elif key in SECRET_KEYS and value is not None:
            declared[key] = NOT_RECORDED
        elif key == "server_url" and isinstance(value, str):
            declared[key] = address_without_secrets(value)
        elif key not in _SCHEMAS:
            without_secrets(value)


def secrets_of(declared: Json) -> Iterator[str]:
    """The values that `without_secrets` replaces, as far as they are texts that a key could be."""
    if isinstance(declared, list):
        for entry in declared:
            yield from secrets_of(entry)
    for key, value in declared.items() if isinstance(declared, dict) else ():
        if key in SECRET_KEYS:
            yield from _texts(value)
        elif key not in _SCHEMAS:
            yield from secrets_of(value)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        scheme, _, alone = value.partition(" ")
        # "Bearer xyz": the word behind it is the key.
        secret = alone if scheme.lower() in ("bearer", "basic", "token") else value
        yield from (secret,) if len(secret) >= SHORTEST_SECRET else ()
    for entry in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(entry)


def address_without_secrets(url: str) -> str:
    """Tokens of a server's address stand in its query or before its host."""
    head, mark, _ = url.partition("?")
    scheme, slashes, rest = head.partition("://")
    authority, slash, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    shown = f"{scheme}{slashes}{NOT_RECORDED if user else ''}{at}{host}{slash}{path}"
    return f"{shown}?{NOT_RECORDED}" if mark else shown
