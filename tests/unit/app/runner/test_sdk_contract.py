"""What the console relies on in openai 3.57.0 beyond its documentation, each held by a test on the SDK alone."""

import asyncio
import contextlib
import inspect
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from openai import AsyncOpenAI
from openai.lib.browser import AsyncBrowserToolset
from openai.lib.responses_tool_runner import (
    AsyncRegisteredFunction,
    AsyncResponsesToolLedger,
    AsyncResponsesToolRunner,
    ToolRunnerCancelledError,
    ToolRunnerError,
)

from app.rehearsal.scenario import Scenario
from app.rehearsal.server import MODEL, ScriptedModel
from tests.unit.app.runner import scenes
from tests.unit.app.runner.scenes import answer, fault, scene
from tests.unit.app.runner.sdk_drivers import Page, Screen

CLICK = "browser = \"click\"\narguments = { target = 'e1' }"


@dataclass
class Sdk:
    """The SDK's own runner against the scripted service; nothing of the console but that service."""

    model: ScriptedModel
    client: AsyncOpenAI
    page: Page = field(default_factory=Page)
    screen: Screen = field(default_factory=Screen)
    saved: list[dict[str, Any]] = field(default_factory=list)
    diagnostics: list[Any] = field(default_factory=list)
    save: Callable[[dict[str, Any]], None] | None = None

    async def _save(self, checkpoint: Any) -> None:
        if self.save is not None:
            self.save(checkpoint)
        self.saved.append(checkpoint)

    def ledger(self, resume_from: Any = None) -> AsyncResponsesToolLedger:
        return AsyncResponsesToolLedger("run", self._save, resume_from=resume_from)

    def toolset(self, confirm: Any, kind: type[AsyncBrowserToolset] = AsyncBrowserToolset) -> AsyncBrowserToolset:
        return kind(cast(Any, self.page), members=["read_page", "click"], confirm=confirm)

    async def run(
        self, runner: AsyncResponsesToolRunner, *, said: str = "Go on.", resume_from: Any = None, **options: Any
    ) -> Any:
        params: Any = {"model": MODEL, "input": [{"role": "user", "content": said}], "store": False}
        params.update(options.pop("params", {}))
        options.setdefault("ledger", self.ledger(resume_from))
        return await runner.run(self.client, params, max_steps=20, **options)


@asynccontextmanager
async def sdk(scenario: Scenario) -> AsyncIterator[Sdk]:
    """The scripted service of `scenario` and a client for it."""
    model = ScriptedModel(scenario)
    base_url = model.start()
    try:
        async with AsyncOpenAI(api_key="no-key", base_url=base_url) as client:
            yield Sdk(model, client)
    finally:
        model.stop()


def clicks(*more: str, **options: Any) -> Scenario:
    """A scenario that clicks once, reads and is done."""
    return scene(answer(CLICK), *more, answer(scenes.DONE), members=("read_page", "click"), **options)


async def yes(*_: Any) -> bool:
    return True


async def no(*_: Any) -> bool:
    return False


def test_the_private_method_that_is_overridden_has_its_form() -> None:
    parameters = inspect.signature(AsyncBrowserToolset._execute).parameters
    assert list(parameters) == ["self", "call", "skip", "cancelled", "on_diagnostic"]
    assert all(parameters[name].kind is inspect.Parameter.KEYWORD_ONLY for name in list(parameters)[2:])


async def test_with_a_ledger_a_refusal_ends_the_run_unless_the_second_result_says_ok() -> None:
    class Forgiving(AsyncBrowserToolset):
        async def _execute(self, call: Any, **options: Any) -> Any:
            output, ok = await super()._execute(call, **options)
            assert ok is False
            return output, True

    async with sdk(clicks()) as one:
        with pytest.raises(ToolRunnerError, match=r"^Browser result requires reconciliation before another call\.$"):
            await one.run(AsyncResponsesToolRunner(browser=one.toolset(no)))
        assert one.saved[-1]["phase"] == "pending"
    async with sdk(clicks()) as one:
        response = await one.run(AsyncResponsesToolRunner(browser=one.toolset(no, Forgiving)))
        assert response.output_text == "Done."
        told = one.model.requests[-1].input[-1]["output"][0]["text"]
        assert json.loads(told)["error"] == "Browser action was not approved. Do not retry it unless the user asks."
        assert one.page.clicks == []


