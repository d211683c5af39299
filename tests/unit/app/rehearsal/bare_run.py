"""Runs a scenario on the bare SDK: real client, real runner, real HTTP; the scripted operator answers in place."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from openai import AsyncOpenAI
from openai.lib.browser import AsyncBrowserToolset, BrowserError
from openai.lib.computer import AsyncComputerToolset
from openai.lib.responses_tool_runner import (
    AsyncRegisteredFunction,
    AsyncResponsesToolLedger,
    AsyncResponsesToolRunner,
)

from app.core.ask import Ask
from app.core.value import call_digest
from app.rehearsal.functions import DEMO_FUNCTIONS
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.scenario import Scenario
from app.rehearsal.server import ScriptedModel
from app.rehearsal.site import DemoSite
from tests.unit.app.rehearsal.form_driver import FormComputer, FormDriver


@contextmanager
def served(scenario: Scenario) -> Iterator[tuple[ScriptedModel, DemoSite, str, str]]:
    """Model, site, and the base URLs of both."""
    site = DemoSite()
    site_url = site.start()
    model = ScriptedModel(scenario, site=site_url)
    model_url = model.start()
    try:
        yield model, site, model_url, site_url
    finally:
        model.stop()
        site.stop()


@dataclass
class BareRun:
    """What one run left behind."""

    text: str
    asked: list[str] = field(default_factory=list)
    checkpoints: list[dict[str, Any]] = field(default_factory=list)
    event_types: list[str] = field(default_factory=list)


async def run_bare(
    scenario: Scenario,
    model_url: str,
    site_url: str,
    *,
    stream: bool = False,
    eager: bool = False,
    ledger: bool = False,
    retries: int = 0,
) -> BareRun:
    """Run to the end; raises what the runner raises."""
    operator = ScriptedOperator(scenario.operator)
    run = BareRun("")

    def answer(kind: Any, member: str, arguments: Any) -> tuple[bool, str]:
        run.asked.append(f"{kind} {member}")
        digest = call_digest(member, arguments)
        ask = Ask(
            ask_id="a1",
            kind=kind,
            source="browser",
            call_id="c",
            turn=1,
            member=member,
            arguments=arguments,
            digest=digest,
        )
        given = operator.answer(ask)
        return given.verdict == "allow", given.note

    async def confirm(context: Any) -> bool:
        kind = "protected_read" if "phase" in context else "browser_action"
        allowed, note = answer(kind, context["member"], context["arguments"])
        if note:
            raise BrowserError(note)
        return allowed

    async def url_policy(context: Any, url: str) -> bool:
        return answer("navigation", context["member"], {"url": url})[0]

    async def before_action(action: Any) -> bool:
        return answer("computer_action", action.type, action.to_dict())[0]

    async def approve_safety_checks(call: Any) -> bool:
        return answer("safety_checks", "pending_safety_checks", call.to_dict())[0]

    async def approve_mcp(request: Any) -> bool:
        return answer("mcp_approval", request.name, {})[0]

    async def on_event(event: Any) -> None:
        run.event_types.append(event.type)

    async def save(checkpoint: Any) -> None:
        run.checkpoints.append(checkpoint)

    driver = FormDriver(site_url)
    await driver.open("get", scenario.start)
    browser = AsyncBrowserToolset(
        driver,
        members=list(scenario.members),
        confirm_reads=list(scenario.confirm_reads),
        confirm=confirm,
        url_policy=url_policy,
    )
    functions = [
        AsyncRegisteredFunction(cast(Any, DEMO_FUNCTIONS[name][0]), DEMO_FUNCTIONS[name][1])
        for name in scenario.functions
    ]
    runner = AsyncResponsesToolRunner(
        browser=browser,
        computer=AsyncComputerToolset(FormComputer(driver)) if scenario.computer else None,
        functions=functions or None,
    )
    params: dict[str, Any] = {"model": "any", "input": scenario.task}
    if scenario.mcp:
        params["tools"] = [
            {
                "type": "mcp",
                "server_label": server.label,
                "server_url": server.url,
                "allowed_tools": list(server.allowed_tools),
                "require_approval": server.require_approval,
            }
            for server in scenario.mcp
        ]
    async with AsyncOpenAI(api_key="none", base_url=model_url, max_retries=retries) as client:
        try:
            response = await runner.run(
                client,
                cast(Any, params),
                max_steps=scenario.max_steps,
                stream=stream,
                eager=eager,
                on_event=on_event if stream else None,
                ledger=AsyncResponsesToolLedger("run", save) if ledger else None,
                before_action=before_action if scenario.computer else None,
                approve_safety_checks=approve_safety_checks if scenario.computer else None,
                approve_mcp=approve_mcp if scenario.mcp else None,
            )
        finally:
            await driver.aclose()
    run.text = response.output_text
    return run
