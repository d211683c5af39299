"""One wording of everything for people: the card, the timeline, the log line and the export all say it like this.

Only the console's own words are made here. Outside text is returned apart, to be shown through `untrusted`.
"""

from app.core.ask import Ask, AskKind, DenyEffect
from app.core.changes import Change, WhatChanged
from app.core.code_events import CodeAct, CodeActed, CodeEvent, CodeSaid, VariablesSeen
from app.core.decision import DecidedBy, Decision
from app.core.events import Event, Outcome, RunEnded, RunStatus
from app.core.human import (
    ControlChanged,
    ControlStep,
    HoldAllSet,
    HumanAct,
    HumanActed,
    HumanEvent,
    RecordingChanged,
    RuleTakenBack,
)
from app.core.jobs import JobDelivered, JobEnded, JobEvent, JobState
from app.core.moment import RunState
from app.core.step import Step, reason_words, step_words
from app.core.timeline import CallState

BROWSER_MEMBERS: dict[str, str] = {
    "navigate": "Open an address",
    "read_page": "Read the page",
    "get_page_text": "Read the page's text",
    "find": "Search the page",
    "click": "Click on a page element",
    "type": "Type text",
    "key": "Press keys",
    "scroll": "Scroll the page",
    "select_option": "Choose an option",
    "hover": "Point at a page element",
    "screenshot": "Take a screenshot",
    "zoom": "Look closer at a part of the page",
    "new_tab": "Open a tab",
    "list_tabs": "List the tabs",
    "switch_tab": "Switch to a tab",
    "close_tab": "Close a tab",
    "scroll_to": "Scroll to a page element",
    "wait_for": "Wait for text to appear",
    "hover_at": "Point at a place on the page",
    "set_checked": "Tick or untick a box",
    "click_at": "Click at a place on the page",
    "drag_path": "Drag along a path",
    "hold_keys": "Hold keys down",
    "read_page_scoped": "Read a part of the page",
    "read_diagnostics": "Read the page's console or network log",
    "run_script": "Run a script in the page",
    "upload_file": "Upload a file",
    "download_file": "Download a file",
}
"""A plain verb phrase for each member of the SDK's browser toolset."""

COMPUTER_ACTIONS: dict[str, str] = {
    "click": "Click at a place on the screen",
    "double_click": "Double-click at a place on the screen",
    "drag": "Drag on the screen",
    "keypress": "Press keys",
    "move": "Move the pointer",
    "screenshot": "Take a picture of the screen",
    "scroll": "Scroll on the screen",
    "type": "Type text",
    "wait": "Wait",
}
"""The same for the action types of the computer tool."""

ASK_TITLES: dict[AskKind, str] = {
    "navigation": "Open an address",
    "browser_action": "Act on the page",
    "protected_read": "Read the page",
    "computer_action": "Act on the screen",
    "safety_checks": "Acknowledge safety checks",
    "mcp_approval": "Let a server's tool run",
    "function_call": "Call a function",
    "custom_call": "Call a custom tool",
    "early_call": "Run a call before the answer is complete",
    "candidate": "Take the chosen action",
    "code": "Run code",
    "script": "Run a script in the page",
    "file_grant": "Hand over a file",
    "patch": "Change a file",
    "shell": "Run commands in the sandbox",
    "tool_search": "Give the model further tools",
    "step": "Go on from a hold",
    "own_desktop": "Let this run see and use your own desktop",
}

DENY_EFFECTS: dict[DenyEffect, str] = {
    "model_told": "Deny: nothing is done, the model is told, the run goes on",
    "rest_of_batch_skipped": "Deny: this and later actions of the batch are not done; the run goes on",
    "run_ends": "Deny: nothing is done and the run ends",
    "waits_for_whole_answer": "Deny: the call is not done now; it is asked when the answer is complete",
}

CHANGES: dict[WhatChanged, str] = {
    "tab": "another tab is in front",
    "origin": "the page is of another site",
    "document": "the page was loaded anew",
    "gone": "the element is gone",
    "element": "another element is there",
    "role": "the element is of another kind",
    "label": "the element has another name",
    "frame": "the element's frame is of another site",
    "hidden": "the element is hidden",
    "covered": "something lies on top of the element",
    "leads": "the element leads to another address",
    "row": "the element stands in another row",
}

OUTCOMES: dict[Outcome, str] = {"done": "done", "not_done": "not done", "may_have_happened": "may have happened"}

CALL_STATES: dict[CallState, str] = {
    "next": "next",
    "asked": "asked",
    "allowed": "allowed",
    "denied": "denied",
    "answered": "answered instead",
    "running": "running",
    "done": "done",
    "partly_done": "done in part",
    "not_done": "not done",
    "may_have_happened": "may have happened",
}

JOB_STATES: dict[JobState, str] = {
    "denied": "denied",
    "completed": "completed",
    "failed": "failed",
    "cancelled": "ended by you",
    "cut_off": "cut off",
}

RUN_STATES: dict[RunState, str] = {
    "starting": "starting",
    "thinking": "the model is thinking",
    "waiting": "waiting for you",
    "held": "held",
    "acting": "acting",
    "in_person": "a person is in control",
    "stopping": "stopping",
    "ended": "ended",
    "cut_off": "cut off",
}

CONTROL_STEPS: dict[ControlStep, str] = {
    "wanted": "a person asks for the browser",
    "taken": "a person is in control",
    "refused": "control not given",
    "returned": "control is back with the run",
}

