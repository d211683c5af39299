"""How the whole program looks: fonts, palette, style sheet; the system's light or dark, or a person's choice.

Widgets name a *tone* or a *role* (`mark`) and never a colour; those that paint themselves ask `theme()` while painting.
"""

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from app import paths
from app.views.theme import DARK, LIGHT, Theme, Tone

Choice = Literal["system", "light", "dark"]
Role = Literal["name", "title", "strong", "heading", "secondary"]

TEXT_POINTS, SECONDARY_POINTS, TITLE_POINTS = 10.0, 9.0, 15.0
GRID, GAP = 8, 12
"""Pixels: the grid within a panel, and the space between panels."""

_sheet_template: str | None = None


class Appearance(QObject):
    """The one owner of the program's looks; lives as long as the application.

    Signals:
        changed: the theme in force is another one; what paints itself should update.
    """

    changed = Signal()

    def __init__(self, qapp: QApplication) -> None:
        super().__init__(qapp)
        self.setObjectName("appearance")
        self.choice: Choice = "system"
        self.theme: Theme = LIGHT
        self._qapp = qapp
        self._system = qapp.styleHints().colorScheme()
        qapp.setStyle("Fusion")
        _load_fonts()
        qapp.setFont(text_font())
        qapp.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)
        self._put_on(self._wanted())

    def choose(self, choice: Choice) -> None:
        """Follow the system, or stay light or dark."""
        self.choice = choice
        if (wanted := self._wanted()) is not self.theme:
            self._put_on(wanted)
            self.changed.emit()

    @property
    def toggled(self) -> Choice:
        """The other one of light and dark."""
        return "light" if self.theme.name == "dark" else "dark"

    def _wanted(self) -> Theme:
        if self.choice == "system":
            return DARK if self._system == Qt.ColorScheme.Dark else LIGHT
        return DARK if self.choice == "dark" else LIGHT

    def _put_on(self, theme: Theme) -> None:
        self.theme = theme
        self._qapp.setPalette(palette(theme))
        self._qapp.setStyleSheet(style_sheet(theme))

    def _on_scheme_changed(self, scheme: Qt.ColorScheme) -> None:
        self._system = scheme
        self.choose(self.choice)


def appearance(qapp: QApplication | None = None) -> Appearance:
    """The application's `Appearance`, made at the first call."""
    instance = qapp or QApplication.instance()
    if not isinstance(instance, QApplication):
        raise RuntimeError("the looks need a QApplication first")
    found = instance.findChild(Appearance, "appearance")
    return found if found is not None else Appearance(instance)


def theme() -> Theme:
    """The colours in force; asked for while painting, never kept."""
    return appearance().theme


def colour(tone: Tone) -> QColor:
    """The colour of a text tone in the theme in force."""
    return QColor(theme().tone(tone))


def mark(widget: QWidget, *, tone: Tone | None = None, role: Role | None = None) -> None:
    """Give `widget` a tone or a role of the style sheet, now or anew."""
    if tone is not None and widget.property("tone") != tone:
        widget.setProperty("tone", tone)
        _repolish(widget)
    if role is not None and widget.property("role") != role:
        widget.setProperty("role", role)
        _repolish(widget)


def text_font(points: float = TEXT_POINTS, *, bold: bool = False) -> QFont:
    """The console's own words, with figures of equal width."""
    font = QFont(["Inter", QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family(), "Noto Sans"])
    font.setPointSizeF(points)
    font.setFeature(QFont.Tag("tnum"), 1)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def mono_font(points: float = SECONDARY_POINTS) -> QFont:
    """Everything that came from outside. Ligatures are off: they would make two characters look like one."""
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    font = QFont(["JetBrains Mono", fixed, "Noto Sans Mono", "DejaVu Sans Mono"])
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPointSizeF(points)
    for ligature in ("liga", "calt", "clig", "dlig"):
        font.setFeature(QFont.Tag(ligature), 0)
    return font


def palette(of: Theme) -> QPalette:
    """The palette for what the style sheet does not name."""
    made = QPalette()
    group = QPalette.ColorRole
    for role, value in (
        (group.Window, of.background),
        (group.WindowText, of.text),
        (group.Base, of.panel),
        (group.AlternateBase, of.soft),
        (group.Text, of.text),
        (group.PlaceholderText, of.dim),
        (group.Button, of.panel),
        (group.ButtonText, of.text),
        (group.BrightText, of.danger),
        (group.ToolTipBase, of.panel),
        (group.ToolTipText, of.text),
        (group.Highlight, of.accent),
        (group.HighlightedText, of.panel),
        (group.Link, of.accent),
        (group.Light, of.panel),
        (group.Midlight, of.soft),
        (group.Mid, of.line),
        (group.Dark, of.edge),
        (group.Shadow, of.edge),
    ):
        made.setColor(role, QColor(value))
    for role in (group.WindowText, group.Text, group.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(of.dim))
    return made


def style_sheet(of: Theme) -> str:
    """The style sheet with its tokens (``@panel``) put in."""
    global _sheet_template
    if _sheet_template is None:
        _sheet_template = paths.resource_text("style/console.qss")
    sheet = _sheet_template
    for token, value in of.colours().items():
        sheet = sheet.replace(f"@{token}", value)
    # A style sheet draws no lines, so the tick of a checked box is a picture in the panel's colour.
    return sheet.replace("@tick", Path(str(paths.resource(f"style/tick_{of.name}.png"))).as_posix())


def _repolish(widget: QWidget) -> None:
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def _load_fonts() -> None:
    try:
        folder = paths.resource("fonts")
    except FileNotFoundError:
        return
    for font_file in folder.iterdir():
        if font_file.name.endswith((".ttf", ".otf")):
            QFontDatabase.addApplicationFontFromData(font_file.read_bytes())