@pytest.mark.parametrize(("actions", "saves"), [(1, 7), (2, 9), (3, 11)])
async def test_a_turn_of_k_calls_saves_three_times_and_twice_for_each(actions: int, saves: int) -> None:
    scenario = scene(answer(*[CLICK] * actions), answer(scenes.DONE), members=("read_page", "click"))
    async with sdk(scenario) as one:
        await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)))
        phases = [checkpoint["phase"] for checkpoint in one.saved]
        assert len(phases) == saves == (3 + 2 * actions) + 2
        assert phases == ["boundary", *["pending"] * (1 + 2 * actions), "boundary", "boundary", "final"]
        assert [checkpoint["revision"] for checkpoint in one.saved] == list(range(1, saves + 1))
        assert [checkpoint["consumed_requests"] for checkpoint in one.saved[-3:]] == [1, 2, 2]


async def test_the_strings_of_all_checkpoints_are_the_same_objects_and_the_lists_are_not() -> None:
    task = "a long task " * 100
    async with sdk(clicks()) as one:
        await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)), said=task)
        tasks = [checkpoint["history"][0]["content"] for checkpoint in one.saved]
        assert len({id(text) for text in tasks}) == 1
        assert len({id(checkpoint["history"]) for checkpoint in one.saved}) == len(one.saved)


async def test_what_really_went_wrong_is_in_the_context_of_the_error() -> None:
    def full(checkpoint: dict[str, Any]) -> None:
        if checkpoint["revision"] == 3:
            raise OSError("no room")

    async with sdk(clicks()) as one:
        one.save = full
        with pytest.raises(ToolRunnerError, match=r"^Tool run stopped before completion\.$") as stopped:
            await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)))
        assert stopped.value.__cause__ is None
        assert isinstance(stopped.value.__context__, OSError)
        assert one.page.clicks == [], "an effect before the save that precedes it"


async def test_a_save_that_raises_keeps_the_request_from_leaving_also_with_server_tools() -> None:
    def never(checkpoint: dict[str, Any]) -> None:
        raise OSError("no room")

    server = {"tools": [{"type": "web_search"}]}
    async with sdk(clicks()) as one:
        one.save = never
        with pytest.raises(ToolRunnerError):
            await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)), params=server)
        assert one.model.requests == []


async def test_with_server_tools_the_save_before_a_request_is_pending() -> None:
    async with sdk(clicks()) as one:
        params = {"tools": [{"type": "web_search"}]}
        await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)), params=params)
        assert [checkpoint["phase"] for checkpoint in one.saved][:2] == ["pending", "pending"]
        assert [c["phase"] for c in one.saved if c["revision"] == 5] == ["boundary"]


async def test_the_predicate_stops_at_a_boundary_with_its_own_words() -> None:
    async with sdk(clicks()) as one:
        with pytest.raises(ToolRunnerError, match=r"^Tool run was cancelled\.$"):
            await one.run(
                AsyncResponsesToolRunner(browser=one.toolset(yes)),
                cancelled=lambda: len(one.page.clicks) == 1 and one.saved[-1]["phase"] == "boundary",
            )
        newest = one.saved[-1]
        assert (newest["phase"], newest["consumed_requests"]) == ("boundary", 1)
        assert newest["attempted_call_ids"] == newest["returned_call_ids"] == ["call_001_01"]
        assert len(one.model.requests) == 1


async def paused(one: Sdk) -> dict[str, Any]:
    """The boundary after the first turn of `clicks`."""
    with pytest.raises(ToolRunnerError):
        await one.run(
            AsyncResponsesToolRunner(browser=one.toolset(yes)),
            cancelled=lambda: len(one.page.clicks) == 1 and one.saved[-1]["phase"] == "boundary",
        )
    return one.saved[-1]


async def test_a_boundary_resumes_with_a_user_message_and_spends_no_step_on_it() -> None:
    async with sdk(clicks()) as one:
        boundary = await paused(one)
        before = json.dumps(boundary)
        with pytest.raises(ValueError, match=r"^Resume requires a nonempty current observation in params\.input\.$"):
            await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)), said=" ", resume_from=boundary)
        response = await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)), resume_from=boundary)
        assert response.output_text == "Done."
        assert json.dumps(boundary) == before, "the checkpoint that was handed in has changed"
        assert one.saved[-1]["consumed_requests"] == 2
        assert [item["content"] for item in one.model.requests[-1].input if item.get("role") == "user"] == [
            "Go on."
        ] * 2


async def test_only_a_boundary_resumes() -> None:
    async with sdk(clicks()) as one:
        await paused(one)
        pending = next(checkpoint for checkpoint in one.saved if checkpoint["phase"] == "pending")
        with pytest.raises(ValueError, match=r"^Only a matching completed boundary can resume"):
            await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)), resume_from=pending)