HUMAN_ACTS: dict[HumanAct, str] = {
    "press": "pressed",
    "wheel": "turned the wheel",
    "keys": "pressed a key",
    "text": "typed",
    "paste": "pasted",
    "tab": "changed the tab",
}

RUN_STATUSES: dict[RunStatus, str] = {
    "finished": "finished",
    "stopped": "stopped",
    "failed": "failed",
    "needs_reconciling": "needs reconciling",
}


def member_phrase(source: str, member: str) -> str | None:
    """The plain phrase for an SDK member or action type, or None for names that come from outside."""
    if source in ("browser", "decisions"):
        # A candidate may also be Python of the user's own, under a name of its own.
        return BROWSER_MEMBERS.get(member)
    if source == "computer":
        return COMPUTER_ACTIONS.get(member)
    return None


def left_words(source: str, member: str, words: str, about: str) -> str:
    """One call that was left, as a line: what it is, what became of it, and last, from outside, what it was about."""
    phrase = member_phrase(source, member)
    which = " ".join(text for text in ("" if phrase else member, about) if text)
    return f"{phrase or 'A call'}: {words}{' · ' if which else ''}{which}"


def ask_title(ask: Ask) -> str:
    """The card's title: constant words only, never a name that a model or a server chose."""
    if ask.step is not None:
        return step_words(ask.step, ask.parts if ask.part else 1)
    if ask.kind in ("browser_action", "protected_read", "computer_action"):
        return member_phrase(ask.source, ask.member) or ASK_TITLES[ask.kind]
    return ASK_TITLES[ask.kind]


def deny_effect(ask: Ask) -> str:
    """What Deny will do, said before it is pressed."""
    return DENY_EFFECTS[ask.on_deny]


DECIDERS: dict[DecidedBy, str] = {
    "person": "a person",
    "rule": "rule",
    "scripted": "the script",
    "console": "the console",
}
"""Whoever reads what was handed on is not who decided."""


def decision_words(decision: Decision, *, handed_on: bool = False) -> str:
    """Such as ``denied by you``, ``allowed by rule``, ``allowed by the script``; *by a person* in what is handed on."""
    by = {decider: f"by {name}" for decider, name in DECIDERS.items()}
    if not handed_on:
        by["person"] = "by you"
    if decision.value is not None:
        return f"answered {by[decision.by]} in the function's place"
    verb = {"allow": "allowed", "deny": "denied", "stop": "denied, run stopped"}[decision.verdict]
    instead = ", another candidate chosen instead" if decision.picked else ""
    further = ", and the same for this run" if decision.for_run is not None else ""
    return f"{verb} {by[decision.by]}{instead}{further}"


def count_words(asked: int, allowed: int, denied: int, answered: int) -> str:
    """``6 asked · 4 allowed · 1 denied · 1 answered instead``; the last only where there is one."""
    words = f"{asked} asked · {allowed} allowed · {denied} denied"
    return f"{words} · {answered} answered instead" if answered else words


def step_answer(step: Step, decision: Decision) -> str:
    """What became of a hold: ``gone on by you``, ``noted; the run went on``."""
    if step.logged:
        return "noted; the run went on"
    if not decision.allowed:
        return decision_words(decision)
    return f"{reason_words(step)}; gone on {'by the script' if decision.by == 'scripted' else 'by you'}"


def ending_words(ended: RunEnded) -> str:
    """How the run ended: ``finished``, or ``finished · unverified`` for a run that selects among candidates."""
    status = RUN_STATUSES[ended.status]
    return f"{status} · {ended.verification}" if ended.verification else status


def withdrawn_words(changes: tuple[Change, ...]) -> str:
    """Why a question was withdrawn, without any word of the page."""
    return "withdrawn: " + ", ".join(CHANGES[change.what] for change in changes)


def event_name(event: Event) -> str:
    """The event's type in words: ``ask raised``."""
    return event.type.replace("_", " ")


def human_words(event: HumanEvent) -> str:
    """What a person did at the controls, without a word of what they typed."""
    match event:
        case HumanActed():
            letters = f", {event.characters:,} characters" if event.characters else ""
            kept = ", not kept" if event.act in ("text", "paste") and event.text is None else ""
            return f"by you: {HUMAN_ACTS[event.act]}{letters}{kept}"
        case RecordingChanged():
            words = "the record goes on" if event.recording else "a gap in the record begins"
            return f"{words}: {event.reason}"
        case RuleTakenBack():
            return f"rule {event.rule} taken back by you"
        case HoldAllSet():
            return "everything is held: nothing is allowed by rule" if event.on else "rules answer again"
        case ControlChanged():
            return f"{CONTROL_STEPS[event.step]}: {event.reason}" if event.reason else CONTROL_STEPS[event.step]


def job_words(event: JobEvent) -> str:
    """What became of a background job, without a word of the model."""
    match event:
        case JobEnded():
            return JOB_STATES[event.state]
        case JobDelivered():
            return f"with the request of turn {event.turn}"
    return ""


CODE_ACTS: dict[CodeAct, str] = {"interrupt": "interrupted by you", "restart": "begun anew by you"}


def code_words(event: CodeEvent) -> str:
    """What became of a code environment, without a word of the code."""
    match event:
        case CodeActed():
            return f"{event.language}: {CODE_ACTS[event.act]}"
        case VariablesSeen():
            count = len(event.variables) + event.left_out
            return f"{event.language}: {'none left' if event.lost else f'{count:,} now'}"
        case CodeSaid():
            return f"{len(event.text):,} characters"


def phase_words(phase: str) -> str:
    """A checkpoint's phase; the own loop's are named like the SDK's."""
    return phase.removeprefix("programs_")
