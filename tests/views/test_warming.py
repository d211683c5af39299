"""What a run's window needs is loaded before a run is chosen, and nothing of it is forgotten."""

import sys

from pytestqt.qtbot import QtBot

from app.views.docks import DOCKS
from app.views.runs.runs_window import RunsWindow
from app.views.warming import FIRST, load_first

WAIT_MS = 60_000


def test_the_list_of_runs_loads_them_one_by_one(qtbot: QtBot) -> None:
    window = RunsWindow(settings_path=None)
    try:
        window.show_runs(list)
        assert window.warming is not None
        assert window.warming.left == [*FIRST, *(spec.module for spec in DOCKS)]
        with qtbot.waitSignal(window.warming.done, timeout=WAIT_MS):
            window.show()
        assert window.warming.left == []
    finally:
        window.close()
    assert all(name in sys.modules for name in (*FIRST, *(spec.module for spec in DOCKS)))


def test_what_the_first_picture_needs_is_named_as_it_is_called() -> None:
    load_first()
    assert all(name in sys.modules for name in FIRST)
