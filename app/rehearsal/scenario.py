"""The form of a scenario file (model answers, operator, outcome), and how one is found and read."""

import json
import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from app.core.ask import AskKind
from app.core.decision import Verdict
from app.core.errors import UsageProblem
from app.core.toml_place import key_path, line_of
from app.paths import resource
from app.rehearsal.items import OutputItem, Strict


class Fault(Strict):
    """One way in which the service misbehaves before it answers. Exactly one of the five is given."""

    status: int | None = Field(default=None, ge=300, le=599)
    cut_after_events: int | None = Field(default=None, ge=0)
    """The connection ends after so many stream events; a JSON answer ends halfway."""
    malformed: bool = False
    """What should be JSON is not."""
    in_one_piece: bool = False
    """Answered as JSON although a stream was asked for."""
    ends: Literal["failed", "incomplete", "error"] | None = None
    """The stream's last event, or the response's status, instead of completed."""
    headers: dict[str, str] = Field(default_factory=dict)
    message: str = "The scripted service misbehaves here."

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        said = [self.status is not None, self.cut_after_events is not None, self.ends is not None]
        if [*said, self.malformed, self.in_one_piece].count(True) != 1:
            raise ValueError("a fault needs exactly one of status, cut_after_events, malformed, in_one_piece, ends")
        return self


class AnswerStep(Strict):
    """What one request of the run is answered with."""

    output: tuple[OutputItem, ...] = Field(min_length=1)
    if_not_done: tuple[OutputItem, ...] = ()
    """Served in place of `output` when the request reports that something of the last turn was not done."""
    faults: tuple[Fault, ...] = ()
    """Served first, one for each attempt, before the answer itself."""
    wait_for: str | None = None
    """The answer is held back until `ScriptedModel.release` names this."""
    repeat: int = Field(default=1, ge=1)


class ChoiceStep(Strict):
    """What one request for a decision is answered with: a candidate's id, or a refusal."""

    choose: str | None = None
    refuse: bool = False
    body: dict[str, Any] | None = None
    """Served as it stands, whatever the request was."""
    confidence: float = 0.9
    faults: tuple[Fault, ...] = ()
    """Served first, one for each attempt, before the answer itself."""
    wait_for: str | None = None
    """The answer is held back until `ScriptedModel.release` names this."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if [self.choose is not None, self.refuse, self.body is not None].count(True) != 1:
            raise ValueError("a decision needs exactly one of choose, refuse = true and body")
        return self


class Choosing(Strict):
    """What a decisions run of the scenario may choose from, and what verifies its end."""

    texts: dict[str, str] = Field(default_factory=dict)
    """What may be typed, by the label of the field."""
    candidates: tuple[dict[str, Any], ...] = ()
    """As in a run file; ``{{site}}`` in an address stands for the demo site."""
    done: str = "The task is complete"
    picture: bool = False
    verify_text: str | None = None


class OperatorEntry(Strict):
    """One scripted answer, for asks that fit everything it names."""

    kind: AskKind | None = None
    member: str | None = None
    arguments: str | None = None
    """A regular expression looked for in the arguments as JSON."""
    answer: Verdict
    pick: str = ""
    """With deny: the candidate to be asked about instead."""
    note: str = ""
    times: int | None = Field(default=None, ge=1)
    """How many asks it answers; any number when left out."""


class OperatorScript(Strict):
    """The operator of ``--unattended``: the first fitting entry answers, else the default."""

    default: Verdict = "deny"
    answers: tuple[OperatorEntry, ...] = ()


class ExpectedBooking(Strict):
    """A booking that must be on the demo site when the run has ended."""

    name: str
    guests: int
    date: str
    time: str
    newsletter: bool = False


class Check(Strict):
    """The real outcome, and apart from it what the model claims."""

    bookings: tuple[ExpectedBooking, ...]
    claim: str


class McpServer(Strict):
    """A server that the run declares to the service."""

    label: str
    url: str
    allowed_tools: tuple[str, ...] = ()
    require_approval: Literal["always", "never"] = "always"


class Scenario(Strict):
    """A whole rehearsal; `source` names the file in every message about it."""

    name: str
    title: str
    summary: str
    task: str
    engine: Literal["responses", "decisions", "programs"] = "responses"
    start: str = "/"
    """The demo site's page that is open when the run starts."""
    members: tuple[str, ...]
    confirm_reads: tuple[str, ...] = ()
    computer: bool = False
    code: bool = False
    """Whether the model may write Python for the run's page."""
    functions: tuple[str, ...] = ()
    deferred: tuple[str, ...] = ()
    """Functions that the model must look up in the console before it can call them."""
    files: dict[str, str] = Field(default_factory=dict)
    """Files of a folder that is made for the run: patches stay in it, and commands of the sandbox may read it."""
    shell: bool = False
    """Whether the model may have commands run in the sandbox."""
    programs: bool = False
    """Whether the model may write programs."""
    store: bool = False
    instructions: str | None = None
    mcp: tuple[McpServer, ...] = ()
    max_steps: int = Field(default=20, ge=1)
    answers: tuple[AnswerStep, ...] = ()
    if_not_done: tuple[OutputItem, ...] = ()
    """For each answer without an `if_not_done` of its own."""
    decisions: tuple[ChoiceStep, ...] = ()
    choosing: Choosing = Choosing()
    operator: OperatorScript = OperatorScript()
    check: Check
    source: str = "the scenario"

    @model_validator(mode="after")
    def _answers_fit_the_engine(self) -> Self:
        used, empty = ("answers", "decisions") if self.engine != "decisions" else ("decisions", "answers")
        if not getattr(self, used) or getattr(self, empty):
            raise ValueError(f"engine {self.engine!r} takes {used}, and no {empty}")
        return self


