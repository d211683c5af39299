"""``signalbox secret``: a password or token for a browser or desktop elsewhere goes into the system's key store."""

import click

from app.cli.terminal import say
from app.core.errors import UsageProblem


def change_secret(name: str, address: str, *, remove: bool, allow_plain: bool) -> None:
    """Ask for it without showing it, or forget it. Raises `MissingHere`, `NoKeyStore`."""
    from app.elsewhere import place_of
    from app.keystore import keep_secret, system_store

    where = place_of(address, allow_plain=allow_plain)
    # Nobody is asked for what then cannot be kept.
    store = system_store()
    text = None if remove else click.prompt(f"Secret for {where}", hide_input=True, default="", show_default=False)
    if text == "":
        raise UsageProblem("an empty secret is none: nothing was kept")
    keep_secret(name, where, text, store)
    say(f"{'Forgotten' if remove else 'Kept'}: {name} for {where}")
