"""One block of DES, as RFB's password check wants it: each byte of the key is used with its bits in reverse."""

from __future__ import annotations

_START = [58 - 8 * (i % 8) + 2 * (i // 8) if i < 32 else 57 - 8 * (i % 8) + 2 * (i // 8 - 4) for i in range(64)]
_LAST = [40, 8, 48, 16, 56, 24, 64, 32]
_END = [at - i for i in range(8) for at in _LAST]
_EXPAND = [(4 * (i // 6) + i % 6 - 1) % 32 + 1 for i in range(48)]
_MIX = [16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
        2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25]  # fmt: skip
_KEY_START = [57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52,
              44, 36, 63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5,
              28, 20, 12, 4]  # fmt: skip
_KEY_ROUND = [14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
              41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29,
              32]  # fmt: skip
_SHIFTS = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1]
_BOXES = [
    "e4d12fb83a6c5907 0f74e2d1a6cb9538 41e8d62bfc973a50 fc8249175b3ea06d",
    "f18e6b34972dc05a 3d47f28ec01a69b5 0e7ba4d158c6932f d8a13f42b67c05e9",
    "a09e63f51dc7b428 d709346a285ecbf1 d6498f30b12c5ae7 1ad069874fe3b52c",
    "7de3069a1285bc4f d8b56f03472c1ae9 a690cb7df13e5284 3f06a1d8945bc72e",
    "2c417ab6853fd0e9 eb2c47d150fa3986 421bad78f9c5630e b8c71e2d6f09a453",
    "c1af92680d34e75b af427c9561de0b38 9ef528c3704a1db6 432c95fabe17608d",
    "4b2ef08d3c975a61 d0b7491ae35c2f86 14bdc37eaf680592 6bd814a7950fe23c",
    "d2846fb1a93e50c7 1fd8a374c56b0e92 7b419ce206adf358 21e74a8dfc90356b",
]


def _picked(bits: list[int], places: list[int]) -> list[int]:
    return [bits[place - 1] for place in places]


def _bits(data: bytes, *, reverse: bool = False) -> list[int]:
    return [byte >> (at if reverse else 7 - at) & 1 for byte in data for at in range(8)]


def _round(right: list[int], key: list[int]) -> list[int]:
    mixed = [a ^ b for a, b in zip(_picked(right, _EXPAND), key, strict=True)]
    out: list[int] = []
    for box, rows in enumerate(_BOXES):
        six = mixed[6 * box : 6 * box + 6]
        column = six[1] << 3 | six[2] << 2 | six[3] << 1 | six[4]
        value = int(rows.split()[six[0] << 1 | six[5]][column], 16)
        out += [value >> at & 1 for at in (3, 2, 1, 0)]
    return _picked(out, _MIX)


def encrypted(key: bytes, data: bytes) -> bytes:
    """Each block of 8 bytes of `data` under the first 8 bytes of `key`, which a shorter one is filled up to."""
    chosen = _picked(_bits(key[:8].ljust(8, b"\0"), reverse=True), _KEY_START)
    keys: list[list[int]] = []
    for shift in _SHIFTS:
        left, right = chosen[:28], chosen[28:]
        chosen = left[shift:] + left[:shift] + right[shift:] + right[:shift]
        keys.append(_picked(chosen, _KEY_ROUND))
    return b"".join(_block(keys, data[at : at + 8]) for at in range(0, len(data), 8))


def _block(keys: list[list[int]], block: bytes) -> bytes:
    bits = _picked(_bits(block), _START)
    left, right = bits[:32], bits[32:]
    for key in keys:
        left, right = right, [a ^ b for a, b in zip(left, _round(right, key), strict=True)]
    bits = _picked(right + left, _END)
    return bytes(sum(bit << 7 - at for at, bit in enumerate(bits[i : i + 8])) for i in range(0, 64, 8))
