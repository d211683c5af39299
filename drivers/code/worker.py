"""What runs inside the sandbox: takes code from a pipe, runs it in one lasting namespace, says what came of it.

A program of its own on Python's standard library. One JSON object a line, both ways; the descriptors are private ones,
so that what the code prints cannot be taken for an answer.
"""

import _thread
import base64
import builtins
import io
import json
import linecache
import os
import queue
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

SHORT_CHARS = 200
PIECE_CHARS = 200_000
LONGEST_ERROR_CHARS = 1_000_000
LONGEST_LINE = 15 * 1024 * 1024
MODULE = "pyautogui"

INTERRUPTED = "KeyboardInterrupt: it was interrupted"


class Channel:
    """The two private pipes. Sending is safe from any thread."""

    def __init__(self) -> None:
        self._in = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        self._lock = threading.Lock()

    def send(self, message: dict[str, Any]) -> None:
        """Write one message. Raises ValueError for more than the other side takes at once."""
        line = json.dumps(message, ensure_ascii=True) + "\n"
        if len(line) > LONGEST_LINE:
            raise ValueError(f"more than {LONGEST_LINE // 1024 // 1024} MB at once cannot be handed out of the sandbox")
        with self._lock:
            self._out.write(line)
            self._out.flush()

    def say(self, text: str) -> None:
        """Write text, in pieces where it is long."""
        for start in range(0, len(text), PIECE_CHARS):
            self.send({"text": text[start : start + PIECE_CHARS]})

    def lines(self) -> Any:
        """Messages as they come, until the other side has gone."""
        for line in self._in:
            yield json.loads(line)