async def test_with_a_ledger_a_failed_request_is_not_repeated() -> None:
    scenario = scene(fault("status = 429", CLICK), members=("read_page", "click"))
    async with sdk(scenario) as one:
        with pytest.raises(ToolRunnerError):
            await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)))
        assert len(one.model.requests) == 1


async def test_the_call_of_a_function_is_the_one_attempted_and_not_returned() -> None:
    named: list[list[str]] = []
    async with sdk(scene(answer(scenes.OPENING_HOURS, scenes.OPENING_HOURS), answer(scenes.DONE))) as one:

        async def execute(arguments: Any) -> str:
            newest = one.saved[-1]
            named.append([i for i in newest["attempted_call_ids"] if i not in newest["returned_call_ids"]])
            return "open"

        tool: Any = {"type": "function", "name": "opening_hours", "parameters": {"type": "object"}, "strict": False}
        await one.run(AsyncResponsesToolRunner(functions=[AsyncRegisteredFunction(tool, execute)]))
    assert named == [["call_001_01"], ["call_001_02"]]


async def test_a_cancelled_effect_ends_the_run_as_cancelled() -> None:
    async with sdk(clicks()) as one:
        one.page.error = asyncio.CancelledError()
        with pytest.raises(ToolRunnerCancelledError) as stopped:
            await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)))
        assert isinstance(stopped.value, asyncio.CancelledError)
        assert not isinstance(stopped.value, Exception)
        assert list(stopped.value.attempted_call_ids) == ["call_001_01"]


async def test_what_a_diagnostic_listener_raises_is_swallowed() -> None:
    async with sdk(clicks()) as one:

        def listen(diagnostic: Any) -> None:
            one.diagnostics.append(diagnostic)
            raise RuntimeError("deaf")

        await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)), on_diagnostic=listen)
        assert len(one.diagnostics) >= 4


async def test_a_context_budget_needs_both_limits() -> None:
    async with sdk(clicks()) as one:
        with pytest.raises(ValueError, match="context_budget"):
            await one.run(AsyncResponsesToolRunner(browser=one.toolset(yes)), context_budget={"max_input_images": 3})


async def test_an_approval_without_its_call_is_asked_again_when_a_boundary_is_resumed() -> None:
    scenario = scene(answer(scenes.ASK_GUEST, CLICK), answer(scenes.DONE), members=("read_page", "click"))
    params = {"tools": [{"type": "mcp", "server_label": "guest_list", "server_url": "https://guest-list.invalid/mcp"}]}
    asked: list[str] = []

    async def approve(request: Any) -> bool:
        asked.append(request.id)
        return True

    async with sdk(scenario) as one:
        with pytest.raises(ToolRunnerError):
            await one.run(
                AsyncResponsesToolRunner(browser=one.toolset(yes)),
                params=params,
                approve_mcp=approve,
                cancelled=lambda: len(one.page.clicks) == 1 and one.saved[-1]["phase"] == "boundary",
            )
        await one.run(
            AsyncResponsesToolRunner(browser=one.toolset(yes)),
            params=params,
            approve_mcp=approve,
            resume_from=one.saved[-1],
        )
    assert asked == ["mcpr_001_01"] * 2


async def most_at_once(window: int, *, with_ledger: bool) -> int:
    """How many of three independent eager calls ever ran at the same time, where as many may as `window` says."""
    running = most = 0
    several = asyncio.Event()

    async def execute(arguments: Any) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        if most == min(window, 3):
            several.set()
        # Whoever runs alone gives others the time to come.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(several.wait(), 0.2 if with_ledger else 20)
        running -= 1
        return "open"

    tool: Any = {"type": "function", "name": "opening_hours", "parameters": {"type": "object"}, "strict": False}
    function = AsyncRegisteredFunction(tool, execute, independent=True)
    async with sdk(scene(answer(*[scenes.OPENING_HOURS] * 3), answer(scenes.DONE))) as one:
        options: dict[str, Any] = {} if with_ledger else {"ledger": None}
        runner = AsyncResponsesToolRunner(functions=[function])
        await one.run(runner, stream=True, eager=True, max_concurrent_calls=window, **options)
    return most


@pytest.mark.parametrize("window", [1, 2, 3])
async def test_independent_calls_overlap_as_far_as_is_said_but_never_with_a_ledger(window: int) -> None:
    """So `max_concurrent_calls` changes nothing in a run on record, which the form and the documents say."""
    assert await most_at_once(window, with_ledger=False) == window
    assert await most_at_once(window, with_ledger=True) == 1
