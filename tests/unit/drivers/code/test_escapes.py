"""Ways out of the sandbox, each tried for real. The table is the list of what must stay shut."""

import asyncio
import contextlib
import ctypes
import os
import platform
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.code.environment import CodeEnvironment
from drivers.code.isolation import Isolation
from drivers.code.limits import CodeLimits

HOME = Path.home()

LIBC = "import ctypes, os\nlibc = ctypes.CDLL(None)\n"
KEYS = {"x86_64": (248, 250), "aarch64": (217, 219)}
ADD_KEY, KEYCTL = KEYS.get(platform.machine(), (-1, -1))
CLONE = {"x86_64": 56, "aarch64": 220}.get(platform.machine(), -1)
SEARCH, READ, INVALIDATE = 10, 11, 21

TRIES = {
    "read a file of the user": "log(open({secret!r}).read())",
    "list the user's home": "import os; assert {name!r} in os.listdir({home!r})",
    "read the account file": "log(open('/etc/passwd').read())",
    "write beside the program": "open('/usr/mark', 'w')",
    "write into the root": "open('/mark', 'w')",
    "write over the worker": "open('/run/worker.py', 'w')",
    "find a key in the environment": "import os; log(next(v for k, v in os.environ.items() if 'KEY' in k))",
    "find a key in a parent's environment": "import os; log(open(f'/proc/{{os.getppid()}}/environ').read()[99])",
    "see the processes outside": "import os; assert {pid} in [int(p) for p in os.listdir('/proc') if p.isdigit()]",
    "signal the console": "import os; os.kill({pid}, 0)",
    "reach a server on this machine": "import socket; socket.create_connection(('127.0.0.1', {port}), 1)",
    "reach the network": "import socket; socket.create_connection(('192.0.2.1', 80), 1)",
    "resolve a name": "import socket; socket.getaddrinfo('example.com', 80)",
    "mount something": "import ctypes; assert ctypes.CDLL(None).mount(b'/', b'/scratch', b'', 4096, None) == 0",
    "change the root": "import os; os.chroot('/scratch')",
    "become root": "import os; os.setuid(0)",
    "make a device": "import os, stat; os.mknod('d', stat.S_IFCHR | 0o600, os.makedev(1, 3)); open('d', 'w')",
    "set the clock": "import time; time.clock_settime(time.CLOCK_REALTIME, 0)",
    "trace another process": "import ctypes; assert ctypes.CDLL(None).ptrace(16, {pid}, 0, 0) == 0",
    "use the console's packages": "import openai",
    "fill the disk": "open('big', 'wb').write(bytes(20 * 1024 * 1024))",
    "fill the disk with many files": "for n in range(40): open(f'f{{n}}', 'wb').write(bytes(1024 * 1024))",
    "fill the memory through shared memory": "open('/dev/shm/mark', 'wb').write(bytes(1024))",
    "write beside the devices": "open('/dev/mark', 'w')",
    "be root in a namespace of its own": (
        "import os, ctypes\n"
        "if (child := os.fork()) == 0:\n"
        "    libc = ctypes.CDLL(None)\n"
        "    made = libc.unshare(0x10020000) == 0 and libc.mount(b'tmpfs', b'/scratch', b'tmpfs', 0, None) == 0\n"
        "    os._exit(0 if made else 1)\n"
        "assert os.waitpid(child, 0)[1] == 0"
    ),
    "be root in a namespace by another call": (
        f"{LIBC}if (child := libc.syscall({CLONE}, 0x10000000 | 17, 0, 0, 0, 0)) == 0:\n    os._exit(0)\n"
        "assert os.waitpid(child, 0)[1] == 0"
    ),
    "read a key of the session": (
        f"{LIBC}key = libc.syscall({KEYCTL}, {SEARCH}, ctypes.c_int(-3), b'user', b'signalbox-test', 0)\n"
        f"said = ctypes.create_string_buffer(99)\nassert libc.syscall({KEYCTL}, {READ}, key, said, 99, 0) > 0\n"
        "log(said.value)"
    ),
    "list the keys of the session": "log(open('/proc/keys').read())",
    "reach the host of a virtual machine": "import socket; socket.socket(socket.AF_VSOCK)",
    "hear the system's events": "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)",
    "reach an abstract socket": "import socket; socket.socket(socket.AF_UNIX).connect('\\0signalbox-test-{pid}')",
    "change a setting of the system": "open('/proc/sys/kernel/core_pattern', 'a')",
    "be spared when memory runs out": "open('/proc/self/oom_score_adj', 'w').write('0')",
    "trace the first process inside": f"{LIBC}assert libc.ptrace(16, 1, 0, 0) == 0",
    "have the kernel do reads by itself": f"{LIBC}assert libc.syscall(425, 4, ctypes.create_string_buffer(200)) >= 0",
    "hold memory as a file that is nowhere": "import os; os.memfd_create('x')",
    "hold memory that no process has": f"{LIBC}assert libc.shmget(0, 4096, 0o1600) >= 0",
    "hold memory in sockets": "import socket; held = [socket.socketpair() for _ in range(300)]",
    "use an object outside that nobody offered": "page.goto('http://127.0.0.1')",
}


@pytest.fixture
def key_of_the_session() -> Iterator[None]:
    """A key that the kernel keeps for this session; where it keeps none there is none to be found."""
    libc = ctypes.CDLL(None)
    key = libc.syscall(ADD_KEY, b"user", b"signalbox-test", b"sk-not-for-you", 14, ctypes.c_int(-3))
    yield
    if key > 0:
        libc.syscall(KEYCTL, INVALIDATE, key)


@contextlib.contextmanager
def abstract_socket() -> Iterator[None]:
    """A socket without a file, as X servers have one."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"\0signalbox-test-{os.getpid()}")
        listening.listen()
        yield


@pytest.mark.usefixtures("key_of_the_session")
@pytest.mark.parametrize("name", TRIES)
async def test_there_is_no_way_out(isolated: Isolation, secret: Path, name: str) -> None:
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    names = sorted(os.listdir(HOME)) or ["."]
    code = TRIES[name].format(secret=str(secret), home=str(HOME), name=names[0], pid=os.getpid(), port=port)
    environment = CodeEnvironment(isolated, CodeLimits(call_secs=10.0, file_mb=8))
    try:
        with abstract_socket():
            result = await environment.run(code)
    finally:
        await environment.aclose()
        server.close()
    assert result.error is not None, f"it got out: {name}"
    assert "sk-not-for-you" not in str(result)
    assert "ever decided" not in str(result)


async def test_nothing_inside_outlives_the_environment(isolated: Isolation) -> None:
    environment = CodeEnvironment(isolated, CodeLimits())
    mark = f"signalbox-left-behind-{os.getpid()}"
    result = await environment.run(
        "import subprocess, sys\n"
        "code = 'import time; print(flush=True); time.sleep(600)'\n"
        f"line = [sys.executable, '-c', code, '{mark}']\n"
        "for _ in range(8):\n"
        "    streams = {'stdout': subprocess.PIPE, 'stderr': subprocess.DEVNULL}\n"
        "    child = subprocess.Popen(line, start_new_session=True, **streams)\n"
        "    child.stdout.readline()\nlog('begun')"
    )
    assert result.parts == ["begun\n"]
    assert _running(mark)
    await environment.aclose()
    assert not _running(mark)


def _running(mark: str) -> bool:
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "cmdline").read_bytes():
                return True
        except OSError:
            continue
    return False
