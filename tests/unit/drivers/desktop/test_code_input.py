"""Code that acts on a desktop, by pyautogui's names: done by the driver, refused where it refuses."""

import io

import pytest
from PIL import Image

from drivers.code.environment import CodeEnvironment
from drivers.code.isolation import isolation
from drivers.code.limits import CodeLimits
from drivers.code.outside import Outside
from drivers.code.result import CodeResult
from drivers.desktop.code_input import DesktopInput
from drivers.errors import SandboxUnavailable
from tests.unit.drivers.desktop.conftest import NEEDS_DESKTOP, Bench

pytestmark = [pytest.mark.asyncio(loop_scope="module"), NEEDS_DESKTOP]


async def ran(desktop: Bench, code: str, given: DesktopInput | None = None) -> CodeResult:
    """What came of one piece of code that has the desktop."""
    try:
        chosen = isolation(required=True)
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))
    tool = given or DesktopInput(desktop.driver)
    environment = CodeEnvironment(chosen, CodeLimits(), Outside(), lambda: {"pyautogui": tool})
    try:
        return await environment.run(code)
    finally:
        await environment.aclose()


async def test_code_writes_and_looks(desktop: Bench) -> None:
    result = await ran(
        desktop,
        "import pyautogui\n"
        "width, height = pyautogui.size()\n"
        "pyautogui.moveTo(width / 2, height / 2)\n"
        "pyautogui.click()\n"
        "pyautogui.hotkey('ctrl', 'a')\n"
        "pyautogui.write('one Grüße\\n')\n"
        "pyautogui.press('x', presses=2)\n"
        "pyautogui.press(['left', 'Backspace'])\n"
        "pyautogui.dragTo(300, 300)\n"
        "pyautogui.scroll(-2, 300, 300)\n"
        "log(width, height)\n"
        "display(pyautogui.screenshot())",
    )
    assert result.error is None, result.error
    assert result.parts[0] == "1280 800\n"
    assert isinstance(result.parts[1], bytes)
    assert Image.open(io.BytesIO(result.parts[1])).size == (1280, 800)
    await desktop.holds("one Grüße\nx")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("pyautogui.click(1280, 5)", "outside"),
        ("pyautogui.click(5, 5, button='thumb')", "no button"),
        ("pyautogui.click()", "say where"),
        ("pyautogui.dragTo(5, 5)", "move somewhere first"),
        ("pyautogui.hotkey('no such key')", "NotDone"),
        ("pyautogui.alert('x')", "has no 'alert'"),
        ("pyautogui._driver", "AttributeError"),
    ],
)
async def test_what_the_driver_refuses_is_an_error_of_the_code(desktop: Bench, code: str, words: str) -> None:
    result = await ran(desktop, code)
    assert words in str(result.error)
