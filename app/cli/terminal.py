"""What the commands print: a terminal obeys control characters, and none of a page, a model or a file gets there."""

import errno
import os
import sys
import unicodedata

import click

from app.core.errors import SignalboxError

_LINES = "\n\t"
_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of what a terminal acts on instead of showing it, or of what changes the order of what it shows."""


class Unprintable(SignalboxError):
    """What a command was to print cannot be written: a full disk, a device that takes nothing."""


def say(words: str, *, err: bool = False) -> None:
    """Print `words` with a line end. That nobody reads standard error ends no command.

    Raises:
        Unprintable: standard output takes no more.
        BrokenPipeError: nobody reads it any more.
    """
    try:
        click.echo(harmless(words), err=err)
    except OSError as error:
        _let_go(sys.stderr if err else sys.stdout)
        if err:
            return
        if error.errno == errno.EPIPE:
            raise
        raise Unprintable(f"what is printed cannot be written ({error.strerror})") from error


def say_of_run(words: str) -> None:
    """Print `words` about a run. It is on record, and its exit code stands, whether anybody reads them or not."""
    try:
        say(words)
    except Unprintable as problem:
        say(str(problem), err=True)
    except BrokenPipeError:
        return


def _let_go(stream: object) -> None:
    """Write to nothing from here on: what is left in the buffer would fail once more when the program ends."""
    try:
        descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(descriptor, stream.fileno())  # type: ignore[attr-defined]
        os.close(descriptor)
    except (OSError, AttributeError, ValueError):
        # Not a file of the system: there is nothing left to flush.
        return


def harmless(words: str) -> str:
    """`words` with each character that a terminal would obey named in its place."""
    if words.isascii() and words.isprintable():
        return words
    # Not before the first window is painted: most commands never need it.
    from app.core.untrusted import code_of

    return "".join(
        one if one in _LINES or unicodedata.category(one) not in _OBEYED else f"⟦{code_of(one)}⟧" for one in words
    )
