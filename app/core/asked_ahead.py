"""What a run will ask and what it will not, said before it starts, from its plan alone.

The first rule that fits answers, as in the gate. One that looks at addresses or arguments fits here and there: it is
said, and what comes after it as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from app.core.ask import AskKind, Source, browser_kind
from app.core.describe import ASK_TITLES, BROWSER_MEMBERS, COMPUTER_ACTIONS
from app.core.plan import McpPlan, RulePlan, RunPlan
from app.core.programs_plan import PROGRAMMATIC
from app.core.service_plan import McpApprovals, McpFilter

Word = Literal["asked", "not asked", "denied"]

OPT_IN = (
    "hover_at",
    "set_checked",
    "click_at",
    "drag_path",
    "hold_keys",
    "read_page_scoped",
    "read_diagnostics",
    "run_script",
    "upload_file",
    "download_file",
)
"""Members that the SDK offers only when they are named."""

UNASKED_READS = frozenset(
    {"read_page", "get_page_text", "find", "screenshot", "zoom", "list_tabs", "wait_for", "read_page_scoped"}
)

_SERVER_WORDS = {"all": "Every tool of the server", "some": "Tools that need an approval, of the server"}


@dataclass(frozen=True)
class Foretold:
    """One line: what is asked, or not, and why. `names` and `quoted` are outside text: a run file's own."""

    word: Word
    what: tuple[str, ...]
    names: tuple[str, ...] = ()
    why: str = ""
    quoted: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Question:
    kind: AskKind
    source: Source
    member: str
    what: str = ""
    name: str = ""


def foretell(plan: RunPlan) -> list[Foretold]:
    """What is asked first, then what is not, then what is denied by itself."""
    lines = [line for question in _questions(plan) for line in _answers(question, plan.rules)]
    lines += [*_unasked(plan), *_always(plan)]
    order: tuple[Word, ...] = ("asked", "not asked", "denied")
    return sorted(_grouped(lines), key=lambda line: order.index(line.word))


def _questions(plan: RunPlan) -> Iterator[_Question]:
    if plan.engine == "decisions":
        yield _Question("candidate", "decisions", "", "Every candidate that the model chooses")
        return
    for member in _members(plan):
        guarded = plan.browser is not None and member in plan.browser.confirm_reads
        if member in ("navigate", "new_tab"):
            yield _Question("navigation", "browser", member, f"{BROWSER_MEMBERS[member]}: which one")
        if guarded:
            yield _Question("protected_read", "browser", member, BROWSER_MEMBERS[member])
        elif member not in UNASKED_READS:
            yield _Question(browser_kind(member), "browser", member, BROWSER_MEMBERS[member])
    if plan.computer is not None and plan.computer.target == "desktop":
        yield _Question("own_desktop", "computer", "use_own_desktop", "Whether it may see and use your own desktop")
    if plan.computer is not None:
        for action, words in COMPUTER_ACTIONS.items():
            if action != "screenshot" or plan.computer.ask_screenshots:
                yield _Question("computer_action", "computer", action, words)
        yield _Question("safety_checks", "computer", "computer", "The service's safety checks")
    for function in plan.functions:
        yield _Question("function_call", "functions", function.name, "The function", function.name)
    for started in plan.function_servers:
        yield _Question("function_call", "functions", "", "Every function of the server started here", started.name)
    for tool in plan.custom_tools:
        yield _Question("custom_call", "functions", tool.name, "The custom tool", tool.name)
    if plan.patches is not None:
        yield _Question("patch", "functions", "apply_patch", "Each change of a file in", plan.patches.folder)
    if plan.shell is not None:
        yield _Question("shell", "code", "shell", "All commands that the model has run in the sandbox")
    if plan.tool_search is not None and plan.tool_search.execution == "client":
        yield _Question("tool_search", "functions", "tool_search", "Each search for further tools")
    for language in plan.code.languages if plan.code is not None else ():
        yield _Question("code", "code", f"exec_{language}", "Each piece of code that the model writes")
        if plan.code is not None and plan.code.page and plan.browser is not None:
            yield _Question("navigation", "code", "goto", "Where code takes the page")
    for server in plan.mcp:
        if (approved := _approved(server)) != "none":
            yield _Question("mcp_approval", "mcp", "", _SERVER_WORDS[approved], server.server_label)
    if plan.streaming.before_early_call is not None and not (plan.mcp or plan.server_tools):
        yield _Question("early_call", "functions", "", ASK_TITLES["early_call"])


def _members(plan: RunPlan) -> list[str]:
    browser = plan.browser
    if browser is None:
        return []
    if browser.members is not None:
        return [member for member in BROWSER_MEMBERS if member in browser.members]
    added = browser.additional_members or ()
    return [member for member in BROWSER_MEMBERS if member not in OPT_IN or member in added]


