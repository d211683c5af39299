"""Searches all that is on record of the run: what was said, asked, read, answered. Choosing a find goes there."""

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.replay.cursor import Seek
from app.replay.search import MOST_FOUND, Hit
from app.views.find.searcher import Found, Searcher
from app.views.inspector.panel import InspectorPanel
from app.views.inspector.rows import SIDE, Row, RowsModel, RowsView
from app.views.models.timeline_model import TimelineModel
from app.views.stage.subject import clock_words
from app.views.timeline.dots import lane_of
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.text_flow import Outside, Words

TYPING_MS = 150
AROUND_CHARS = 60


class FindPanel(InspectorPanel):
    """A field and what was found; the find at the cursor, or the last before it, is the current one."""

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(model, "Find", parent)
        self._timeline_model = model
        self._showing = False
        self._searched_upto = 0
        self._soon_search = QTimer(self)
        self._soon_search.setSingleShot(True)
        self._soon_search.setInterval(TYPING_MS)
        self._soon_search.timeout.connect(self.search)
        self.searcher = Searcher(model.timeline, self)
        self.searcher.found.connect(self._on_found)
        self.field = QLineEdit(self)
        self.field.setObjectName("find_field")
        self.field.setAccessibleName("Words to find in this run")
        self.field.setPlaceholderText("Words that the run says")
        self.field.setClearButtonEnabled(True)
        # IMPORTANT: in a live run never focused by itself, or a question would wait for this field to be left.
        self.field.setFocusPolicy(Qt.FocusPolicy.ClickFocus if model.live else Qt.FocusPolicy.StrongFocus)
        self.field.textEdited.connect(self._on_typed)
        self.field.returnPressed.connect(self.to_next)
        self.rows = RowsModel(self)
        self.view = RowsView("What was found", self)
        self.view.setModel(self.rows)
        self.empty_words = EmptyWords(
            self.view,
            "Everything on record is searched: what was said, asked, read and answered. Enter goes to the next.",
        )
        head = QHBoxLayout()
        head.setContentsMargins(SIDE, 2, SIDE, 2)
        head.addWidget(self.field)
        self.column.addLayout(head)
        self.column.addWidget(self.view, 1)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        self.view.activated.connect(self._go)

    def start_typing(self) -> None:
        """Put the keyboard into the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _on_typed(self, text: str) -> None:
        self._soon_search.start()

    def search(self) -> None:
        """Look for what stands in the field."""
        self._soon_search.stop()
        words = self.field.text()
        if words.strip():
            self.say_summary("searching…")
            self.searcher.want(words)
        else:
            self._show(())
            self.say_summary("")

    def to_next(self) -> None:
        """Go to the first find after the cursor, and from the last one to the first."""
        here = self._timeline_model.seq
        seqs: list[int] = [self.rows.row(at).subject for at in range(self.rows.rowCount())]
        if not seqs:
            self.search()
            return
        goal = next((seq for seq in seqs if seq > here), seqs[0])
        self._timeline_model.do(Seek(goal))

    def refresh(self) -> None:
        """Mark the find at the cursor; look again when events have come since."""
        if self.field.text().strip() and self._timeline_model.timeline.last_seq > self._searched_upto:
            self._soon_search.start()
        here = self._timeline_model.seq
        at = next((at for at in range(self.rows.rowCount()) if self.rows.row(at).subject == here), None)
        if at is not None:
            self._showing = True
            try:
                self.view.setCurrentIndex(self.rows.index(at))
            finally:
                self._showing = False

    def close_down(self) -> None:
        """Find nothing more."""
        self._soon_search.stop()
        self.searcher.close()

    def _on_found(self, found: Found) -> None:
        if found.wanted != self.field.text():
            return
        self._searched_upto = found.upto
        self._show(found.hits)
        count = len(found.hits)
        self.say_summary(f"the first {count:,}" if count == MOST_FOUND else f"{count:,}" if count else "nothing found")
        self.refresh()

    def _show(self, hits: tuple[Hit, ...]) -> None:
        self._showing = True
        try:
            self.rows.show_rows([self._row(hit) for hit in hits])
        finally:
            self._showing = False

    def _row(self, hit: Hit) -> Row:
        recorded = self._timeline_model.timeline.events[hit.seq - 1]
        tone = lane_of(recorded.event)[1]
        runs = (
            Outside(hit.found, strong=True),
            Words(" "),
            Outside(hit.after.strip()[:AROUND_CHARS], tone="dim"),
            Words("  after  ", "dim", "small"),
            Outside(hit.before.strip()[-AROUND_CHARS:], tone="dim"),
        )
        return Row(f"{hit.seq:,}", tone, runs, clock_words(recorded.wall_ms), hit.seq)

    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid() and not self._showing and not self.view.entering:
            self._go(current)

    def _go(self, index: QModelIndex) -> None:
        self._timeline_model.do(Seek(self.rows.row(index.row()).subject))
