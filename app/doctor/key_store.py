"""Whether this machine has a key store of its own, for seals and for secrets of browsers and desktops elsewhere."""

from pathlib import Path

from app.doctor.finding import Finding, State
from app.doctor.system import System
from app.keystore import NoKeyStore, system_store

WHAT = "Key store"


def check_key_store(system: System, home: Path) -> Finding:
    """Nothing but seals and such secrets needs one; it is not unlocked for this."""
    try:
        store = system_store()
    except NoKeyStore as missing:
        says = f"No run can be sealed, and no secret be kept for a browser or desktop elsewhere: {missing}."
        return Finding(what=WHAT, state=State.NOTE, says=says)
    kept = "It keeps the key of seals, and secrets for browsers and desktops elsewhere"
    return Finding(what=WHAT, state=State.OK, says=f"{kept}: {type(store).__module__.rpartition('.')[2]}")
