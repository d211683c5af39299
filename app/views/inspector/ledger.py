"""What is on disk: the newest checkpoint, and how many effects ended in each of the three words."""

from datetime import UTC, datetime

from PySide6.QtWidgets import QWidget

from app.core.describe import OUTCOMES, phase_words
from app.core.events import CheckpointSaved, Outcome
from app.core.moment import Moment
from app.core.sealed import SealFound, SealState
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import Row, RowsModel, RowsView
from app.views.theme import Tone
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.text_flow import Outside, Words

SEAL_TONES: dict[SealState, Tone] = {
    "not_sealed": "dim",
    "whole": "clear",
    "partly": "hold",
    "altered": "danger",
    "cannot_tell": "hold",
}
_TONES: dict[Outcome, Tone] = {"done": "clear", "not_done": "dim", "may_have_happened": "hold"}


class LedgerPanel(InspectorPanel):
    """A few rows that are filled in as the run goes on."""

    def __init__(self, model: MomentSource, parent: QWidget | None = None) -> None:
        super().__init__(model, "Ledger", parent)
        self.rows = RowsModel(self)
        self.view = RowsView("What is on disk", self)
        self.view.setModel(self.rows)
        self.empty_words = EmptyWords(
            self.view, "What is on disk appears here: the revision, and what was done, not done or may have happened."
        )
        self.column.addWidget(self.view)

    def refresh(self) -> None:
        moment = self._model.moment
        rows = _rows(moment) if moment.seq else []
        seal = getattr(self._model, "seal", None)
        self.rows.show_rows([*_seal(seal), *rows] if rows and seal is not None else rows)
        checkpoint = moment.timeline.checkpoints.last(moment.seq)
        self.say_summary(f"revision {checkpoint.revision:,}" if checkpoint is not None else "")


def _rows(moment: Moment) -> list[Row]:
    rows = [_revision(moment.timeline.checkpoints.last(moment.seq))]
    counts = moment.outcomes()
    for outcome, words in OUTCOMES.items():
        tone = _TONES[outcome] if counts[outcome] else "dim"
        rows.append(Row(words, tone, (Outside(f"{counts[outcome]:,}"),)))
    if (segment := moment.timeline.segments.last(moment.seq)) is not None and segment.number > 1:
        begun = Words(f" begun at revision {segment.base_revision:,}", "dim", "small")
        rows.append(Row("segment", "dim", (Outside(f"{segment.number:,}"), begun)))
    rows.append(Row("events", "dim", (Outside(f"{moment.timeline.events.count(moment.seq):,}"),)))
    if (failures := moment.timeline.failures.count(moment.seq)) > 0:
        rows.append(Row("failures", "danger", (Outside(f"{failures:,}"),)))
    return rows


def _seal(found: SealFound) -> list[Row]:
    """Of the whole record, wherever the cursor stands."""
    rows = [Row("seal", "dim", (Words(found.words, SEAL_TONES[found.state]),))]
    if found.key:
        when = ""
        if found.sealed_wall_ms:
            when = f"{datetime.fromtimestamp(found.sealed_wall_ms / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"
        rows.append(Row("by key", "dim", (Outside(found.key),), when))
    return rows


def _revision(checkpoint: CheckpointSaved | None) -> Row:
    if checkpoint is None:
        return Row("revision", "dim", (Words("none saved yet", "dim"),))
    text = f"{checkpoint.revision:,} · {phase_words(checkpoint.phase)}"
    return Row("revision", "dim", (Outside(text),), f"saved {checkpoint.save_ms:.1f} ms")
