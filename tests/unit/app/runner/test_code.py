"""What approved code may still do once the run is stopped, or a person has had the page."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.gate.control import PERSON_ACTED
from app.runner.code import NO_CALL, STOPPED, code_functions
from drivers.code.result import CodeResult
from tests.unit.app.runner.test_by_hand import Rig


class Sandbox:
    """Code that acts three times, each time after asking whether it may; `between` comes after its first act."""

    may_open: Callable[[str], Awaitable[bool]]
    why_not: Callable[[], str]

    def __init__(self) -> None:
        self.did = 0
        self.between: Callable[[], object] = lambda: None

    async def run(self, code: str) -> Any:
        result = CodeResult()
        for _ in range(3):
            if reason := self.why_not():
                result.error = reason
                break
            self.did += 1
            self.between()
        return result


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    with made:
        yield made


@pytest.mark.parametrize(("comes", "words"), [("stop", STOPPED), ("hand", PERSON_ACTED), ("nothing", None)])
async def test_between_two_acts_of_one_piece_of_code(rig: Rig, comes: str, words: str | None) -> None:
    sandbox = Sandbox()
    (function,) = code_functions({"py": sandbox}, rig.asking, SimpleNamespace(call_in_progress="call_1"))
    assert sandbox.why_not() == NO_CALL, "nothing of the page before the first call"

    def hand() -> None:
        rig.control.want()
        rig.control.give_back()

    sandbox.between = {"stop": lambda: rig.gate.close("stopped by you"), "hand": hand, "nothing": lambda: None}[comes]
    output = await function.execute({"code": "three acts"})
    assert sandbox.did == (3 if words is None else 1)
    assert output == [{"type": "input_text", "text": words or "(no output)"}]
    assert sandbox.why_not() == NO_CALL, "and nothing after it"
    await rig.hands.aclose()
