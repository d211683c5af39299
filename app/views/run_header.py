"""Fills the header from the timeline: the only place that words a run's state for its first line."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from app.clock import mono_ns
from app.core import describe
from app.core.events import RunStatus
from app.core.moment import Moment, RunState
from app.core.untrusted import beginning
from app.views.header import HeaderBar
from app.views.models.timeline_model import TimelineModel
from app.views.theme import Tone

STATE_TONES: dict[RunState, Tone] = {
    "starting": "dim",
    "thinking": "accent",
    "waiting": "hold",
    "held": "hold",
    "acting": "accent",
    "in_person": "hold",
    "stopping": "hold",
    "ended": "dim",
    "cut_off": "danger",
}
STATUS_TONES: dict[RunStatus, Tone] = {
    "finished": "clear",
    "stopped": "dim",
    "failed": "danger",
    "needs_reconciling": "hold",
}
MOST_TASK_CHARS = 300


def state_words(moment: Moment) -> tuple[str, Tone]:
    """The state of the run in words, and its tone."""
    ended = moment.ended
    if ended is not None:
        # Unverified: the model alone says so.
        tone: Tone = "hold" if ended.verification == "unverified" else STATUS_TONES[ended.status]
        return describe.ending_words(ended), tone
    return describe.RUN_STATES[moment.state], STATE_TONES[moment.state]


def elapsed_words(millis: int) -> str:
    """``01:42``, or ``1:01:42`` from an hour on."""
    secs = max(0, millis) // 1000
    hours, minutes, seconds = secs // 3600, secs // 60 % 60, secs % 60
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes:02d}:{seconds:02d}"


class RunHeader(QObject):
    """Keeps one header in step with one timeline."""

    def __init__(self, header: HeaderBar, model: TimelineModel) -> None:
        super().__init__(header)
        self._header = header
        self._model = model
        self._task = ""
        self._said = ""
        self.stopping = False
        header.tick.connect(self._say_elapsed)
        model.moment_changed.connect(self.refresh)
        self.refresh()

    def say_stopping(self) -> None:
        """A stop was asked for; it may take a while until it is on record."""
        self.stopping = True
        self.refresh()

    def refresh(self) -> None:
        """Say everything as of the moment."""
        header, moment, model = self._header, self._model.moment, self._model
        run = model.timeline.run
        task = run.task if run is not None else ""
        if task != self._task:
            self._task = task
            header.set_task(beginning(task, MOST_TASK_CHARS) if task else "")
        words, tone = state_words(moment)
        if self.stopping and model.live and moment.ended is None:
            words, tone = describe.RUN_STATES["stopping"], STATE_TONES["stopping"]
        if not model.following:
            words = f"{words} · looking back" if model.live else words
        if words != self._said:
            self._said = words
            header.say_state(words, tone)
            # Said aloud to those who cannot see the dot turn amber.
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(header, f"Run: {words}"))
        header.say_held(moment.holding_all)
        header.hold_button.setEnabled(model.live and moment.ended is None)
        header.turn.setText(f"turn {moment.turn} of {moment.max_steps}" if moment.max_steps else "")
        header.counts.setText(describe.count_words(moment.asked, moment.allowed, moment.denied, moment.answered))
        header.tokens.setText(f"{moment.tokens:,} tokens")
        header.stop_button.setEnabled(model.live and not self.stopping and not Moment(model.timeline).stop_requested)
        header.run_clock(model.live and model.following)
        self._say_elapsed()

    def _say_elapsed(self) -> None:
        model = self._model
        timeline, seq = model.timeline, model.seq
        if not timeline.started_wall_ms:
            self._header.elapsed.setText("")
            return
        live = model.live and model.following
        self._header.elapsed.setText(
            elapsed_words(timeline.elapsed.now(mono_ns()) if live else timeline.elapsed.at(seq))
        )
