"""One block of DES against values of the standard's own tables, given in RFB's order of bits."""

import pytest

from drivers.remote.des import encrypted


def in_rfb(key: str) -> bytes:
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in bytes.fromhex(key))


@pytest.mark.parametrize(
    ("key", "plain", "cipher"),
    [
        ("133457799bbcdff1", "0123456789abcdef", "85e813540f0ab405"),
        ("0e329232ea6d0d73", "8787878787878787", "0000000000000000"),
        ("0101010101010101", "95f8a5e5dd31d900", "8000000000000000"),
        ("7ca110454a1a6e57", "01a1d6d039776742", "690f5b0d9a26939b"),
        ("0131d9619dc1376e", "5cd54ca83def57da", "7a389d10354bd271"),
        ("07a1133e4a0b2686", "0248d43806f67172", "868ebb51cab4599a"),
    ],
)
def test_known_blocks(key: str, plain: str, cipher: str) -> None:
    assert encrypted(in_rfb(key), bytes.fromhex(plain)).hex() == cipher


def test_a_short_key_is_filled_up_and_a_long_one_cut_off() -> None:
    assert encrypted(b"abc", b"01234567") == encrypted(b"abc\0\0\0\0\0", b"01234567")
    assert encrypted(b"abcdefgh", b"0" * 16) == encrypted(b"abcdefghijk", b"0" * 16)
