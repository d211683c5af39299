"""Every action of the windows in one table: words, keys, purpose. Menus, buttons and tool tips read it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

Place = Literal["run", "debug", "timeline", "view"]


@dataclass(frozen=True)
class ActionSpec:
    """One action. None is on a key that typing, Enter or Space could press by chance."""

    key: str
    place: Place
    words: str
    shortcut: str
    purpose: str


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("stop_run", "run", "Stop run", "Ctrl+Shift+X", "Nothing new starts; what runs is drained and saved"),
    ActionSpec(
        "resume_run", "run", "Resume…", "", "Go on with a run that was cut off or has stopped; a form comes first"
    ),
    ActionSpec("fork_here", "run", "Fork from here…", "", "Begin a new run with all that was said up to the cursor"),
    ActionSpec("export", "run", "Export…", "Ctrl+E", "Hand the saved run on as one file"),
    ActionSpec(
        "stop_all", "run", "Stop all runs", "Ctrl+Shift+F12", "Ends every run at once, from any window or question"
    ),
    ActionSpec("hold_all", "run", "Hold all", "Ctrl+Shift+K", "No rule allows anything: every question is put to you"),
    ActionSpec(
        "take_control", "run", "Take control", "Ctrl+Shift+T", "Use the driven browser yourself, and hand it back"
    ),
    ActionSpec("close_window", "run", "Close window", "Ctrl+W", "A run is stopped first, and saved"),
    ActionSpec("new_run", "run", "New run…", "Ctrl+N", "Set up a run and start it"),
    ActionSpec("start_run", "run", "Start run", "Ctrl+R", "Start the run that is set up"),
    ActionSpec("check_run", "run", "Check", "Ctrl+K", "Look for all that the run needs"),
    ActionSpec("open_run_file", "run", "Open run file…", "Ctrl+O", "Fill the form from a run file"),
    ActionSpec("save_run_file", "run", "Save as run file…", "Ctrl+S", "Write what is filled in as a run file"),
    ActionSpec("debug_run", "debug", "Run", "F5", "Go on to the next breakpoint"),
    ActionSpec("debug_pause", "debug", "Pause", "Pause", "Hold before the next request, where the run can be resumed"),
    ActionSpec("debug_step_turn", "debug", "Step turn", "F8", "Go on to the next request"),
    ActionSpec("debug_step_call", "debug", "Step call", "F10", "Go on to the next call or request"),
    ActionSpec(
        "debug_step_action", "debug", "Step action", "F11", "Go on to the next action of a batch, call or request"
    ),
    ActionSpec("debug_run_to", "debug", "Run to here", "Ctrl+F10", "Go on to the call chosen in Pending calls"),
    ActionSpec("play", "timeline", "Play", "Ctrl+P", "Play the run as it happened, long waits made short"),
    ActionSpec("step_back", "timeline", "Step back", "Ctrl+Left", "To the event before"),
    ActionSpec("step_forward", "timeline", "Step forward", "Ctrl+Right", "To the next event"),
    ActionSpec("previous_ask", "timeline", "Previous ask", "Ctrl+Up", "To the question before"),
    ActionSpec("next_ask", "timeline", "Next ask", "Ctrl+Down", "To the next question"),
    ActionSpec("previous_call", "timeline", "Previous call", "Ctrl+Shift+Left", "To where the call before began"),
    ActionSpec("next_call", "timeline", "Next call", "Ctrl+Shift+Right", "To where the next call begins"),
    ActionSpec("previous_turn", "timeline", "Previous turn", "Ctrl+PgUp", "To the request before"),
    ActionSpec("next_turn", "timeline", "Next turn", "Ctrl+PgDown", "To the next request"),
    ActionSpec("previous_denial", "timeline", "Previous denial", "Ctrl+Shift+Up", "To the denial before"),
    ActionSpec("next_denial", "timeline", "Next denial", "Ctrl+Shift+Down", "To the next denial"),
    ActionSpec(
        "previous_problem", "timeline", "Previous problem", "Ctrl+Shift+PgUp", "To the failure or undone act before"
    ),
    ActionSpec("next_problem", "timeline", "Next problem", "Ctrl+Shift+PgDown", "To the next failure or undone act"),
    ActionSpec("previous_mark", "timeline", "Previous mark", "Alt+Up", "To your mark before"),
    ActionSpec("next_mark", "timeline", "Next mark", "Alt+Down", "To your next mark"),
    ActionSpec("toggle_mark", "timeline", "Mark", "Ctrl+B", "Mark this event, or take its mark away"),
    ActionSpec("edit_note", "timeline", "Note…", "Ctrl+Shift+B", "Write a note on this event"),
    ActionSpec(
        "before_after", "timeline", "Before and after…", "Ctrl+Shift+A", "The screen before and after the action here"
    ),
    ActionSpec("find", "timeline", "Find…", "Ctrl+F", "Search everything that is on record of this run"),
    ActionSpec("next_difference", "timeline", "Next difference", "F7", "Of two runs: to the next step that differs"),
    ActionSpec("previous_difference", "timeline", "Difference before", "Shift+F7", "Of two runs: to the one before"),
    ActionSpec("first_event", "timeline", "To the start", "Ctrl+Home", "To the first event"),
    ActionSpec("follow", "timeline", "Follow the newest", "Ctrl+End", "Move on with each new event"),
    ActionSpec("theme_system", "view", "As the system", "", "Follow the system's light or dark"),
    ActionSpec("theme_light", "view", "Light", "", "Stay light"),
    ActionSpec("theme_dark", "view", "Dark", "", "Stay dark"),
    ActionSpec("toggle_theme", "view", "Light or dark", "Ctrl+Shift+L", "The other one of light and dark"),
    ActionSpec("stage_alone", "view", "Stage alone", "Shift+F11", "Hide all panels, or bring them back"),
    ActionSpec("next_panel", "view", "Next panel", "F6", "Move the keyboard to the next panel"),
    ActionSpec("default_layout", "view", "Default layout", "Ctrl+Shift+0", "All panels where they were at first"),
    ActionSpec("sound", "view", "Sound with a question", "", "A short sound when a question comes"),
    ActionSpec("save_picture", "view", "Save a picture of the window…", "Ctrl+Shift+P", "As a PNG file"),
    ActionSpec("show_keys", "view", "Keyboard…", "F1", "All keys of this window"),
)

BY_KEY = {spec.key: spec for spec in ACTIONS}


def keys_of(actions: tuple[str, ...]) -> list[QKeySequence]:
    """The keys of these actions."""
    return [QKeySequence(BY_KEY[key].shortcut) for key in actions]


def make_action(owner: QWidget, key: str, slot: Callable[[], object]) -> QAction:
    """The action `key` of the table as a `QAction` of `owner`: its keys work anywhere in that window."""
    spec = BY_KEY[key]
    action = QAction(spec.words, owner)
    action.setObjectName(f"action_{key}")
    if spec.shortcut:
        action.setShortcut(QKeySequence(spec.shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
    action.setToolTip(tip(key))
    action.setStatusTip(spec.purpose)
    action.setAutoRepeat(key.startswith(("step", "next", "previous")))
    action.triggered.connect(lambda _checked=False: slot())
    owner.addAction(action)
    return action


def tip(key: str) -> str:
    """``Step forward (Ctrl+Right)``."""
    spec = BY_KEY[key]
    keys = QKeySequence(spec.shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    return f"{spec.words} ({keys})" if keys else spec.words
