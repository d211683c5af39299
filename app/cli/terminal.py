"""What the commands print: a terminal obeys control characters, and none of a page, a model or a file gets there."""

import unicodedata

import click

_LINES = "\n\t"
_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of what a terminal acts on instead of showing it, or of what changes the order of what it shows."""


def say(words: str, *, err: bool = False) -> None:
    """Print `words` with a line end."""
    click.echo(harmless(words), err=err)


def harmless(words: str) -> str:
    """`words` with each character that a terminal would obey named in its place."""
    if words.isascii() and words.isprintable():
        return words
    # Not before the first window is painted: most commands never need it.
    from app.core.untrusted import code_of

    return "".join(
        one if one in _LINES or unicodedata.category(one) not in _OBEYED else f"⟦{code_of(one)}⟧" for one in words
    )
