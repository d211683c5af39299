"""Keeps Python's garbage collector from standing the window still: what is loaded is not searched over and over."""

import gc


def spare_what_is_loaded() -> None:
    """Leave out of all later collections what there is by now: modules, classes of the SDK, the window.

    With the SDK loaded a full collection took 70 ms, in which no thread runs any Python; it found nothing. Only the
    first call of a process does anything, so that what one run leaves behind is collected while the next one goes on.
    """
    if not gc.get_freeze_count():
        gc.freeze()