def list_scenarios() -> list[str]:
    """Names of the scenarios that come with the program, sorted."""
    return sorted(entry.name.removesuffix(".toml") for entry in _folder().iterdir() if entry.name.endswith(".toml"))


def load_scenario(path_or_name: str | Path) -> Scenario:
    """Read a scenario by its name, or from a file.

    Raises:
        UsageProblem: there is none, or it is wrong; names the file, the key and the line.
    """
    wanted = str(path_or_name)
    if isinstance(path_or_name, Path) or wanted.endswith(".toml"):
        place: Traversable = Path(path_or_name)
        source = wanted
    elif wanted in list_scenarios():
        source = f"{wanted}.toml"
        place = _folder() / source
    else:
        raise UsageProblem(f"There is no scenario {wanted!r}. Known: {', '.join(list_scenarios())}.")
    try:
        text = place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageProblem(f"Scenario {source} cannot be read: {problem}") from problem
    return parse_scenario(text, source=source)


def parse_scenario(text: str, *, source: str) -> Scenario:
    """Check the text of a scenario file; `source` is what messages call it. Raises `UsageProblem`."""
    try:
        data = tomllib.loads(text)
        return Scenario.model_validate_json(json.dumps({**data, "source": source}, default=str))
    except tomllib.TOMLDecodeError as problem:
        raise UsageProblem(f"{source}: not TOML: {problem}") from problem
    except ValidationError as problem:
        raise UsageProblem(_explain(problem, text=text, source=source)) from problem


def _explain(problem: ValidationError, *, text: str, source: str) -> str:
    lines = []
    for error in problem.errors(include_url=False):
        # A step in angle brackets or a form's tag is pydantic's own and stands nowhere in the file.
        place = [step for index, step in enumerate(error["loc"]) if not _is_tag(error["loc"], index)]
        line = line_of(text, place)
        at = f", line {line}" if line else ""
        lines.append(f"{source}{at}: {key_path(place)}: {error['msg'].removeprefix('Value error, ')}")
    return "\n".join(lines)


def _is_tag(loc: tuple[int | str, ...], index: int) -> bool:
    return index >= 2 and isinstance(loc[index - 1], int) and loc[index - 2] in ("output", "if_not_done")


def _folder() -> Traversable:
    return resource("scenarios")
