"""What the View menu and its keys do: panels, theme, layout, a picture of the window, the list of keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from app.views.commands import make_action, tip
from app.views.stop_all import stop_all
from app.views.style import Choice

if TYPE_CHECKING:
    from app.views.window import ConsoleWindow

LAST_DIGIT = 10
"""The tenth panel has Alt+0; further ones have no key."""

CHOICES: tuple[Choice, ...] = ("system", "light", "dark")


class ViewMenu(QObject):
    """Owns the actions; each works by its keys too."""

    def __init__(self, window: ConsoleWindow) -> None:
        super().__init__(window)
        self._window = window
        self._hidden: list[str] = []
        self._stop: QAction | None = None
        self.alone = make_action(window, "stage_alone", self.stage_alone)
        menu = window.header
        for number, dock in enumerate(window.docks.values(), start=1):
            toggle = dock.toggleViewAction()
            if number <= LAST_DIGIT:
                toggle.setShortcut(f"Alt+{number % LAST_DIGIT}")
            window.addAction(toggle)
            menu.add_to_menu(toggle)
        menu.add_to_menu(
            None,
            self.alone,
            make_action(window, "next_panel", self.next_panel),
            make_action(window, "default_layout", window.default_layout),
            None,
            self._themes_menu(),
            self._sound_action(),
            make_action(window, "save_picture", self.save_picture),
            make_action(window, "show_keys", self.show_keys),
            None,
            make_action(window, "close_window", window.close),
        )

    def _sound_action(self) -> QAction:
        action = make_action(self._window, "sound", self.toggle_sound)
        action.setCheckable(True)
        action.setChecked(self._window.memory.sound)
        return action

    def toggle_sound(self) -> None:
        """A question is heard, or is not; remembered."""
        self._window.memory.sound = not self._window.memory.sound

    def _themes_menu(self) -> QAction:
        """A menu of its own: with them the View menu was higher than a small screen."""
        menu = QMenu("Theme", self._window)
        group = QActionGroup(self)
        actions = []
        for choice in CHOICES:
            action = make_action(self._window, f"theme_{choice}", partial(self.choose_theme, choice))
            action.setCheckable(True)
            action.setChecked(self._window.looks.choice == choice)
            group.addAction(action)
            actions.append(action)
        self._themes = dict(zip(CHOICES, actions, strict=True))
        make_action(self._window, "toggle_theme", self.toggle_theme)
        menu.addActions(actions)
        return menu.menuAction()

    def add_run_actions(self, *, live: bool) -> None:
        """Put *Stop run* into force for a live run."""
        if live:
            self._stop = make_action(self._window, "stop_run", self._window.stop_wanted.emit)
            self._window.header.stop_button.setToolTip(self._stop.toolTip())
            make_action(self._window, "hold_all", self._window.header.hold_pressed.emit)
            self._window.header.hold_button.setToolTip(tip("hold_all"))
            if self._window.stage is not None:
                make_action(self._window, "take_control", self._window.stage.control.toggle)
            everywhere = make_action(self._window, "stop_all", stop_all)
            self._window.header.add_to_menu(None, everywhere)

    def choose_theme(self, choice: Choice) -> None:
        """Follow the system, or stay light or dark; remembered."""
        self._window.looks.choose(choice)
        self._window.memory.theme = choice
        self._themes[choice].setChecked(True)

    def toggle_theme(self) -> None:
        """The other one of light and dark."""
        self.choose_theme(self._window.looks.toggled)

    def stage_alone(self) -> None:
        """Hide all panels, or bring back those that were hidden."""
        docks = self._window.docks
        shown = [key for key, dock in docks.items() if dock.isVisible()]
        if shown:
            self._hidden = shown
        for key, dock in docks.items():
            dock.setVisible(not shown and key in (self._hidden or docks))

    def next_panel(self) -> None:
        """Move the keyboard to the next panel on the screen."""
        places: list[QWidget] = [dock for dock in self._window.docks.values() if dock.isVisible()]
        if not places:
            return
        focus = self._window.focusWidget()
        inside = [at for at, place in enumerate(places) if focus in place.findChildren(QWidget)]
        start = inside[0] + 1 if inside else 0
        for step in range(len(places)):
            if _focus_first(places[(start + step) % len(places)]):
                return

    def save_picture(self) -> None:
        """Ask where to, then save what the window shows."""
        from app.views.snapshot import ask_and_save

        ask_and_save(self._window)

    def show_keys(self) -> None:
        """All keys, as a list."""
        from app.views.keys_dialog import KeysDialog

        KeysDialog(self._window).open()


def _focus_first(place: QWidget) -> bool:
    from PySide6.QtCore import Qt

    panel = getattr(place, "panel", None) or place
    for widget in [panel, *panel.findChildren(QWidget)]:
        if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return True
    return False
