"""The panels around the stage: which there are, where they stand at first, and the title line each of them has."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.views.style import mark
from app.views.widgets.elided_label import ElidedLabel
from app.views.widgets.icon_button import IconButton

LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True)
class DockSpec:
    """One panel of the window."""

    key: str
    title: str
    area: Qt.DockWidgetArea
    module: str
    """Where its class lies; imported when a run is shown, after the window's first paint."""
    class_name: str
    share: int
    """Its part of the height of its column at first."""
    waiting: str
    """What stands there until there is a run."""
    behind: str = ""
    """The panel of the same column that it is a tab behind, at first."""


DOCKS: tuple[DockSpec, ...] = (
    DockSpec(
        "pending",
        "Pending calls",
        LEFT,
        "app.views.inspector.pending_calls",
        "PendingCallsPanel",
        3,
        "Calls that the model wants to make appear here, in the order in which they will be asked.",
    ),
    DockSpec(
        "page_read",
        "Page read",
        LEFT,
        "app.views.inspector.page_read",
        "PageReadPanel",
        5,
        "What the model has read of the page appears here: its text, and each element it can act on.",
    ),
    DockSpec(
        "conversation",
        "Conversation",
        LEFT,
        "app.views.inspector.conversation",
        "ConversationPanel",
        5,
        "What the model and you say appears here.",
    ),
    DockSpec(
        "ask",
        "Ask",
        RIGHT,
        "app.views.asked.ask_panel",
        "AskPanel",
        6,
        "Each question of the run appears here as it was shown, with its answer.",
    ),
    DockSpec(
        "ledger",
        "Ledger",
        RIGHT,
        "app.views.inspector.ledger",
        "LedgerPanel",
        3,
        "What is on disk appears here: the revision, and what was done, not done or may have happened.",
    ),
    DockSpec(
        "diagnostics",
        "Diagnostics",
        RIGHT,
        "app.views.inspector.diagnostics",
        "DiagnosticsPanel",
        4,
        "How long each stage of a call took appears here.",
    ),
    DockSpec(
        "events",
        "Events",
        RIGHT,
        "app.views.timeline.events_panel",
        "EventsPanel",
        5,
        "Every event on record appears here.",
        "diagnostics",
    ),
    DockSpec(
        "rules",
        "Rules",
        RIGHT,
        "app.views.rules.rules_panel",
        "RulesPanel",
        3,
        "The rules that answer in this run's name appear here, in their order. What none answers is put to you.",
        "ledger",
    ),
    DockSpec(
        "breakpoints",
        "Breakpoints",
        RIGHT,
        "app.views.debugger.breakpoints_panel",
        "BreakpointsPanel",
        3,
        "Breakpoints of the run file, and those that you add, appear here with how often each has fitted.",
        "ask",
    ),
    DockSpec(
        "programs",
        "Programs and jobs",
        LEFT,
        "app.views.programs.programs_panel",
        "ProgramsPanel",
        5,
        "Programs that the model writes appear here with their calls, and what runs in the background.",
        "page_read",
    ),
    DockSpec(
        "code",
        "Code",
        LEFT,
        "app.views.code.code_panel",
        "CodePanel",
        5,
        "Each piece of code that the model writes appears here, with what it says and the variables that stay.",
        "page_read",
    ),
    DockSpec(
        "timeline",
        "Timeline",
        BOTTOM,
        "app.views.timeline.timeline_panel",
        "TimelinePanel",
        1,
        "The pictures of the run appear here in order, with what was asked and done at each.",
    ),
    DockSpec(
        "event",
        "Event",
        RIGHT,
        "app.views.inspector.event_panel",
        "EventPanel",
        5,
        "The event at the cursor appears here as it is on record, as JSON.",
        "ask",
    ),
    DockSpec(
        "figures",
        "Figures",
        RIGHT,
        "app.views.inspector.figures",
        "FiguresPanel",
        3,
        "How long model, operator and driver took, and the tokens of the run, appear here.",
        "ledger",
    ),
    DockSpec(
        "find",
        "Find",
        LEFT,
        "app.views.find.find_panel",
        "FindPanel",
        5,
        "Words that the run says can be searched here.",
        "conversation",
    ),
    DockSpec(
        "marks",
        "Marks",
        LEFT,
        "app.views.marks.marks_panel",
        "MarksPanel",
        5,
        "Marks and notes that you set on a saved run appear here.",
        "conversation",
    ),
    DockSpec(
        "protocol",
        "Protocol",
        RIGHT,
        "app.views.inspector.protocol",
        "ProtocolPanel",
        5,
        "Requests and answers as they went over the wire appear here.",
        "diagnostics",
    ),
)


