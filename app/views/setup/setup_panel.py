"""The form of a new run: sections, what will be asked, checks, presets, saving, Start."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.core.asked_ahead import foretell
from app.core.check_line import CheckLine
from app.core.consequences import consequences
from app.core.faults import Fault, faults_of, plan_of_values
from app.core.plan import RunPlan
from app.views.setup.ahead import ASKED_EMPTY, CHECKS_EMPTY, AheadPanel, check_lines, foretold_lines
from app.views.setup.ports import SetupPorts
from app.views.setup.sections import Sections
from app.views.setup.work import Work
from app.views.style import mark
from app.views.widgets.choice_box import ChoiceBox

CHECK_MS = 120
"""What is written is checked this long after the last key."""

LEAST_FORM, LEAST_BESIDE = 640, 220
"""Pixels; with less, words would be cut off."""

FILES = "Run files (*.toml)"


class SetupPanel(QWidget):
    """A run as a person sets it up. Nothing is run here; Start hands the plan on.

    Signals:
        start_wanted: the plan, and the folder of its run file (or None).
        checked: the checks have all been made.
        settled: reading, writing or listing has ended, and is shown.
    """

    start_wanted = Signal(object, object)
    checked = Signal()
    settled = Signal()

    def __init__(self, ports: SetupPorts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("setup_panel")
        self._ports = ports
        self._work = Work(self)
        self._checking = 0
        self._checks: list[CheckLine] = []
        self.plan: RunPlan | None = None
        """What is filled in, as a plan; None while something is wrong with it."""
        self._kept: Mapping[str, Any] = {}
        """What was filled in when it was last fresh, read from a file or written to one."""
        self.source: Path | None = None
        """The run file that it was read from or saved to."""
        self.sections = Sections(self)
        self.asked = AheadPanel("What will be asked", ASKED_EMPTY, self)
        self.checks = AheadPanel("Checks", CHECKS_EMPTY, self)
        self.check_button = self._button("Check", "check", "Look for all that the run needs", self.check)
        self.rules_button = self._button(
            "Try rules", "try_rules", "What these rules would have answered in saved runs", self.try_rules
        )
        self.checks.head.addWidget(self.rules_button)
        self.checks.head.addWidget(self.check_button)
        self.preset_box = ChoiceBox(self)
        self.status = QLabel(self)
        self.start_button = self._button("Start", "start", "Start the run in a window of its own", self.start)
        self._build()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(CHECK_MS)
        self._timer.timeout.connect(self.refresh)
        self.sections.changed.connect(self._timer.start)
        self.refresh()
        self._offer_checks()
        self.list_presets()

    def _button(self, words: str, name: str, purpose: str, pressed: Any) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(f"button_{name}")
        button.setAutoDefault(False)
        button.setToolTip(purpose)
        button.setAccessibleName(purpose)
        button.clicked.connect(lambda _checked=False: pressed())
        return button

    def _build(self) -> None:
        self.preset_box.setAccessibleName("Presets")
        self.preset_box.setMinimumWidth(180)
        self.preset_box.activated.connect(self._on_preset)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.setObjectName("setup_status")
        self.status.setWordWrap(True)
        bar = QHBoxLayout()
        bar.setSpacing(8)
        bar.addWidget(self.preset_box)
        bar.addWidget(self._button("Open run file…", "open_file", "Fill the form from a run file", self.ask_open))
        bar.addWidget(self._button("Save as run file…", "save_file", "Write a run file", self.ask_save))
        bar.addWidget(self._button("Save as preset…", "save_preset", "Keep it under a name", self.ask_preset))
        bar.addWidget(self.status, 1)
        bar.addWidget(self.start_button)
        beside = QSplitter(Qt.Orientation.Vertical, self)
        beside.addWidget(self.asked)
        beside.addWidget(self.checks)
        beside.setSizes([420, 300])
        beside.setMinimumWidth(LEAST_BESIDE)
        self.sections.setMinimumWidth(LEAST_FORM)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.addWidget(self.sections)
        split.addWidget(beside)
        split.setStretchFactor(0, 1)
        split.setSizes([820, 400])
        split.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addWidget(split, 1)
        column.addLayout(bar)

    def put(self, values: Mapping[str, Any]) -> None:
        """Fill the form."""
        self.sections.put(values)
        self.refresh()
        self._kept = self.sections.values()

    @property
    def changed(self) -> bool:
        """Whether something is filled in that stands nowhere else."""
        return self.sections.values() != self._kept

    def refresh(self) -> None:
        """Check what is filled in, and say what the run would ask."""
        self._timer.stop()
        before, faults = self.plan, self._read()
        self.sections.show_faults(faults)
        self.start_button.setEnabled(self.plan is not None)
        plan = self.plan
        self.asked.say(foretold_lines(foretell(plan), consequences(plan)) if plan is not None else [])
        if faults:
            self.say("1 field is wrong" if len(faults) == 1 else f"{len(faults):,} fields are wrong", wrong=True)
        else:
            self.say("")
        if self.plan != before:
            self._forget_checks()

    def _read(self) -> list[Fault]:
        self.plan = None
        try:
            self.plan = plan_of_values(self.sections.values())
        except ValidationError as error:
            return faults_of(error)
        except (ValueError, TypeError) as error:
            return [Fault((), str(error))]
        return []

    def say(self, words: str, *, wrong: bool = False) -> None:
        """One line beside the buttons."""
        self.status.setText(words)
        mark(self.status, tone="danger" if wrong else "dim")

    def start(self) -> None:
        """Hand the plan on, as it stands at this moment."""
        self.refresh()
        if self.plan is not None:
            # The run has it on record.
            self._kept = self.sections.values()
            self.start_wanted.emit(self.plan, self.source.parent if self.source is not None else None)

    def check(self) -> None:
        """Look at all that the run needs, off the window's thread; lines appear as they come."""
        beside = self.source.parent if self.source is not None else None
        self._look("checks before a run", lambda plan, say: self._ports.check(plan, beside, say), "all is there")

    def try_rules(self) -> None:
        """Say what the rules would have answered in saved runs, in the same place."""
        self._look("rules tried on saved runs", self._ports.try_rules, "nothing that was denied is allowed")

    def _look(self, name: str, look: Callable[[RunPlan, Callable[[CheckLine], None]], None], all_well: str) -> None:
        self.refresh()
        if self.plan is None:
            return
        self._forget_checks()
        number, plan = self._checking, self.plan
        for button in (self.check_button, self.rules_button):
            button.setEnabled(False)
        self.checks.summary.setText("looking…")

        def found(line: CheckLine) -> None:
            if number == self._checking:
                self._checks.append(line)
                self.checks.say(check_lines(self._checks))

        def ended(_result: Any) -> None:
            if number == self._checking:
                bad = sum(line.state == "not ok" for line in self._checks)
                self.checks.summary.setText(f"{bad:,} not ok" if bad else all_well)
                self._offer_checks()
            self.checked.emit()

        def broke_off(words: str) -> None:
            self.say(words, wrong=True)
            ended(None)

        self._work.start(name, lambda: look(plan, lambda line: self._work.tell(found, line)), ended, broke_off)

    def _offer_checks(self) -> None:
        self.check_button.setEnabled(self.plan is not None)
        self.rules_button.setEnabled(self.plan is not None and bool(self.plan.rules))

    def _forget_checks(self) -> None:
        self._checking += 1
        self._checks = []
        self.checks.say([])
        self.checks.summary.setText("")
        self._offer_checks()

    def list_presets(self) -> None:
        """Read which presets there are."""
        self._work.start("presets", self._ports.presets, self._show_presets, self._failed)

    def _show_presets(self, presets: Sequence[Path]) -> None:
        self.preset_box.clear()
        self.preset_box.addItem("Presets" if presets else "No presets yet")
        for path in presets:
            self.preset_box.addItem(path.stem, path)
        self.preset_box.setEnabled(bool(presets))
        self.settled.emit()

    def _on_preset(self, at: int) -> None:
        path = self.preset_box.itemData(at)
        if isinstance(path, Path):
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Fill the form from a run file; one that is wrong changes nothing and is told."""

        def read(values: dict[str, Any]) -> None:
            self.source = path
            self.put(values)
            self.say(f"Read: {path.name}")
            self.settled.emit()

        self._work.start("reading a run file", lambda: self._ports.read(path), read, self._failed)

    def save_file(self, path: Path) -> None:
        """Write what is filled in as a run file."""
        self.refresh()
        if self.plan is None:
            self.say("Not saved: fields are wrong", wrong=True)
            return
        values = self.sections.values()

        def written(_result: Any) -> None:
            self.source, self._kept = path, values
            self.say(f"Saved: {path.name}")
            self.list_presets()

        self._work.start("writing a run file", lambda: self._ports.write(path, values), written, self._failed)

    def save_preset(self, name: str) -> None:
        """Keep what is filled in under a name; another preset of that name stays as it is."""

        def look() -> tuple[Path, bool]:
            path = self._ports.preset(name)
            return path, path.exists()

        def named(found: tuple[Path, bool]) -> None:
            path, there = found
            if there and path != self.source:
                self._failed(f"There is a preset {path.stem} already: open it to change it, or take another name")
            else:
                self.save_file(path)

        self._work.start("naming a preset", look, named, self._failed)

    def _failed(self, words: str) -> None:
        self.say(words, wrong=True)
        self.settled.emit()

    def ask_open(self) -> None:
        """Ask which run file."""
        self._dialog("Open a run file", QFileDialog.AcceptMode.AcceptOpen, self.open_file)

    def ask_save(self) -> None:
        """Ask where to."""
        self._dialog("Save as a run file", QFileDialog.AcceptMode.AcceptSave, self.save_file)

    def _dialog(self, title: str, mode: QFileDialog.AcceptMode, chosen: Any) -> None:
        dialog = QFileDialog(self, title, str(self.source.parent) if self.source is not None else "", FILES)
        dialog.setAcceptMode(mode)
        dialog.setDefaultSuffix("toml")
        dialog.fileSelected.connect(lambda path: chosen(Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def ask_preset(self) -> None:
        """Ask under which name."""
        dialog = QInputDialog(self)
        dialog.setWindowTitle("Save as preset")
        dialog.setLabelText("Name of the preset")
        dialog.setTextValue(self.source.stem if self.source is not None else "")
        dialog.textValueSelected.connect(self.save_preset)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def close_down(self) -> None:
        """The window is closing."""
        self._timer.stop()
        self._work.close_down()
