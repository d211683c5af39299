"""The program's own log: a file in the data folder, warnings on standard error, and the hooks for what nobody caught.

What comes from a page, a screen or a model stays out of it. Exceptions carry such text in their messages, so a record
of an exception holds its type and the places it passed, not its message.
"""

from __future__ import annotations

import copy
import logging
import os
import sys
import threading
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from app import paths

if TYPE_CHECKING:
    import asyncio

logger = logging.getLogger(__name__)

FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"
MAX_FILE_BYTES = 2_000_000
KEPT_FILES = 3


class TypesOnlyFormatter(logging.Formatter):
    """Formats an exception as its type and the places it passed; neither its message nor its notes appear."""

    def format(self, record: logging.LogRecord) -> str:
        # Another handler's formatter may have left its own text of the exception, message included, on the record.
        own = copy.copy(record)
        own.exc_text = None
        return super().format(own)

    def formatException(
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        failure = ei[1]
        return "" if failure is None else describe_failure(failure)


class LogFile(RotatingFileHandler):
    """A log file. Where it cannot be written, one warning says so, and nothing of what was to be written is shown."""

    _told = False

    def handleError(self, record: logging.LogRecord) -> None:
        """Replaces what the library prints here: a record with its exception's message, which may be from outside."""
        if not self._told:
            self._told = True
            refused = sys.exc_info()[1]
            reason = refused.strerror if isinstance(refused, OSError) else type(refused).__name__
            logger.warning("the log file cannot be written (%s): %s", reason, self.baseFilename)


def describe_failure(failure: BaseException) -> str:
    """The types and places of `failure` and of what caused it, the cause first, without any message."""
    chain: list[str] = []
    seen: set[int] = set()
    link: BaseException | None = failure
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        places = traceback.extract_tb(link.__traceback__)
        lines = [f"  {place.filename}:{place.lineno} in {place.name}" for place in places]
        inner = [describe_failure(part) for part in link.exceptions] if isinstance(link, BaseExceptionGroup) else []
        chain.append("\n".join([_kind(link), *lines, *inner]))
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
    return "\n".join(reversed(chain))


def _kind(failure: BaseException) -> str:
    """The type, and of the two kinds whose detail is never from outside, that detail."""
    detail = ""
    if isinstance(failure, ImportError):
        detail = f" {failure.name}"
    elif isinstance(failure, OSError) and failure.errno is not None:
        detail = f" {os.strerror(failure.errno)}"
    return f"{type(failure).__module__}.{type(failure).__qualname__}{detail}"


def set_up(home: Path | None = None, *, verbose: bool = False) -> Path:
    """Write the log to a file in the data folder and warnings to standard error; returns the file's path.

    A data folder that cannot be written leaves only standard error, with one warning that says so: the program may
    then still say what is missing.
    """
    root = logging.getLogger()
    for old in [handler for handler in root.handlers if isinstance(handler.formatter, TypesOnlyFormatter)]:
        root.removeHandler(old)
        old.close()
    root.setLevel(logging.DEBUG if verbose else logging.INFO)
    _add(root, logging.StreamHandler(sys.stderr), logging.WARNING)
    target = paths.log_file(home)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handler = LogFile(target, maxBytes=MAX_FILE_BYTES, backupCount=KEPT_FILES, encoding="utf-8")
    except OSError as refused:
        logger.warning("no log file (%s): %s", refused.strerror, target)
    else:
        _add(root, handler, logging.DEBUG)
    for chatty in ("asyncio", "httpx2", "httpcore2", "openai", "uvicorn"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    return target


def _add(root: logging.Logger, handler: logging.Handler, level: int) -> None:
    handler.setLevel(level)
    handler.setFormatter(TypesOnlyFormatter(FORMAT))
    root.addHandler(handler)


def install_hooks() -> None:
    """Send to the log what no code of this process caught, in the main thread (Qt's slots too) and in all others."""
    sys.excepthook = _on_uncaught
    threading.excepthook = _on_uncaught_in_thread


def watch_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Send to the log what no code of this event loop caught."""
    loop.set_exception_handler(_on_uncaught_in_loop)


def _on_uncaught(kind: type[BaseException], failure: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    logger.critical("nobody caught this", exc_info=(kind, failure, trace))


def _on_uncaught_in_thread(caught: threading.ExceptHookArgs) -> None:
    name = caught.thread.name if caught.thread else "an ended thread"
    if caught.exc_value is not None:
        logger.critical("nobody caught this in the thread %s", name, exc_info=caught.exc_value)


def _on_uncaught_in_loop(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    # Where there is a loop it is loaded; at the start of the program it would only delay the first window.
    import asyncio

    failure = context.get("exception")
    task = context.get("task") or context.get("future")
    name = task.get_name() if isinstance(task, asyncio.Task) else "a callback"
    logger.error("nobody caught this in the event loop, in %s", name, exc_info=failure)