class Said(io.TextIOBase):
    """What the code prints, passed on as text."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._channel.say(str(text))
        return len(text)


class Remote:
    """An object that lives outside: what is asked of it is done there, or refused."""

    def __init__(self, ask: Callable[..., Any], handle: int, kind: str) -> None:
        self.__dict__.update(_ask=ask, _handle=handle, _kind=kind)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._ask(self._handle, name)

    def __repr__(self) -> str:
        return f"<{self._kind}>"


class Worker:
    """Runs one piece of code after the other on the main thread; a second thread listens meanwhile."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._work: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._running = False
        self._asked = 0
        self.namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
        self.namespace.update(log=self.log, display=self.display)

    def on_interrupt(self, *_: object) -> None:
        """The signal's handler: it ends what runs, and nothing else."""
        if self._running:
            raise KeyboardInterrupt

    def listen(self) -> None:
        """In the second thread, until the other side has gone."""
        for message in self._channel.lines():
            if "answer" in message:
                self._answers.put(message)
            elif "interrupt" in message:
                if self._running:
                    interrupt_main()
            else:
                self._work.put(message)
        self._work.put(None)
        # Code that still runs must not outlive the console.
        os.kill(os.getpid(), signal.SIGTERM)

    def serve(self) -> None:
        """On the main thread."""
        while True:
            message = self._work.get()
            if message is None:
                return
            if "objects" in message:
                for name, kind in message["objects"].items():
                    self.namespace[name] = Remote(self._ask, message["handles"][name], kind)
                    if name == MODULE:
                        # Code imports it by habit.
                        sys.modules[name] = self.namespace[name]
            elif "run" in message:
                try:
                    error = self._run(message["run"], message["code"])
                except KeyboardInterrupt:
                    error = INTERRUPTED
                self._channel.send({"done": message["run"], "error": error})
            elif "variables" in message:
                self._channel.send({"variables": self._variables()})

    def log(self, *values: object) -> None:
        """Give back `values` as text."""
        self._channel.say(" ".join(str(value) for value in values) + "\n")

    def display(self, image: Any) -> None:
        """Give back a picture: a PIL image, or the bytes of a PNG or JPEG file."""
        if isinstance(image, (bytes, bytearray, memoryview)):
            data = bytes(image)
        else:
            kept = io.BytesIO()
            image.save(kept, "PNG")
            data = kept.getvalue()
        self._channel.send({"image": base64.b64encode(data).decode("ascii")})

    def _run(self, number: int, code: str) -> str | None:
        name = f"<code {number}>"
        # So that a traceback shows the lines.
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        try:
            self._running = True
            exec(compile(code, name, "exec"), self.namespace)
        except KeyboardInterrupt:
            return INTERRUPTED
        except SystemExit as asked:
            return f"SystemExit: {asked}"
        except BaseException as error:  # noqa: BLE001 - the code may raise anything, and its author reads it
            own = error.__traceback__.tb_next if error.__traceback__ is not None else None
            words = "".join(traceback.format_exception(type(error), error, own, limit=20)).rstrip()
            return words if len(words) <= LONGEST_ERROR_CHARS else words[:LONGEST_ERROR_CHARS]
        finally:
            self._running = False
        return None

    def _variables(self) -> list[list[str]]:
        found = []
        for name, value in sorted(self.namespace.items()):
            if name.startswith("_") or name in ("log", "display"):
                continue
            try:
                self._running = True
                words = repr(value)
            except BaseException:  # noqa: BLE001 - a repr of the code's own, which may also go on for ever
                words = "(cannot be shown)"
            finally:
                self._running = False
            found.append([str(name)[:SHORT_CHARS], type(value).__name__[:SHORT_CHARS], words[:SHORT_CHARS]])
        return found

    def _ask(self, handle: int, name: str) -> Any:
        said = self._round(handle, name, None, None)
        if said != {"method": True}:
            return self._value(said)

        def method(*args: Any, **kwargs: Any) -> Any:
            return self._value(self._round(handle, name, [_plain(one) for one in args], _plain(kwargs)))

        method.__name__ = name
        return method

    def _round(self, handle: int, name: str, args: Any, kwargs: Any) -> dict[str, Any]:
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("what lives outside may be used from the main thread only")
        self._asked += 1
        self._channel.send({"ask": self._asked, "handle": handle, "name": name, "args": args, "kwargs": kwargs})
        while True:
            answer = self._answers.get()
            if answer["answer"] == self._asked:
                break
        if "error" in answer:
            raise RuntimeError(answer["error"])
        said: dict[str, Any] = answer["said"]
        return said

    def _value(self, said: dict[str, Any]) -> Any:
        if "handle" in said:
            return Remote(self._ask, said["handle"], said["kind"])
        if "bytes" in said:
            return base64.b64decode(said["bytes"])
        if "list" in said:
            return [self._value(one) for one in said["list"]]
        return said.get("value")


def _plain(value: Any) -> Any:
    if isinstance(value, Remote):
        return {"$handle": value._handle}
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        letters = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
        return {"$pattern": [value.pattern, "".join(one for one, flag in letters.items() if value.flags & flag)]}
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{type(value).__name__} cannot be handed out of the sandbox")


def interrupt_main() -> None:
    """A signal of its own wakes the main thread also where it waits or sleeps."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def limit(bounds: dict[str, int]) -> None:
    """Take what the system lets a process give up for good; where it has no such limits, none."""
    try:
        import resource
    except ImportError:
        return
    named = {
        "memory_bytes": "RLIMIT_AS",
        "processes": "RLIMIT_NPROC",
        "file_bytes": "RLIMIT_FSIZE",
        "open_files": "RLIMIT_NOFILE",
    }
    for key, name in named.items():
        if bounds.get(key) and hasattr(resource, name):
            resource.setrlimit(getattr(resource, name), (bounds[key], bounds[key]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """The first line says the limits; the answer to it says that the worker is ready."""
    channel = Channel()
    first = next(iter(channel.lines()))
    limit(first["limits"])
    worker = Worker(channel)
    signal.signal(signal.SIGINT, worker.on_interrupt)
    sys.stdout = sys.stderr = Said(channel)
    threading.Thread(target=worker.listen, daemon=True).start()
    channel.send({"ready": True})
    worker.serve()


if __name__ == "__main__":
    main()
