"""Programs with their source and their calls beneath it, and the background jobs with what became of each."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QSplitter, QVBoxLayout, QWidget

from app.core.describe import CALL_STATES, JOB_STATES
from app.core.moment import Moment
from app.core.programs_seen import JobSeen, JobStep, ProgramSeen, asking_line, jobs_at, programs_at
from app.core.timeline import CallRecord, CallState
from app.core.value import Json, json_to_read
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import SIDE, Row, RowsModel, RowsView
from app.views.style import mark
from app.views.theme import Tone
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.outside_text import OutsideCanvas, OutsideText
from app.views.widgets.text_flow import Line, Outside, Run, Words

NO_PROGRAM = "A program that the model writes appears here with its calls, each asked like any other."
NO_JOBS = "Calls that run in the background appear here: how each stands, and with which request its result went."
OWN_LOOP = "This run is driven by the console's own loop"
SDK_LOOP = "This run is driven by the SDK: it has neither programs nor jobs"
CALL_TONES: dict[CallState, Tone] = {
    "asked": "hold",
    "allowed": "clear",
    "running": "accent",
    "done": "clear",
    "denied": "danger",
    "answered": "clear",
    "not_done": "danger",
    "may_have_happened": "hold",
}
_JOB_TONES: dict[JobStep, Tone] = {
    "asked": "hold",
    "running": "accent",
    "ending": "hold",
    "completed": "clear",
    "denied": "danger",
    "failed": "danger",
    "cancelled": "hold",
    "cut_off": "hold",
}
_STEPS: dict[JobStep, str] = {
    "asked": "asked",
    "running": "running",
    "ending": "ending",
    "denied": JOB_STATES["denied"],
    "completed": JOB_STATES["completed"],
    "failed": JOB_STATES["failed"],
    "cancelled": JOB_STATES["cancelled"],
    "cut_off": JOB_STATES["cut_off"],
}
_PROGRAM_TONES: dict[str, Tone] = {"completed": "clear", "running": "accent", "cut off": "hold"}
_SHOWN_CHARS = 200

MOST_CHARS = 20_000
"""A longer source is shown page by page."""


class ProgramsPanel(InspectorPanel):
    """The newest program is shown until another is chosen. *End job* works in a live run, for a job that runs.

    Signals:
        cancel_wanted: the call id of the job to end.
    """

    cancel_wanted = Signal(str)

    def __init__(self, model: MomentSource, parent: QWidget | None = None) -> None:
        super().__init__(model, "Programs and jobs", parent)
        self._code: str | None = None
        self._ending: set[str] = set()
        self.source = OutsideCanvas()
        self.source.setAccessibleName("Source of the program")
        self.long_source = OutsideText("Source of the program", numbered=True, parent=self)
        self.area = QScrollArea(self)
        self.area.setAccessibleName("Source of the program")
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self.source)
        self.source.setAutoFillBackground(False)
        self.tree = RowsModel(self)
        self.tree_view = self._list("Programs and their calls", self.tree, NO_PROGRAM)
        self.jobs = RowsModel(self)
        self.jobs_view = self._list("Background jobs", self.jobs, NO_JOBS)
        self.output = OutsideCanvas(self)
        self.output.setAccessibleName("Output of the chosen job")
        self.output.hide()
        self.end_button = QPushButton("End job", self)
        self.end_button.setAutoDefault(False)
        self.end_button.setAccessibleName("End the chosen job")
        self.end_button.setToolTip("What a job was to do may have happened when it is ended")
        self.end_button.clicked.connect(self._on_end)
        self.driven_by = QLabel("", self)
        self.driven_by.setContentsMargins(SIDE, 0, SIDE, 0)
        self.driven_by.setWordWrap(True)
        mark(self.driven_by, role="secondary")
        self.column.addWidget(self.driven_by)
        self.column.addWidget(self._parts(), 1)
        self.tree_view.selectionModel().selectionChanged.connect(lambda *_: self._show_source())
        self.jobs_view.selectionModel().selectionChanged.connect(lambda *_: self._show_job())

    def _parts(self) -> QSplitter:
        parts = QSplitter(Qt.Orientation.Vertical, self)
        parts.setChildrenCollapsible(False)
        programs = self.programs_part = self._part("Programs", self.area, self.tree_view)
        jobs = self.jobs_part = self._part("Jobs", self.jobs_view, self.output)
        foot = QHBoxLayout()
        foot.setContentsMargins(SIDE, 0, SIDE, 0)
        foot.addStretch(1)
        foot.addWidget(self.end_button)
        layout = jobs.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.addLayout(foot)
        top = programs.layout()
        assert isinstance(top, QVBoxLayout)
        top.insertWidget(2, self.long_source)
        top.setStretch(1, 3)
        top.setStretch(3, 2)
        parts.addWidget(programs)
        parts.addWidget(jobs)
        parts.setStretchFactor(0, 3)
        parts.setStretchFactor(1, 2)
        return parts

    def _part(self, title: str, *widgets: QWidget) -> QWidget:
        part = QWidget(self)
        part.setProperty("bare", True)
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(4)
        heading = QLabel(title, part)
        heading.setContentsMargins(SIDE, 0, SIDE, 0)
        mark(heading, role="secondary")
        column.addWidget(heading)
        for widget in widgets:
            column.addWidget(widget)
        return part

    def _list(self, name: str, rows: RowsModel, empty: str) -> RowsView:
        view = RowsView(name, self)
        view.setModel(rows)
        view.setMinimumHeight(60)
        EmptyWords(view, empty)
        return view

    def refresh(self) -> None:
        moment = self._model.moment
        run = moment.timeline.run
        self.driven_by.setText("" if run is None else OWN_LOOP if run.engine == "programs" else SDK_LOOP)
        programs = programs_at(moment)
        jobs = jobs_at(moment)
        self.tree.show_rows([row for program in programs for row in _program_rows(program, moment)])
        self.jobs.show_rows([_job_row(job, over=moment.over) for job in jobs])
        self.programs_part.setVisible(bool(programs) or not jobs)
        self.jobs_part.setVisible(bool(jobs) or not programs)
        counts = [(len(programs), "program"), (len(jobs), "job")]
        said = [f"{count:,} {word}{'s' if count > 1 else ''}" for count, word in counts if count]
        self.say_summary(" · ".join(said))
        self._show_source()
        self._show_job()

    def shown_text(self) -> str:
        """What stands in the panel, in plain letters."""
        rows = [self.tree.row(at).words for at in range(self.tree.rowCount())]
        rows += [self.jobs.row(at).words for at in range(self.jobs.rowCount())]
        return "\n".join([self.source.shown_text(), *rows, self.output.shown_text()])

    def _show_source(self) -> None:
        chosen = _subject(self.tree_view, self.tree)
        programs = [subject for at in range(self.tree.rowCount()) if (subject := self.tree.row(at).subject) is not None]
        program = chosen if isinstance(chosen, ProgramSeen) else programs[-1] if programs else None
        code = program.code.rstrip("\n") if program is not None else ""
        if code == self._code:
            return
        self._code = code
        is_long = len(code) > MOST_CHARS
        self.area.setVisible(bool(code) and not is_long)
        self.long_source.setVisible(is_long)
        if is_long:
            self.long_source.set_value(code)
        else:
            self.source.set_lines([Line((Outside(code, "block", code=True),), numbered_from=1)] if code else [])
            self._fit()

    def _show_job(self) -> None:
        job = _subject(self.jobs_view, self.jobs)
        runs = isinstance(job, JobSeen) and job.runs and job.call_id not in self._ending
        self.end_button.setEnabled(runs and bool(getattr(self._model, "live", False)))
        output = _output_of(job, self._model.moment.seq) if isinstance(job, JobSeen) else None
        self.output.setVisible(output is not None)
        if output is not None:
            self.output.set_lines([_output_line(_text(output))])

    def _on_end(self) -> None:
        job = _subject(self.jobs_view, self.jobs)
        if isinstance(job, JobSeen):
            self._ending.add(job.call_id)
            self.cancel_wanted.emit(job.call_id)
            self._show_job()

    def _fit(self) -> None:
        # Room for a scroll bar is left before there is one: with it, the rows would be laid out anew.
        bar = self.area.verticalScrollBar().sizeHint().width()
        self.source.fix_width(max(self.width() - bar - 2, 120))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _subject(view: RowsView, rows: RowsModel) -> object:
    chosen = view.selectionModel().selectedIndexes()
    return rows.row(chosen[0].row()).subject if chosen else None


def _program_rows(program: ProgramSeen, moment: Moment) -> list[Row]:
    word = program.status or ("cut off" if moment.over else "running")
    tone: Tone = _PROGRAM_TONES.get(word, "danger")
    rows = [Row(word, tone, (Words("program of turn "), Words(f"{program.turn}")), "", program)]
    rows += [_call_row(call, program, moment.state_of(call)) for call in program.calls]
    if program.result is not None:
        rows.append(Row("└ result", "dim", (Outside(program.result[:_SHOWN_CHARS]),), "", program))
    return rows


def _call_row(call: CallRecord, program: ProgramSeen, state: CallState) -> Row:
    proposed = call.proposed
    member = f"browser_{proposed.member}" if proposed.source == "browser" else proposed.member
    line = asking_line(program.code, member)
    runs: tuple[Run, ...] = (Outside(member), Words("  "), Outside(_text(proposed.arguments), tone="dim"))
    return Row(f"├ {CALL_STATES[state]}", CALL_TONES.get(state, "dim"), runs, f"line {line}" if line else "", program)


def _job_row(job: JobSeen, *, over: bool) -> Row:
    runs: tuple[Run, ...] = (Outside(job.name),)
    if job.handle:
        runs = (*runs, Words("  "), Outside(job.handle, tone="dim"))
    right = [f"{job.took_ms / 1000:,.1f} s"] if job.took_ms is not None else []
    if job.delivered_turn is not None:
        right.append(f"sent in turn {job.delivered_turn}")
    elif job.step in ("asked", "running", "ending") and job.call is not None:
        right.append(f"since turn {job.call.turn}")
    else:
        right.append("not sent" if over else "not sent yet")
    return Row(_STEPS[job.step], _JOB_TONES[job.step], runs, " · ".join(right), job)


def _output_of(job: JobSeen, seq: int) -> Json:
    """What the model has read, or will with the next request; None while there is nothing."""
    answer = job.call.answer_at(seq) if job.call is not None else None
    return answer.output if answer is not None else job.output


def _output_line(text: str) -> Line:
    return Line((Words("Output  ", "dim", "small"), Outside(text)), indent=1)


def _text(value: Json) -> str:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return (value if isinstance(value, str) else json_to_read(value))[:_SHOWN_CHARS]
