"""Works out which asks a scenario raises when its own scripted operator answers them, from the file alone."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from app.core.ask import Ask, AskKind, Source, browser_kind
from app.core.programs_plan import WAIT_TOOL
from app.core.value import call_digest
from app.rehearsal.items import (
    BrowserItem,
    ComputerItem,
    CustomItem,
    FunctionItem,
    McpApprovalItem,
    OutputItem,
    PatchItem,
    ProgramItem,
    ProgramOutputItem,
    SearchItem,
    ShellItem,
)
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.scenario import Scenario

# Members that the SDK does not gate unless a run protects them.
READS = frozenset(
    ("read_page", "get_page_text", "find", "screenshot", "zoom", "list_tabs", "wait_for", "read_page_scoped")
)


_CALLS = (
    BrowserItem
    | FunctionItem
    | CustomItem
    | ProgramItem
    | ProgramOutputItem
    | ComputerItem
    | McpApprovalItem
    | PatchItem
    | ShellItem
    | SearchItem
)
"""Items after which the model is asked again."""


class ExpectedAsk(NamedTuple):
    """One ask, by what a journal shows of it."""

    kind: AskKind
    member: str


def expected_asks(scenario: Scenario) -> list[ExpectedAsk]:
    """All asks in order, those that a rule answers included.

    References are not resolved: an operator's entry that matches on them does not match here.
    """
    operator = ScriptedOperator(scenario.operator)
    asks: list[ExpectedAsk] = []
    not_done = False
    for step in scenario.answers:
        output = (step.if_not_done or scenario.if_not_done) if not_done else ()
        not_done = False
        skip_browser = False
        items = output or step.output
        for item in items:
            if isinstance(item, BrowserItem) and skip_browser:
                continue
            for ask in _asks_of(item, scenario):
                asks.append(ExpectedAsk(ask.kind, ask.member))
                if operator.answer(ask).verdict != "allow":
                    not_done = True
                    break
            else:
                not_done = not_done or (isinstance(item, BrowserItem) and item.invalid)
            skip_browser = skip_browser or (isinstance(item, BrowserItem) and not_done)
        if not any(isinstance(item, _CALLS) for item in items):
            break
    return asks


def _asks_of(item: OutputItem, scenario: Scenario) -> Iterator[Ask]:
    match item:
        case BrowserItem(browser=member, arguments=arguments, invalid=False):
            if member == "navigate" or (member == "new_tab" and arguments.get("url") is not None):
                yield _ask("navigation", "browser", member, arguments)
            if member in scenario.confirm_reads:
                yield _ask("protected_read", "browser", member, arguments)
            elif member not in READS:
                yield _ask(browser_kind(member), "browser", member, arguments)
        case CustomItem(custom=name, text=text):
            yield _ask("custom_call", "functions", name, text)
        case PatchItem(patch=kind, path=path, diff=diff):
            operation = {"type": kind, "path": path} | ({"diff": diff} if diff is not None else {})
            yield _ask("patch", "functions", "apply_patch", operation)
        case ShellItem(shell=commands):
            yield _ask("shell", "code", "shell", {"commands": list(commands)})
        case SearchItem(tool_search=query):
            yield _ask("tool_search", "functions", "tool_search", {"query": query})
        case FunctionItem(function=name, arguments=arguments) if name != WAIT_TOOL:
            yield _ask("function_call", "functions", name, arguments)
        case McpApprovalItem(mcp_approval=name, arguments=arguments):
            yield _ask("mcp_approval", "mcp", name, arguments)
        case ComputerItem(computer=actions, safety=checks):
            if checks:
                yield _ask("safety_checks", "computer", "pending_safety_checks", list(actions))
            for action in actions:
                yield _ask("computer_action", "computer", action["type"], action)
            if actions[-1]["type"] != "screenshot":
                yield _ask("computer_action", "computer", "screenshot", {"type": "screenshot"})
        case _:
            return


def _ask(kind: AskKind, source: Source, member: str, arguments: Any) -> Ask:
    return Ask(
        ask_id="expected",
        kind=kind,
        source=source,
        call_id="expected",
        turn=1,
        member=member,
        arguments=arguments,
        digest=call_digest(member, arguments),
    )
