"""Names of runs and asks: readable, sortable, unique without a clock of their own."""

RUN_ID_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
"""Without 0/o, 1/i/l and u, which people confuse when they read an id aloud."""


def run_id(stamp: str, random_bytes: bytes) -> str:
    """``20261129-2105-k7m3qx``: `stamp` (``YYYYMMDD-HHMM``) and six letters out of `random_bytes` (at least 6)."""
    letters = "".join(RUN_ID_ALPHABET[byte % len(RUN_ID_ALPHABET)] for byte in random_bytes[:6])
    return f"{stamp}-{letters}"


def ask_id(number: int) -> str:
    """The n-th ask of a run, counted from 1: ``a0007``."""
    return f"a{number:04d}"


def step_id(number: int) -> str:
    """The n-th hold of a run, counted from 1: ``s0007``. Questions keep their numbers, stepped or not."""
    return f"s{number:04d}"


def is_step_id(name: str) -> bool:
    """Whether it names a hold."""
    return name.startswith("s")