def _approved(server: McpPlan) -> Literal["all", "some", "none"]:
    """Which tools of a server need an approval, as far as the run file says it."""
    policy = server.require_approval
    if not isinstance(policy, McpApprovals):
        return "all" if policy == "always" else "none"
    if policy.always is None and policy.never == McpFilter():
        return "none"
    return "all" if policy.never is None and policy.always == McpFilter() else "some"


def _answers(question: _Question, rules: Sequence[RulePlan]) -> Iterator[Foretold]:
    what, names = (question.what,), (question.name,) if question.name else ()
    if question.kind == "own_desktop":
        yield Foretold("asked", what, names, "whatever the rules say")
        return
    for number, rule in enumerate(rules, start=1):
        if not _may_fit(rule, question):
            continue
        word: Word = "not asked" if rule.verdict == "allow" else "denied" if rule.verdict == "deny" else "asked"
        verb = {"allow": "allows it", "deny": "denies it", "hold": "wants it asked"}[rule.verdict]
        if rule.irreversible:
            verb += ", with a tick first"
        conditions = rule.origins + tuple(f"{name} = {value!r}" for name, value in rule.arguments.items())
        # Where the plan does not know the member (a server's tool), the rule may mean it or another one.
        named = bool(rule.members) or (bool(rule.sources) and question.kind == "early_call")
        somewhere = bool(conditions) or (named and not question.member)
        if not somewhere:
            yield Foretold(word, what, names, f"rule {number} {verb}", (rule.text,) if rule.text else ())
            return
        limits = conditions or rule.members or rule.sources
        yield Foretold(word, what, names, f"rule {number} {verb}, only where it fits:", limits)
    yield Foretold("asked", what, names)


def _may_fit(rule: RulePlan, question: _Question) -> bool:
    return (
        (not rule.kinds or question.kind in rule.kinds)
        and (not rule.sources or question.source in rule.sources or question.kind == "early_call")
        and (not rule.members or not question.member or question.member in rule.members)
    )


def _unasked(plan: RunPlan) -> Iterator[Foretold]:
    browser = plan.browser
    if plan.engine == "decisions":
        if browser is not None:
            yield Foretold("not asked", ("Reading the page for each question",))
        return
    reads = tuple(
        BROWSER_MEMBERS[member]
        for member in _members(plan)
        if member in UNASKED_READS and browser is not None and member not in browser.confirm_reads
    )
    if reads:
        yield Foretold("not asked", reads, why="it only reads; confirm_reads has it asked")
    if plan.computer is not None and not plan.computer.ask_screenshots:
        yield Foretold("not asked", ("Take a picture of the screen",), why="it ends every computer call")
    for server in plan.mcp:
        if (approved := _approved(server)) == "none":
            yield Foretold("not asked", (_SERVER_WORDS["all"],), (server.server_label,), "require_approval says never")
        elif approved == "some":
            words = "Tools that need no approval, of the server"
            yield Foretold("not asked", (words,), (server.server_label,), "require_approval says which")
    if any(tool.get("type") == PROGRAMMATIC for tool in plan.server_tools):
        yield Foretold("not asked", ("That the service runs a program",), why="each call that it makes is asked")
    if plan.code is not None and plan.code.page and browser is not None:
        words = "What an allowed piece of code does on the page, beside opening addresses"
        yield Foretold("not asked", (words,), why="the code is asked as a whole")
    if plan.code is not None and plan.code.page and plan.computer is not None and plan.computer.on_desktop:
        yield Foretold(
            "not asked", ("What an allowed piece of code does on the desktop",), why="the code is asked as a whole"
        )
    tools = tuple(str(tool.get("type")) for tool in plan.server_tools if tool.get("type") != PROGRAMMATIC)
    if tools:
        yield Foretold("not asked", ("The service's own tools",), tools, "they run at the service")


def _always(plan: RunPlan) -> Iterator[Foretold]:
    if plan.browser is not None:
        if any(rule.verdict == "allow" and (not rule.kinds or "navigation" in rule.kinds) for rule in plan.rules):
            yield Foretold("asked", ("An address that could be taken for another one",), why="whatever a rule allows")
        yield Foretold("denied", ("Addresses of other kinds than http and https, or with a password in them",))
        if plan.browser.allow_origins is not None:
            why = "the browser reaches nothing else than"
            yield Foretold("denied", ("Every other site",), why=why, quoted=plan.browser.allow_origins)


def _grouped(lines: Sequence[Foretold]) -> list[Foretold]:
    """Lines that say the same of several things become one."""
    groups: dict[tuple[object, ...], Foretold] = {}
    for line in lines:
        key = (line.word, line.why, line.quoted, bool(line.names), line.what if line.names else ())
        known = groups.get(key)
        what = line.what if known is None or line.names else known.what + line.what
        names = line.names if known is None else known.names + line.names
        groups[key] = Foretold(line.word, what, names, line.why, line.quoted)
    return list(groups.values())
