"""What may be chosen: from the page's own controls, from the run file's list, or from the user's Python."""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from app.core.decisions_plan import CANDIDATE_MEMBERS, DONE_ID, MOST_CANDIDATES, CandidatePlan, DecisionsPlan
from app.core.value import Json
from app.runner.looking import Element, PageSeen
from drivers.errors import NotDone

GONE = "The control that was chosen is not on the page any more."
_ID_CHARS = 48
_INNER = str.maketrans("“”", "‘’")


@dataclass(frozen=True)
class Control:
    """A control as it is found again on a later read: its role and label, and which of those that share them."""

    role: str
    label: str
    nth: int = 1


@dataclass(frozen=True)
class Choice:
    """One candidate that acts. Refs stay in here; the model sees id and description only."""

    candidate_id: str
    description: str
    member: str
    arguments: dict[str, Json] = field(default_factory=dict)
    control: Control | None = None
    alike: int = 0
    """How many controls shared its role and label where it was offered; 0 where nobody has counted."""
    execute: Callable[..., Awaitable[Any]] | None = None
    """The user's own executor; None for a member of the browser driver."""

    def on(self, page: PageSeen) -> "Choice":
        """The same with the ref that its control has on `page`. Raises `NotDone` when it is not there.

        The very element is taken wherever it still stands. Where it does not, its place among those of its name tells
        it only while there are as many of them: otherwise another one may have moved into that place.
        """
        if self.control is None:
            return self
        fitting, before, nth = refs_of(page.elements, self.control), self.arguments.get("target"), self.control.nth
        if before in fitting:
            return replace(self, alike=len(fitting))
        if len(fitting) < nth or (self.alike and len(fitting) != self.alike):
            raise NotDone(GONE)
        return replace(self, arguments={**self.arguments, "target": fitting[nth - 1]}, alike=len(fitting))


def refs_of(elements: Iterable[Element], control: Control) -> list[Json]:
    """The refs of all controls in a read that share its role and label, in order."""
    return [e["ref"] for e in elements if e["role"] == control.role and _one_line(e["label"]) == control.label]


def offered(options: DecisionsPlan, page: PageSeen | None, members: Sequence[str] | None) -> list[Choice]:
    """The run file's own candidates whose control is there, then the page's; at most what one request may hold."""
    return _all_of(options, page, members)[: MOST_CANDIDATES - 1]


def left_out(options: DecisionsPlan, page: PageSeen | None, members: Sequence[str] | None) -> int:
    """How many things that could be done one request has no room for."""
    return max(0, len(_all_of(options, page, members)) - (MOST_CANDIDATES - 1))


def _all_of(options: DecisionsPlan, page: PageSeen | None, members: Sequence[str] | None) -> list[Choice]:
    found = [choice for plan in options.candidates if (choice := _planned(plan, page)) is not None]
    if options.page and page is not None:
        allowed = CANDIDATE_MEMBERS if members is None else frozenset(members)
        taken = {choice.candidate_id for choice in found} | {DONE_ID}
        found += [one for one in _of_page(page, options.texts, taken) if one.member in allowed]
    return found


def own_choice(given: Mapping[str, Any]) -> Choice | None:
    """A candidate of the user's Python: with an executor, or as a member of the browser driver. None for neither."""
    candidate_id, description = given.get("id"), given.get("description")
    if not isinstance(candidate_id, str) or not isinstance(description, str) or given.get("done"):
        return None
    if callable(given.get("execute")) and not set(given) - {"id", "description", "execute", "done"}:
        return Choice(candidate_id, description, candidate_id, {"description": description}, execute=given["execute"])
    if "member" not in given:
        return None
    try:
        plan = CandidatePlan.model_validate(dict(given), strict=True)
    except ValidationError:
        return None
    return _of_plan(plan)


def _planned(plan: CandidatePlan, page: PageSeen | None) -> Choice | None:
    choice = _of_plan(plan)
    if choice.control is None:
        return choice
    try:
        return choice.on(page) if page is not None else None
    except NotDone:
        return None


def _of_plan(plan: CandidatePlan) -> Choice:
    arguments = plan.full_arguments()
    target = arguments.get("target")
    if not isinstance(target, dict):
        return Choice(plan.id, plan.description, plan.member, arguments)
    control = Control(target["role"], _one_line(target["label"]), target.get("nth", 1))
    return Choice(plan.id, plan.description, plan.member, arguments, control)


def _of_page(page: PageSeen, texts: Mapping[str, str], taken: set[str]) -> list[Choice]:
    names = Counter((element["role"], _one_line(element["label"])) for element in page.elements)
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for element in page.elements:
        label = _one_line(element["label"])
        name = element["role"], label
        seen[name] += 1
        nth = seen[name]
        control = Control(element["role"], label, nth)
        for verb, description, member, arguments in _actions(element, label, texts):
            candidate_id = _free_id(f"{verb} {arguments.get('values', [''])[0]}", label, taken)
            which = f" (number {nth} of that name)" if nth > 1 else ""
            full = {**arguments, "target": element["ref"], "tab_id": None}
            found.append(Choice(candidate_id, description + which, member, full, control, names[name]))
    return found


def _actions(element: Element, label: str, texts: Mapping[str, str]) -> Iterable[tuple[str, str, str, dict[str, Json]]]:
    """Verb, description, member and arguments of everything that can be done to one control."""
    match element["role"]:
        case "textbox":
            text = texts.get(label)
            if text is None:
                yield "click", f"Click into the field {_quoted(label)}", "click", {}
            elif element.get("value") != text:
                yield "type", f"Type “{text}” into the field {_quoted(label)}", "type", {"text": text}
        case "combobox" | "listbox" if element.get("options"):
            for option in element["options"]:
                if option["value"] != element.get("value") and not option.get("selected"):
                    words = f"Choose {_quoted(_one_line(option['label']))} for {_quoted(label)}"
                    yield "choose", words, "select_option", {"values": [option["value"]]}
        case "checkbox":
            ticked = bool(element.get("checked"))
            verb = "untick" if ticked else "tick"
            yield verb, f"{verb.capitalize()} the box {_quoted(label)}", "set_checked", {"checked": not ticked}
        case "radio":
            if not element.get("checked"):
                yield "pick", f"Pick {_quoted(label)}", "set_checked", {"checked": True}
        case role:
            words = f"Press {_quoted(label)}" if role == "button" else f"Click on the {role} {_quoted(label)}"
            yield "press" if role == "button" else "click", words, "click", {}


def _quoted(label: str) -> str:
    """A page's words between our marks, which they cannot close: what stands outside of them is ours."""
    return f"“{label.translate(_INNER)}”"


def _free_id(verb: str, label: str, taken: set[str]) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", f"{verb} {label}".lower()).strip("-")[:_ID_CHARS].strip("-")
    number, candidate_id = 1, words
    while candidate_id in taken:
        number += 1
        candidate_id = f"{words}-{number}"
    taken.add(candidate_id)
    return candidate_id


def _one_line(text: str) -> str:
    return " ".join(text.split())
