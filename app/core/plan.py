"""A run file as it is understood: what to do, with which tools, and what is asked. Option names are the SDK's own."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from app.core.ask import AskKind, Source
from app.core.asking_plan import AskingPlan
from app.core.breakpoint import BreakpointPlan
from app.core.computer_plan import ComputerPlan
from app.core.decisions_plan import DecisionsPlan, unknown_members
from app.core.describe import BROWSER_MEMBERS
from app.core.function_server import FunctionServerPlan
from app.core.grant_plan import GrantPlan, told_of, wrong_grants
from app.core.own_tools_plan import CallerKind, PatchesPlan, ShellPlan, ToolSearchPlan
from app.core.programs_plan import (
    CustomToolPlan,
    Engine,
    FunctionPlan,
    JobsPlan,
    engine_for,
    own_loop_reasons,
    wrong_programs,
)
from app.core.remote_plan import RemoteBrowserPlan
from app.core.service_plan import (
    COMPUTER_TOOLS,
    Allowed,
    Approval,
    ClientPlan,
    EarlyExecutionPlan,
    RequestPlan,
    wrong_choice,
    wrong_server_tool,
)
from app.core.unrecorded import without_secrets
from app.core.value import Frozen, Json, Text
from app.core.web_address import Origin, PageAddress

RuleVerdict = Literal["allow", "hold", "deny"]


class BrowserPlan(Frozen):
    """The browser page, and which members of the SDK's ``AsyncBrowserToolset`` the model gets."""

    start_url: PageAddress | None = None
    members: tuple[str, ...] | None = None
    additional_members: tuple[str, ...] | None = None
    confirm_reads: tuple[str, ...] = ()
    headless: bool = True
    viewport: tuple[Annotated[int, Field(ge=200, le=8000)], Annotated[int, Field(ge=200, le=8000)]] = (1280, 800)
    device_scale: Annotated[float, Field(ge=0.5, le=4)] = 1.0
    executable_path: str | None = None
    allow_origins: tuple[Origin, ...] | None = None
    """Exact origins that the browser may reach, whoever leads it there; None: any. Enforced below the page."""
    allowed_callers: tuple[CallerKind, ...] | None = None
    """Who may call its members in a run with programs; left out, the model alone."""
    allow_private_network: bool = True
    """False: never to this machine or a private network, judged by the address really connected to."""
    sandbox: bool | None = None
    """None: on for an ordinary user, refused for root, who must say false to run a browser without it."""
    remote: RemoteBrowserPlan | None = None
    """A browser of somebody else's in the place of one that is started here."""

    @field_validator("members", "additional_members", "confirm_reads")
    @classmethod
    def _known_members(cls, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        for name in names or ():
            if name not in BROWSER_MEMBERS:
                raise ValueError(f"there is no browser member {name!r}")
        return names

    @model_validator(mode="after")
    def _one_selection(self) -> "BrowserPlan":
        if self.members is not None and self.additional_members is not None:
            raise ValueError("give members or additional_members, not both")
        if self.remote is not None and (self.executable_path is not None or self.sandbox is not None):
            raise ValueError("executable_path and sandbox are of a browser that is started here, and remote is not")
        return self


class CodePlan(Frozen):
    """Code that the model writes, as the functions ``exec_py`` and ``exec_js``; each piece is put to the operator."""

    languages: tuple[Literal["py", "js"], ...] = ("py",)
    page: bool = True
    """Whether the code may use the run's page and desktop, by the members that drivers/code/outside.py lists."""
    isolation: Literal["required", "none"] = "required"
    """``none``: also where there is no sandbox; the code can then do what the console's user can do."""
    call_secs: Annotated[float, Field(gt=0, le=3600)] = 60.0
    memory_mb: Annotated[int, Field(ge=128, le=65_536)] = 1024
    total_mb: Annotated[int, Field(ge=128, le=1_048_576)] = 2048
    processes: Annotated[int, Field(ge=1, le=1024)] = 32
    output_chars: Annotated[int, Field(ge=100, le=1_000_000)] = 20_000


class McpPlan(Frozen):
    """One MCP server, declared to the service; its approvals are put to the operator."""

    server_label: str
    server_url: str | None = None
    connector_id: str | None = None
    tunnel_id: str | None = None
    server_description: str | None = None
    require_approval: Approval = "always"
    allowed_tools: Allowed | None = None
    allowed_callers: tuple[CallerKind, ...] | None = None
    defer_loading: bool | None = None
    """Whether the model must look its tools up with ``tool_search`` before they can be called."""
    headers: dict[str, str] | None = None
    authorization: str | None = None

    @model_validator(mode="after")
    def _somewhere(self) -> "McpPlan":
        given = [self.server_url, self.connector_id, self.tunnel_id]
        if sum(one is not None for one in given) != 1:
            raise ValueError("give server_url or connector_id or tunnel_id")
        if not self.server_label:
            raise ValueError("server_label is empty")
        return self

    def declaration(self) -> dict[str, Json]:
        """The tool declaration as the service reads it."""
        # As JSON: the SDK's runner takes lists for what they are, and no tuples.
        given = self.model_dump(mode="json", exclude_none=True)
        return {"type": "mcp", **given}


class StreamingPlan(Frozen):
    """How answers are received and calls dispatched."""

    stream: bool = True
    eager: bool = False
    max_concurrent_calls: Annotated[int, Field(ge=1)] = 2
    """Handed to the SDK, which heeds it in runs without a record only: here each call has its turn."""
    early_execution: EarlyExecutionPlan | None = None
    """Which calls may run early; None: each that can."""
    before_early_call: Literal["ask"] | None = None
    """Ask whether a call may run early; denied, it waits until the answer is complete, and is asked then."""


class ContextBudgetPlan(Frozen):
    """The SDK's context budget; without one every request grows by each picture."""

    max_input_bytes: Annotated[int, Field(ge=1)] | None = None
    max_input_images: Annotated[int, Field(ge=0)] | None = None
    keep_recent_screenshots: Annotated[int, Field(ge=1)] = 3


class RulePlan(Frozen):
    """One rule: where everything given matches, the verdict answers. Tried in order; the last word is hold."""

    verdict: RuleVerdict
    text: Text = ""
    """The rule in the author's words; recorded with each decision it makes."""
    kinds: tuple[AskKind, ...] = ()
    sources: tuple[Source, ...] = ()
    members: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()
    """Exact origins (``https://host:port``): of the address asked for, else of the page acted on."""
    arguments: dict[str, Json] = Field(default_factory=dict)
    """Arguments that must be equal, by name."""
    irreversible: bool = False
    """With hold: it cannot be taken back, so that allowing it takes a stronger gesture and is never for the run."""

    @model_validator(mode="after")
    def _held_if_irreversible(self) -> "RulePlan":
        if self.irreversible and self.verdict != "hold":
            raise ValueError('irreversible goes with verdict = "hold"')
        return self


class LimitsPlan(Frozen):
    """Bounds of the run beyond the SDK's own."""

    drain_secs: Annotated[float, Field(gt=0, le=600)] = 10.0
    """After a stop, how long an action in progress may take before its task is cancelled."""
    request_timeout_secs: Annotated[float, Field(gt=0, le=86_400)] = 600.0
    max_total_tokens: Annotated[int, Field(ge=1)] | None = None
    """Of a programs run: no request leaves once the service has counted so many."""


class RecordPlan(Frozen):
    """What is put on record beyond what every run has there."""

    wire: bool = False
    """Each request and answer of the model service as it went over the wire, without headers."""


class RunPlan(Frozen):
    """One run. Built from a run file, from a scenario, or by the window's form."""

    task: Text
    model: str | None = None
    instructions: Text | None = None
    max_steps: Annotated[int, Field(ge=1, le=10_000)] = 50
    store: bool = False
    browser: BrowserPlan | None = None
    computer: ComputerPlan | None = None
    code: CodePlan | None = None
    functions: tuple[FunctionPlan, ...] = ()
    function_servers: tuple[FunctionServerPlan, ...] = ()
    mcp: tuple[McpPlan, ...] = ()
    server_tools: tuple[dict[str, Any], ...] = ()
    custom_tools: tuple[CustomToolPlan, ...] = ()
    patches: PatchesPlan | None = None
    shell: ShellPlan | None = None
    tool_search: ToolSearchPlan | None = None
    engine: Engine = Field(default_factory=engine_for)
    """Left out, it follows from the tools: ``programs`` where the SDK's runner would refuse one of them."""
    jobs: JobsPlan | None = None
    streaming: StreamingPlan = StreamingPlan()
    context_budget: ContextBudgetPlan | None = None
    request: RequestPlan | None = None
    client: ClientPlan | None = None
    decisions: DecisionsPlan | None = None
    rules: tuple[RulePlan, ...] = ()
    grants: tuple[GrantPlan, ...] = ()
    broken_rules: SkipJsonSchema[Text] = ""
    """Why the rules could not be read; then there are none, and everything is asked. No key of a run file."""
    asking: AskingPlan = AskingPlan()
    breakpoints: tuple[BreakpointPlan, ...] = ()
    limits: LimitsPlan = LimitsPlan()
    record: RecordPlan = RecordPlan()

    @field_validator("task")
    @classmethod
    def _something_to_do(cls, task: str) -> str:
        if not task.strip():
            raise ValueError("say what the run is to do")
        return task

    @model_validator(mode="after")
    def _names_are_unique(self) -> "RunPlan":
        for what, names in (
            ("functions", [function.name for function in (*self.functions, *self.custom_tools)]),
            ("function_servers", [server.name for server in self.function_servers]),
            ("mcp", [server.server_label for server in self.mcp]),
        ):
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise ValueError(f"{what}: {twice!r} is named twice")
        return self

    @model_validator(mode="after")
    def _computer_needs_its_screen(self) -> "RunPlan":
        computer, browser = self.computer, self.browser
        if computer is not None and not computer.on_desktop and browser is None:
            raise ValueError(
                'computer: it acts on the browser page, so add a [browser] table, or say target = "virtual"'
            )
        if computer is not None and computer.on_desktop and browser is not None and browser.headless:
            raise ValueError("computer: a browser beside a desktop is shown on it, so say browser.headless = false")
        if computer is not None and computer.on_desktop and browser is not None and browser.remote is not None:
            raise ValueError("computer: a browser beside a desktop is shown on it, so it cannot be browser.remote")
        if self.streaming.eager and not self.streaming.stream:
            raise ValueError("streaming.eager: it needs streaming.stream")
        return self

    @model_validator(mode="after")
    def _fits_the_runner(self) -> "RunPlan":
        for wrong in _no_mixed_run(self):
            raise ValueError(wrong)
        return self

    @model_validator(mode="after")
    def _fits_its_engine(self) -> "RunPlan":
        if self.engine == "decisions":
            for wrong in _no_decisions_run(self):
                raise ValueError(f"engine decisions: {wrong}")
        elif self.decisions is not None:
            raise ValueError('decisions: this table needs engine = "decisions"')
        for wrong in wrong_programs(self):
            raise ValueError(wrong)
        return self

    @model_validator(mode="after")
    def _grants_can_be_used(self) -> "RunPlan":
        offered = None
        if (browser := self.browser) is not None:
            offered = browser.additional_members or () if browser.members is None else browser.members
        if (wrong := wrong_grants(self.grants, offered)) is not None:
            raise ValueError(wrong)
        return self

    @property
    def told_instructions(self) -> str | None:
        """The instructions with what the model has to know of file grants."""
        return told_of(self.instructions, self.grants)

    @property
    def own_loop_reasons(self) -> list[str]:
        """Why the console's own loop runs it, in words; empty where the SDK's runner could."""
        tables = {"patches": self.patches, "shell": self.shell, "tool_search": self.tool_search}
        return own_loop_reasons(self.functions, self.custom_tools, self.server_tools, tables)

    @property
    def choosing(self) -> DecisionsPlan:
        """The options of a decisions run, those that were left out included."""
        return self.decisions or DecisionsPlan()

    @property
    def imports(self) -> list[tuple[str, str]]:
        """What is loaded of the user's own Python: what it is for, and its import path."""
        named: list[tuple[str, str | None]] = [(f"Function {one.name}", one.import_path) for one in self.functions]
        named += [(f"Custom tool {one.name}", one.import_path) for one in self.custom_tools]
        if self.decisions is not None:
            verify = self.decisions.verify
            named += [
                ("decisions.import", self.decisions.candidates_import),
                ("decisions.observe", self.decisions.observe_import),
                ("decisions.verify.import", verify.import_path if verify is not None else None),
            ]
        return [(what, path) for what, path in named if path is not None]

    def on_record(self) -> dict[str, Json]:
        """The plan for the journal: everything but secrets."""
        plan: dict[str, Json] = self.model_dump(mode="json", by_alias=True)
        for declared in (*plan["mcp"], *plan["server_tools"], *plan["function_servers"], plan["client"] or {}):
            without_secrets(declared)
        if self.engine == "decisions":
            # Nothing of it applies, and a plan that names it is refused.
            del plan["streaming"]
        return plan


def _no_mixed_run(plan: RunPlan) -> list[str]:
    """What of a plan the SDK's mixed runner would refuse, in words and with its place."""
    streaming, request = plan.streaming, plan.request or RequestPlan()
    early = streaming.early_execution
    names = [function.name for function in plan.functions]
    # Which functions a server brings is known once it runs.
    started = tuple(f"{server.name}_" for server in plan.function_servers)
    browser = plan.browser
    members: Iterable[str] = () if browser is None else BROWSER_MEMBERS if browser.members is None else browser.members
    local = frozenset([*names, *(f"browser_{member}" for member in members)])
    wrong = [
        f"server_tools[{at}]: {words}"
        for at, tool in enumerate(plan.server_tools)
        if (words := wrong_server_tool(tool, store=plan.store, computer=plan.computer is not None)) is not None
    ]
    if (early is not None or streaming.before_early_call is not None) and not streaming.eager:
        which = "early_execution" if early is not None else "before_early_call"
        wrong.append(f"streaming.{which}: it needs streaming.eager")
    wrong += [
        f"streaming.early_execution.functions: this run has no function {name!r}"
        for name in (early.functions if early is not None else ())
        if name not in local and not name.startswith(started)
    ]
    if early is not None and early.computer and plan.computer is None:
        wrong.append("streaming.early_execution.computer: it needs a [computer] table")
    elsewhere = frozenset([str(tool.get("type")) for tool in plan.server_tools] + ["mcp"] * bool(plan.mcp))
    choice = wrong_choice(
        request.tool_choice,
        started=started,
        local=local | ({"computer"} if plan.computer is not None else set()),
        servers=frozenset(server.server_label for server in plan.mcp),
        elsewhere=elsewhere - COMPUTER_TOOLS,
    )
    if choice is not None:
        wrong.append(f"request.tool_choice: {choice}")
    if plan.context_budget is not None and (request.truncation == "auto" or request.context_management):
        wrong.append("context_budget: it cannot go with request.truncation = auto or request.context_management")
    if plan.client is not None and plan.client.max_retries is not None and plan.engine != "decisions":
        wrong.append("client.max_retries: a run on the Responses API repeats no request, each is on record once")
    return wrong


def _no_decisions_run(plan: RunPlan) -> list[str]:
    """What of a plan the SDK's decisions runner cannot take, in words; it takes a task, a model and candidates."""
    given = {
        "streaming: an answer comes whole; leave the table out": plan.streaming.model_fields_set,
        "context_budget: each request holds the task and one observation only": plan.context_budget is not None,
        "instructions: put them into the task": plan.instructions is not None,
        "store: the service stores no decisions": plan.store,
        "computer: an action is chosen from candidates": plan.computer is not None,
        "code: name your own candidates with decisions.import": plan.code is not None,
        "functions: name your own candidates with decisions.import": plan.functions,
        "function_servers: name your own candidates with decisions.import": plan.function_servers,
        "custom_tools: name your own candidates with decisions.import": plan.custom_tools,
        "mcp: servers cannot be called": plan.mcp,
        "server_tools: tools of the service cannot be called": plan.server_tools,
        "grants: no file is handed over or fetched": plan.grants,
        "request: the service takes a task, a model and a safety identifier": plan.request is not None,
    }
    wrong = [words for words, there in given.items() if there]
    browser, options = plan.browser, plan.choosing
    if browser is None and options.needs_browser:
        wrong.append("add a [browser] table, or decisions.import and decisions.observe of your own")
    if browser is not None and browser.confirm_reads:
        wrong.append("browser.confirm_reads: the page is read for each question by the console, not by the model")
    if browser is not None and browser.additional_members is not None:
        wrong.append("browser.additional_members: say with browser.members which actions may be offered")
    if browser is not None and (unknown := unknown_members(browser.members or ())):
        wrong.append(f"browser.members: {unknown[0]!r} is no action that can be offered")
    if browser is not None and not (options.page or options.candidates or options.candidates_import):
        wrong.append("decisions.page is off and there are no other candidates")
    return wrong
