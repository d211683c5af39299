"""What a person does at a run's controls beside answering: hold everything, take a rule back, act in the browser.

The events stand in the journal's one union (`core/events.py`); the inputs pass from a window to the run and are kept
by no one.
"""

from dataclasses import dataclass
from typing import Literal

from app.core.evidence import Point
from app.core.value import Frozen, Text


class HoldAllSet(Frozen):
    """From here on no rule and no standing allowance answers with allow; or they do again."""

    type: Literal["hold_all_set"] = "hold_all_set"
    on: bool


class RuleTakenBack(Frozen):
    """A person took back what had been allowed for the run; the next such question is put to them."""

    type: Literal["rule_taken_back"] = "rule_taken_back"
    rule: str
    """As decisions name it: ``run 3``."""
    in_force: bool
    """Whether it could still have answered when it was taken back."""


ControlStep = Literal["wanted", "taken", "refused", "returned"]


class ControlChanged(Frozen):
    """The driven browser is going over to a person, has gone over, could not, or has come back to the run."""

    type: Literal["control_changed"] = "control_changed"
    step: ControlStep
    reason: str = ""
    """The console's own words."""


HumanAct = Literal["press", "wheel", "keys", "text", "paste", "tab"]


class HumanActed(Frozen):
    """One thing that a person did in the driven browser while they had control; no model asked for it."""

    type: Literal["human_acted"] = "human_acted"
    by: Literal["person"] = "person"
    act: HumanAct
    tab_id: Text | None
    point: Point | None = None
    """Of a press or wheel, in CSS pixels of the viewport."""
    detail: Text = ""
    """Button, or keys by name; never what was typed."""
    text: Text | None = None
    """What was typed or pasted; None where it went into a field for secrets, or could not be told from one."""
    characters: int = 0


class RecordingChanged(Frozen):
    """A gap in the record begins or ends: while a person types a secret, neither pictures nor text are kept."""

    type: Literal["recording_changed"] = "recording_changed"
    recording: bool
    reason: str


HumanEvent = HoldAllSet | RuleTakenBack | ControlChanged | HumanActed | RecordingChanged


@dataclass(frozen=True)
class MouseInput:
    """The pointer, in CSS pixels of the viewport of the tab in front."""

    kind: Literal["move", "down", "up"]
    x: float
    y: float
    button: Literal["left", "middle", "right"] = "left"
    clicks: int = 1


@dataclass(frozen=True)
class WheelInput:
    """The wheel, in CSS pixels."""

    x: float
    y: float
    dx: float
    dy: float


@dataclass(frozen=True)
class KeyInput:
    """One key, by its name in the DOM (``a``, ``Enter``, ``ArrowLeft``, ``Shift``)."""

    key: str
    down: bool
    types: bool = False
    """Whether it puts its letter into a field: no modifier but Shift is held."""


@dataclass(frozen=True)
class TextInput:
    """Text put in at once: pasted, or finished by an input method."""

    text: str
    pasted: bool = False


@dataclass(frozen=True)
class ComposeInput:
    """What an input method shows before it is finished."""

    text: str
    cursor: int


@dataclass(frozen=True)
class TabInput:
    """Bring another tab to the front."""

    tab_id: str


HumanInput = MouseInput | WheelInput | KeyInput | TextInput | ComposeInput | TabInput
