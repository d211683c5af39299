"""Code that the model writes: the functions that run it, each piece asked for with its whole text."""

import base64
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from app.core.ports import Journal
from app.gate.control import PERSON_ACTED
from app.runner.asking import Asking
from app.runner.code_record import CodeRecord
from app.runner.specs import FunctionSpec

DESCRIPTIONS = {
    "py": "Run Python in a persistent, isolated process without network. Variables persist across calls. Available: "
    "log(value) and display(image) give back text and pictures (a PIL image, or the bytes of a PNG or JPEG "
    "file); PIL; and, where the run has a browser, page: its open tab with the synchronous calls of a "
    "Playwright page for locating, acting, reading, page.goto(url), and page.screenshot(), whose bytes can be "
    "displayed; where it has a desktop, pyautogui: size, screenshot (bytes of a PNG), move_to, click, "
    "double_click, drag_to, scroll, write, press, hotkey. Look at a picture of the page before acting, and "
    "again after a short group of actions. Each piece of code is approved by a person before it runs.",
    "js": "Run JavaScript (Node, top-level await) in a persistent, isolated process without network. Top-level names "
    "persist across calls and may be declared anew. Available: console.log gives back text, display(image) a "
    "picture (the bytes of a PNG or JPEG file, or their base64 form); require for Node's own modules; and, "
    "where the run has a browser, page: its open tab with the calls of a Playwright page for locating, acting, "
    "reading, page.goto(url), and page.screenshot(), whose bytes can be displayed; where it has a desktop, "
    "pyautogui: size, screenshot (bytes of a PNG), moveTo, click, doubleClick, dragTo, scroll, write, press, "
    "hotkey, each with await. Calls on them are made one after the other, also in Promise.all. Look at a "
    "picture of the page before acting, and again after a short group of actions. Each piece of code is "
    "approved by a person before it runs.",
}

STOPPED = "Not done: the run is being stopped."
NO_CALL = "Not done: no call is in progress."
NO_OUTPUT = "(no output)"
WRONG_IMAGES = (
    "({count:,} pictures were left out: display takes PNG and JPEG files of at most 8 MB and 64 million pixels)"
)


class Calling(Protocol):
    """Which call the run is in."""

    @property
    def call_in_progress(self) -> str | None:
        """Its id; None between calls."""


class CodeSandbox(Protocol):
    """A lasting code environment, as `drivers.code` has it."""

    may_open: Callable[[str], Awaitable[bool]]
    """Asked before the code has the page go anywhere."""
    why_not: Callable[[], str]
    """Asked before the code uses anything of the page: why it may not, or nothing."""

    async def run(self, code: str, on_text: Callable[[str], None]) -> Any:
        """What came of it: parts (texts and bytes of pictures), error, left_out_chars, left_out_images,
        wrong_images, before, lost. `on_text` hears its text as it comes."""

    async def variables(self) -> Sequence[Any]:
        """What the code has left behind: name, kind, shown. Between calls."""

    async def interrupt(self) -> None:
        """End what runs."""

    async def begin_anew(self) -> bool:
        """End the process; False where a call is in progress, which says so."""


def code_functions(
    sandboxes: Mapping[str, CodeSandbox], asking: Asking, checkpoints: Calling, journal: Journal
) -> list[FunctionSpec]:
    """The functions for the runner, one a language."""
    return [_function(language, sandbox, asking, checkpoints, journal) for language, sandbox in sandboxes.items()]


def _function(
    language: str, sandbox: CodeSandbox, asking: Asking, checkpoints: Calling, journal: Journal
) -> FunctionSpec:
    async def may_open(url: str) -> bool:
        call_id = checkpoints.call_in_progress
        if call_id is None:
            return False
        await asking.held_before("navigation", "code", call_id, "goto", {"url": url})
        decision = await asking.ask("navigation", "code", call_id, "goto", {"url": url}, url=url)
        return decision.allowed

    async def execute(arguments: dict[str, Any]) -> list[dict[str, Any]]:
        control = asking.gate.control
        returned = control.returned

        def why_not() -> str:
            # One piece of code is many acts: a stop, a record that fails, a person's hand come between two of them.
            if asking.gate.closed:
                return STOPPED
            return PERSON_ACTED if control.returned != returned else ""

        record = CodeRecord(journal, language, checkpoints.call_in_progress or "")
        sandbox.why_not = why_not
        try:
            result = await sandbox.run(arguments["code"], record.heard)
        finally:
            sandbox.why_not = lambda: NO_CALL
            record.flush()
        record.left(await sandbox.variables(), lost=result.lost)
        return blocks_of(result)

    sandbox.may_open, sandbox.why_not = may_open, lambda: NO_CALL
    tool = {
        "type": "function",
        "name": f"exec_{language}",
        "description": DESCRIPTIONS[language],
        "parameters": {
            "type": "object",
            "properties": {"code": {"type": "string"}},
            "required": ["code"],
            "additionalProperties": False,
        },
        "strict": True,
    }
    return FunctionSpec(tool, execute, kind="code")


def blocks_of(result: Any) -> list[dict[str, Any]]:
    """The call's output: text and pictures in their order, then what was left out and what it ended by."""
    blocks = [_block(f"({result.before})\n")] if result.before else []
    blocks += [_block(part) for part in result.parts]
    notes: Sequence[str] = [
        *([f"({result.left_out_chars:,} more characters were left out)"] if result.left_out_chars else []),
        *([f"({result.left_out_images:,} more pictures were left out)"] if result.left_out_images else []),
        *([WRONG_IMAGES.format(count=result.wrong_images)] if result.wrong_images else []),
        *([result.error] if result.error is not None else []),
    ]
    blocks += [{"type": "input_text", "text": note} for note in notes]
    return blocks or [{"type": "input_text", "text": NO_OUTPUT}]


def _block(part: str | bytes) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "input_text", "text": part}
    media_type = "image/jpeg" if part.startswith(b"\xff\xd8") else "image/png"
    data = base64.b64encode(part).decode("ascii")
    return {"type": "input_image", "image_url": f"data:{media_type};base64,{data}", "detail": "original"}