class DockTitle(QWidget):
    """A panel's title line: its name, what it holds in a few words, its own controls, and how to put it away.

    Signals:
        close_wanted: hide the panel.
        float_wanted: take the panel out of the window, or put it back.
    """

    close_wanted = Signal()
    float_wanted = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("panel", "title")
        self.title = QLabel(title, self)
        mark(self.title, role="heading")
        self.summary = ElidedLabel(parent=self)
        mark(self.summary, role="secondary")
        self.summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        floating = IconButton("float", f"Take {title} out of the window, or put it back", self)
        closing = IconButton("close", f"Hide {title}", self)
        floating.clicked.connect(self.float_wanted)
        closing.clicked.connect(self.close_wanted)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 3, 4, 3)
        self._row.setSpacing(2)
        self._row.addWidget(self.title)
        self._row.addWidget(self.summary, 1)
        self._row.addSpacing(4)
        self._row.addWidget(floating)
        self._row.addWidget(closing)

    def put_extra(self, extra: QWidget) -> None:
        """Put the panel's own controls where the summary stands."""
        self.summary.setVisible(False)
        self._row.insertSpacing(1, 12)
        self._row.insertWidget(2, extra, 1)

    def say(self, words: str) -> None:
        """What the panel holds: ``3``, ``5 elements``."""
        self.summary.say(words)


class PanelDock(QDockWidget):
    """One panel as a card that can be moved, floated, hidden; empty but for words until `fill` is called."""

    def __init__(self, spec: DockSpec, parent: QWidget) -> None:
        super().__init__(spec.title, parent)
        self.spec = spec
        self.setObjectName(f"dock_{spec.key}")
        self.setAccessibleName(spec.title)
        self.panel: QWidget | None = None
        self.title_line = DockTitle(spec.title, self)
        self.title_line.close_wanted.connect(self.close)
        self.title_line.float_wanted.connect(lambda: self.setFloating(not self.isFloating()))
        self.setTitleBarWidget(self.title_line)
        self._card = QFrame(self)
        self._card.setProperty("panel", "body")
        self._column = QVBoxLayout(self._card)
        self._column.setContentsMargins(1, 0, 1, 1)
        self._column.setSpacing(0)
        self._waiting = QLabel(spec.waiting, self._card)
        self._waiting.setWordWrap(True)
        self._waiting.setTextFormat(Qt.TextFormat.PlainText)
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._waiting.setContentsMargins(12, 2, 12, 12)
        mark(self._waiting, role="secondary")
        self._column.addWidget(self._waiting, 1)
        self.setWidget(self._card)

    def fill(self, panel: QWidget) -> None:
        """Put the panel in; a panel with a `summary_changed` signal and a `summary` fills the title line too."""
        self.panel = panel
        self._waiting.setVisible(False)
        self._column.addWidget(panel, 1)
        if panel.sizePolicy().verticalPolicy() == QSizePolicy.Policy.Maximum:
            # More height would be empty; it belongs to the stage.
            self._card.setMaximumHeight(panel.sizeHint().height() + 1)
        extra = getattr(panel, "title_extra", None)
        if isinstance(extra, QWidget):
            self.title_line.put_extra(extra)
        if hasattr(panel, "summary_changed"):
            panel.summary_changed.connect(self.title_line.say)
            self.title_line.say(str(getattr(panel, "summary", "")))
