"""What is loaded is searched no more; what a run leaves behind still is."""

import gc
import weakref

from app.runner.garbage import spare_what_is_loaded


class Left:
    """Refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.me = self


def test_only_what_there_is_at_the_first_call_is_spared() -> None:
    gc.unfreeze()  # a run of an earlier test may have been the first
    gc.collect()
    spare_what_is_loaded()
    spared = gc.get_freeze_count()
    assert spared > len(gc.get_objects())
    left = Left()
    gone = weakref.ref(left)
    spare_what_is_loaded()
    del left
    gc.collect()
    assert gone() is None
    assert gc.get_freeze_count() <= spared
