"""A run file as it is understood: what to do, with which tools, and what is asked. Option names are the SDK's own."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from app.core.ask import AskKind, Source
from app.core.value import Frozen, Json, Text

RuleVerdict = Literal["allow", "hold", "deny"]


class BrowserPlan(Frozen):
    """The browser page, and which members of the SDK's ``AsyncBrowserToolset`` the model gets."""

    start_url: str | None = None
    members: tuple[str, ...] | None = None
    additional_members: tuple[str, ...] | None = None
    confirm_reads: tuple[str, ...] = ()
    headless: bool = True
    viewport: tuple[Annotated[int, Field(ge=200, le=8000)], Annotated[int, Field(ge=200, le=8000)]] = (1280, 800)
    device_scale: Annotated[float, Field(ge=0.5, le=4)] = 1.0
    executable_path: str | None = None
    sandbox: bool | None = None
    """None: on for an ordinary user, refused for root, who must say false to run a browser without it."""

    @model_validator(mode="after")
    def _one_selection(self) -> "BrowserPlan":
        if self.members is not None and self.additional_members is not None:
            raise ValueError("give members or additional_members, not both")
        return self


class ComputerPlan(Frozen):
    """The computer tool, acting on the run's browser page."""

    target: Literal["browser"] = "browser"
    ask_screenshots: bool = False
    """Ask before the picture that ends each computer call, too."""


class FunctionPlan(Frozen):
    """One registered function: Python of the user's own, by import path ``package.module:name``."""

    name: str
    import_path: str = Field(alias="import")
    allow_output_override: bool = False
    independent: bool = False


class McpPlan(Frozen):
    """One MCP server, declared to the service; its approvals are put to the operator."""

    server_label: str
    server_url: str | None = None
    connector_id: str | None = None
    server_description: str | None = None
    require_approval: Any = "always"
    allowed_tools: Any = None
    headers: dict[str, str] | None = None
    authorization: str | None = None

    def declaration(self) -> dict[str, Json]:
        """The tool declaration as the service reads it."""
        given = self.model_dump(exclude_none=True)
        return {"type": "mcp", **given}


class StreamingPlan(Frozen):
    """How answers are received and calls dispatched."""

    stream: bool = True
    eager: bool = False
    max_concurrent_calls: Annotated[int, Field(ge=1)] = 2


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
    origins: tuple[str, ...] = ()
    """Exact origins (``https://host:port``): of the address asked for, else of the page acted on."""
    arguments: dict[str, Json] = Field(default_factory=dict)
    """Arguments that must be equal, by name."""


class LimitsPlan(Frozen):
    """Bounds of the run beyond the SDK's own."""

    drain_secs: Annotated[float, Field(gt=0, le=600)] = 10.0
    """After a stop, how long an action in progress may take before its task is cancelled."""
    request_timeout_secs: Annotated[float, Field(gt=0)] = 600.0


class RunPlan(Frozen):
    """One run. Built from a run file, from a scenario, or by the window's form."""

    task: Text
    model: str | None = None
    instructions: Text | None = None
    max_steps: Annotated[int, Field(ge=1, le=10_000)] = 50
    store: bool = False
    engine: Literal["responses"] = "responses"
    browser: BrowserPlan | None = None
    computer: ComputerPlan | None = None
    functions: tuple[FunctionPlan, ...] = ()
    mcp: tuple[McpPlan, ...] = ()
    server_tools: tuple[dict[str, Any], ...] = ()
    streaming: StreamingPlan = StreamingPlan()
    context_budget: ContextBudgetPlan | None = None
    rules: tuple[RulePlan, ...] = ()
    limits: LimitsPlan = LimitsPlan()

    @model_validator(mode="after")
    def _computer_needs_its_screen(self) -> "RunPlan":
        if self.computer is not None and self.browser is None:
            raise ValueError("computer acts on the browser page: add a [browser] table")
        if self.streaming.eager and not self.streaming.stream:
            raise ValueError("streaming.eager needs streaming.stream")
        return self

    def on_record(self) -> dict[str, Json]:
        """The plan for the journal: everything but secrets."""
        plan: dict[str, Json] = self.model_dump(mode="json")
        for server in plan["mcp"]:
            for secret in ("headers", "authorization"):
                if server[secret] is not None:
                    server[secret] = "(not recorded)"
        return plan
