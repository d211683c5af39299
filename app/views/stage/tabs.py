"""The driven browser's tabs: which there were at a moment, and the strip that shows them. All of it is outside text."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.core.moment import Moment
from app.views.stage.subject import Place, address_in
from app.views.style import mark
from app.views.widgets.elided_label import ElidedLabel

MOST_SHOWN = 12


@dataclass(frozen=True)
class TabShown:
    """One tab of the driven browser."""

    tab_id: str
    url: str
    title: str
    active: bool


def tabs_at(moment: Moment, here: Place | None = None) -> list[TabShown]:
    """The tabs in the order they were opened; `here` is the page on the stage, whose title nothing else knows."""
    tabs: dict[str, TabShown] = {}
    active = ""
    for change in moment.timeline.page_changes.upto(moment.seq):
        tab_id = change.tab_id
        if tab_id is None:
            continue
        if change.kind == "tab_closed":
            tabs.pop(tab_id, None)
            continue
        known = tabs.setdefault(tab_id, TabShown(tab_id, "", "", False))
        if change.kind == "tab_switched":
            active = tab_id
        elif change.kind in ("tab_opened", "navigation") and change.detail:
            tabs[tab_id] = replace(known, url=address_in(change.detail), title="")
    if here is not None and here.tab_id:
        known = tabs.get(here.tab_id, TabShown(here.tab_id, here.url, "", False))
        tabs[here.tab_id] = replace(known, url=here.url or known.url, title=here.title)
        active = active or here.tab_id
    return [replace(tab, active=tab.tab_id == active) for tab in tabs.values()]


class TabStrip(QWidget):
    """Shows nothing while there is one tab or none: the caption says it all then.

    Signals:
        chosen: the id of a tab that was pressed while a person has control; at no other time can anything be pressed.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tab_strip")
        self.setAccessibleName("Tabs of the driven browser")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 0, 8, 0)
        self._row.setSpacing(6)
        self._shown: list[TabShown] = []
        self._ids: dict[QObject, str] = {}
        self.pressable = False
        self.setVisible(False)

    def show_tabs(self, tabs: list[TabShown]) -> None:
        """Replace what is shown."""
        if tabs == self._shown:
            return
        self._shown = tabs
        self._ids.clear()
        while (item := self._row.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for number, tab in enumerate(tabs[:MOST_SHOWN], start=1):
            label = ElidedLabel(parent=self)
            label.quote(tab.title or tab.url or tab.tab_id)
            label.setAccessibleName(f"tab {number}{', active' if tab.active else ''}: {label.text()}")
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            label.setProperty("chip", "active" if tab.active else "plain")
            mark(label, tone="text" if tab.active else "dim")
            self._ids[label] = tab.tab_id
            label.installEventFilter(self)
            self._row.addWidget(label, 0, Qt.AlignmentFlag.AlignLeft)
        if len(tabs) > MOST_SHOWN:
            self._row.addWidget(ElidedLabel(f"and {len(tabs) - MOST_SHOWN} more", self))
        self._row.addStretch(1)
        self.setVisible(len(tabs) > 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        tab_id = self._ids.get(watched)
        if self.pressable and tab_id is not None and event.type() == QEvent.Type.MouseButtonRelease:
            self.chosen.emit(tab_id)
            return True
        return False
