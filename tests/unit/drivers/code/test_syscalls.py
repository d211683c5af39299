"""The filter, read as the kernel reads it: for both processors, whichever the tests run on."""

import errno
import struct

import pytest

from drivers.code.syscalls import UnknownMachine, system_call_filter

ALLOWED = 0x7FFF0000
X86_64, ARM_64, I386 = 0xC000003E, 0xC00000B7, 0x40000003
THREAD, NEW_USER, NEW_NET = 0x003D0F00, 0x10000000, 0x40000000
UNIX, IPV6, NETLINK, VSOCK = 1, 10, 16, 40


def verdict(program: bytes, arch: int, number: int, first: int = 0) -> int:
    """What the kernel would do: the error that the caller gets, or 0 where the call is made."""
    lines = list(struct.iter_unpack("=HBBI", program))
    data = struct.pack("=IIQQ", number, arch, 0, first)
    at = held = 0
    while True:
        code, if_so, if_not, value = lines[at]
        at += 1
        if code == 0x20:
            held = int.from_bytes(data[value : value + 4], "little")
        elif code == 0x06:
            assert value == ALLOWED or value >> 16 == 5
            return 0 if value == ALLOWED else value & 0xFFFF
        else:
            test = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            at += if_so if test else if_not


@pytest.mark.parametrize(
    ("machine", "arch", "numbers"),
    [
        ("x86_64", X86_64, {"read": 0, "keyctl": 250, "memfd_create": 319, "clone": 56, "socket": 41, "ptrace": 101}),
        ("aarch64", ARM_64,
         {"read": 63, "keyctl": 219, "memfd_create": 279, "clone": 220, "socket": 198, "ptrace": 117})
    ],
)  # fmt: skip
def test_what_passes_and_what_does_not(machine: str, arch: int, numbers: dict[str, int]) -> None:
    program = system_call_filter(machine)
    tried = {name: verdict(program, arch, numbers[name]) for name in ("read", "keyctl", "memfd_create", "ptrace")}
    assert tried == {"read": 0, "keyctl": errno.EPERM, "memfd_create": errno.ENOSYS, "ptrace": errno.EPERM}
    assert verdict(program, arch, numbers["clone"], THREAD) == 0
    assert {verdict(program, arch, numbers["clone"], flag) for flag in (NEW_USER, NEW_NET)} == {errno.EPERM}
    assert {verdict(program, arch, numbers["socket"], family) for family in (UNIX, IPV6)} == {0}
    assert {verdict(program, arch, numbers["socket"], family) for family in (0, NETLINK, VSOCK)} == {errno.EAFNOSUPPORT}
    assert verdict(program, arch, 425) == errno.EPERM
    assert verdict(program, arch, 435) == errno.ENOSYS


def test_other_ways_to_number_the_calls_lead_nowhere() -> None:
    program = system_call_filter("x86_64")
    assert verdict(program, I386, 3) == errno.ENOSYS
    assert verdict(program, X86_64, 0x40000000) == errno.ENOSYS
    assert verdict(program, X86_64, 0x40000000 + 250) == errno.ENOSYS


def test_where_the_calls_are_not_known_there_is_no_sandbox() -> None:
    with pytest.raises(UnknownMachine, match="riscv64"):
        system_call_filter("riscv64")
