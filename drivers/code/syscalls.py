"""What code in the sandbox may not ask of the kernel: a filter that bubblewrap lays over every process inside.

Namespaces do not cover all that a kernel has: keys of the session, sockets to the host of a virtual machine, interfaces
whose faults have most often led out of a sandbox.
"""

import contextlib
import errno
import os
import platform
import struct
from collections.abc import Iterator
from typing import NamedTuple


class UnknownMachine(LookupError):
    """How this processor calls the kernel is not known here."""


class _Machine(NamedTuple):
    """How one kind of processor calls the kernel."""

    arch: int
    """Its number in the audit system: a program for another one (32 bits on 64) numbers its calls otherwise."""
    clone: int
    socket: int
    refused: tuple[int, ...]
    absent: tuple[int, ...]
    """Of these programs are told that the kernel has none, and do without."""


_NEWER = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 467)
"""io_uring (3), open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, pidfd_getfd, mount_setattr, open_tree_attr"""
_NEWER_ABSENT = (435, 447)
"""clone3 (its flags cannot be looked at: `clone` is used in its place), memfd_secret."""

_MACHINES = {
    "x86_64": _Machine(
        arch=0xC000003E,
        clone=56,
        socket=41,
        # add_key, request_key, keyctl, ptrace, process_vm_readv, process_vm_writev, bpf, perf_event_open, userfaultfd,
        # mount, umount2, pivot_root, unshare, setns, shmget, semget, msgget, mq_open
        refused=(248, 249, 250, 101, 310, 311, 321, 298, 323, 165, 166, 155, 272, 308, 29, 64, 68, 240, *_NEWER),
        absent=(319, *_NEWER_ABSENT),
    ),
    "aarch64": _Machine(
        arch=0xC00000B7,
        clone=220,
        socket=198,
        refused=(217, 218, 219, 117, 270, 271, 280, 241, 282, 40, 39, 41, 97, 268, 194, 190, 186, 180, *_NEWER),
        absent=(279, *_NEWER_ABSENT),
    ),
}
"""`absent` begins with memfd_create: memory that no file system and no process need hold could not be counted."""

_FAMILIES = (1, 2, 10)
"""Unix, IPv4, IPv6: a network namespace holds these. It does not hold AF_VSOCK."""
_NAMESPACES = 0x7E020000
"""The flags of `clone` that make namespaces."""
_OTHER_NUMBERS = 0x40000000
"""From here on calls are numbered for x32, a second way to make the same ones."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000


def system_call_filter(machine: str = "") -> bytes:
    """The filter as the kernel takes it, for this machine unless another one is named.

    Raises:
        UnknownMachine: there is no filter for this machine's processor.
    """
    name = machine or platform.machine()
    if name not in _MACHINES:
        raise UnknownMachine(f"none is known for the processor {name}")
    of = _MACHINES[name]
    lines = [
        *_only_if(_EQUAL, of.arch, _ARCH_AT, errno.ENOSYS),
        (_LOAD, 0, 0, _NUMBER_AT),
        *_fail_if(_AT_LEAST, _OTHER_NUMBERS, errno.ENOSYS),
    ]
    for number in of.absent:
        lines += _fail_if(_EQUAL, number, errno.ENOSYS)
    for number in of.refused:
        lines += _fail_if(_EQUAL, number, errno.EPERM)
    at_clone = [(_LOAD, 0, 0, _FIRST_ARGUMENT_AT), *_fail_if(_ANY_BIT, _NAMESPACES, errno.EPERM), _ending(_ALLOW)]
    lines += [(_EQUAL, 0, len(at_clone), of.clone), *at_clone]
    known = [(_EQUAL, len(_FAMILIES) - at, 0, family) for at, family in enumerate(_FAMILIES)]
    at_socket = [(_LOAD, 0, 0, _FIRST_ARGUMENT_AT), *known, _ending(_FAIL | errno.EAFNOSUPPORT)]
    lines += [(_EQUAL, 0, len(at_socket), of.socket), *at_socket, _ending(_ALLOW)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


@contextlib.contextmanager
def handed_over(given: bytes) -> Iterator[int]:
    """A descriptor to hand on to a process, from which it can read `given` to its end."""
    reading, writing = os.pipe()
    try:
        try:
            # It is far smaller than what a pipe takes at once.
            os.write(writing, given)
        finally:
            os.close(writing)
        yield reading
    finally:
        os.close(reading)


def _fail_if(test: int, value: int, number: int) -> list[tuple[int, int, int, int]]:
    return [(test, 0, 1, value), _ending(_FAIL | number)]


def _only_if(test: int, value: int, at: int, number: int) -> list[tuple[int, int, int, int]]:
    return [(_LOAD, 0, 0, at), (test, 1, 0, value), _ending(_FAIL | number)]


def _ending(verdict: int) -> tuple[int, int, int, int]:
    return (_RETURN, 0, 0, verdict)
