"""Ways out of the sandbox, each tried for real. The table is the list of what must stay shut."""

import asyncio
import os
from pathlib import Path

import pytest

from drivers.code.environment import CodeEnvironment
from drivers.code.isolation import Isolation
from drivers.code.limits import CodeLimits

HOME = Path.home()

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
    "use an object outside that nobody offered": "page.goto('http://127.0.0.1')",
}


@pytest.mark.parametrize("name", TRIES)
async def test_there_is_no_way_out(isolated: Isolation, secret: Path, name: str) -> None:
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    names = sorted(os.listdir(HOME)) or ["."]
    code = TRIES[name].format(secret=str(secret), home=str(HOME), name=names[0], pid=os.getpid(), port=port)
    environment = CodeEnvironment(isolated, CodeLimits(call_secs=10.0, file_mb=8))
    try:
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
        "child = subprocess.Popen(line, start_new_session=True, stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\nlog('begun')"
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
