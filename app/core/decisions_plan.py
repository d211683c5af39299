"""The ``[decisions]`` table of a run file: where candidates come from, what is observed, what verifies the end."""

from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator

from app.core.describe import BROWSER_MEMBERS
from app.core.programs_plan import module_and_name
from app.core.value import Frozen, Json, Text

MOST_CANDIDATES = 255
"""The SDK's limit, the one that says "done" included."""

MOST_EARLIER_CHARS = 20_000
"""Of the text before the last completed action; also what is kept of it for a run that goes on."""

_ARGUMENTS: dict[str, dict[str, str]] = {
    "navigate": {"url": "text"},
    "click": {"target": "target"},
    "type": {"text": "text", "target": "target?"},
    "key": {"keys": "texts"},
    "scroll": {"direction": "direction", "amount": "count"},
    "select_option": {"target": "target", "values": "texts"},
    "hover": {"target": "target"},
    "new_tab": {"url": "text?"},
    "switch_tab": {"tab_id": "text"},
    "close_tab": {"tab_id": "text"},
    "scroll_to": {"target": "target"},
    "set_checked": {"target": "target", "checked": "flag"},
}
"""What each member takes; a question mark may be left out."""

CANDIDATE_MEMBERS = frozenset(_ARGUMENTS)
"""Members of the browser driver that a candidate may be: what acts on an element or a tab. Reads are no actions."""

DONE_ID = "done"


class CandidatePlan(Frozen):
    """One candidate of the run file's own list: a browser member with exactly these arguments."""

    id: Text
    description: Text
    member: str
    arguments: dict[str, Json] = Field(default_factory=dict)
    """As the driver takes them; `target` is ``{role, label}`` or ``{role, label, nth}``, found anew on each page."""

    @model_validator(mode="after")
    def _sound(self) -> "CandidatePlan":
        if not self.id.strip() or not self.description.strip():
            raise ValueError("a candidate needs an id and a description")
        if self.id == DONE_ID:
            raise ValueError(f"the id {DONE_ID!r} is the one that says that the task is complete")
        if self.member not in CANDIDATE_MEMBERS:
            known = ", ".join(sorted(CANDIDATE_MEMBERS))
            raise ValueError(f"{self.member!r} cannot be a candidate; those that can: {known}")
        takes = _ARGUMENTS[self.member]
        for name in self.arguments:
            if name not in takes and (name != "tab_id" or self.member == "new_tab"):
                raise ValueError(f"{self.member} takes no {name}")
        for name, form in takes.items():
            if name not in self.arguments:
                if not form.endswith("?"):
                    raise ValueError(f"{self.member} needs {name}")
            elif (wrong := _wrong(self.arguments[name], form.removesuffix("?"))) is not None:
                raise ValueError(f"{name} {wrong}")
        return self

    def full_arguments(self) -> dict[str, Json]:
        """As the driver takes them, what may be left out included; a target is still a table."""
        left_out = {name: None for name, form in _ARGUMENTS[self.member].items() if form.endswith("?")}
        tab = {} if self.member == "new_tab" else {"tab_id": None}
        return {**tab, **left_out, **self.arguments}


def _wrong(value: Any, form: str) -> str | None:
    """Why `value` is not of that form; None when it is."""
    match form:
        case "text":
            return None if isinstance(value, str) else "is text"
        case "texts":
            fits = isinstance(value, list) and value and all(isinstance(one, str) for one in value)
            return None if fits else "is a list of texts"
        case "count":
            return None if type(value) is int and 0 <= value < 2**53 else "is a whole number from 0"
        case "flag":
            return None if type(value) is bool else "is true or false"
        case "direction":
            return None if value in ("up", "down", "left", "right") else "is up, down, left or right"
        case _:
            return None if _is_target(value) else "is a table of role and label (and nth, from 1)"


def _is_target(target: Any) -> bool:
    if not isinstance(target, dict) or set(target) - {"role", "label", "nth"}:
        return False
    nth = target.get("nth", 1)
    return isinstance(target.get("role"), str) and isinstance(target.get("label"), str) and type(nth) is int and nth > 0


class VerifyPlan(Frozen):
    """The stated check. Everything given must hold on a fresh look; nothing that the model says counts."""

    text: Text | None = None
    """Text that must be on the page; runs of white space count as one space."""
    url: Text | None = None
    """The page's whole address; ``*`` stands for anything."""
    import_path: str | None = Field(default=None, alias="import")
    """``package.module:name`` of an async function that is given the fresh observation and returns True or False."""

    _paths = field_validator("import_path")(module_and_name)

    @model_validator(mode="after")
    def _something(self) -> "VerifyPlan":
        if not (self.text and self.text.strip()) and not self.url and self.import_path is None:
            raise ValueError("say what is to be checked: text, url or import")
        return self


class DecisionsPlan(Frozen):
    """Options of a run that selects among candidates. Each selected one is asked before it is executed."""

    page: bool = True
    """Offer every visible control of the browser's page."""
    texts: dict[Text, Text] = Field(default_factory=dict)
    """What may be typed, by the label of the field."""
    candidates: tuple[CandidatePlan, ...] = ()
    candidates_import: str | None = Field(default=None, alias="import")
    """``package.module:name`` of an async function that is given the observation and returns the SDK's candidates."""
    observe_import: str | None = Field(default=None, alias="observe")
    """``package.module:name`` of an async function that returns the observation; without it the page is observed."""
    done: Text = "The task is complete"
    """The description of the candidate that ends the run."""
    picture: bool = False
    """Send a picture of the page with each observation."""
    text_chars: Annotated[int, Field(ge=0, le=60_000)] = 8_000
    """How much of the page's text is sent."""
    earlier_chars: Annotated[int, Field(ge=0, le=MOST_EARLIER_CHARS)] = 1_000
    """How much of the text that stood there before the last completed action is sent."""
    safety_identifier: Text | None = None
    verify: VerifyPlan | None = None

    _paths = field_validator("candidates_import", "observe_import")(module_and_name)

    @field_validator("done")
    @classmethod
    def _said(cls, done: str) -> str:
        if not done.strip():
            raise ValueError("describe what it means that the task is complete")
        return done

    @model_validator(mode="after")
    def _sound(self) -> "DecisionsPlan":
        ids = [candidate.id for candidate in self.candidates]
        twice = next((one for one in ids if ids.count(one) > 1), None)
        if twice is not None:
            raise ValueError(f"candidates name {twice!r} twice")
        if ids and self.candidates_import is not None:
            raise ValueError("give import or candidates, not both: what the function returns is the whole list")
        if len(ids) >= MOST_CANDIDATES:
            raise ValueError(f"at most {MOST_CANDIDATES} candidates, with the one that ends the run")
        return self

    @property
    def needs_browser(self) -> bool:
        """Whether anything of it acts on or looks at a page."""
        checks = self.verify is not None and (self.verify.text is not None or self.verify.url is not None)
        own = self.candidates_import is not None and self.observe_import is not None
        return bool(checks or self.candidates or not own)


def unknown_members(members: tuple[str, ...]) -> list[str]:
    """Those of `members` that no candidate can be."""
    return [name for name in members if name in BROWSER_MEMBERS and name not in CANDIDATE_MEMBERS]
