"""Tests wait with patience: a limit ends what stands still for good, and none what a busy machine does late."""

import ast

from tests.architecture.source import SourceFile, called_name, source_files

LEAST_SECS = 60
IN_MILLIS = {"waitUntil", "waitSignal", "waitSignals", "waitActive", "waitExposed"}
BY_PLACE = {"timeout": 0, "settimeout": 0, "join": 0, "acquire": 0, "wait": 0, "wait_for": 1, "select": 3}
"""Where such a call has its limit when it does not name it."""
LIMIT_IS_THE_MATTER = {
    "tests/unit/app/gate/test_inbox.py": 1,  # a wait that is given up while its question stands
    "tests/views/test_run_bridge.py": 1,  # each of many looks, in a thread whose own loop must not turn
}
"""Where a short limit is what a test is about. So many such calls a file."""
AGAINST_TIME = ("tests/benchmarks/", "tests/conformance/miniwob/")
"""Those measure, and games go on by themselves."""


def limit_of(call: ast.Call) -> float | None:
    """How many seconds the call waits at most, where a plain number says it."""
    name = called_name(call)
    named = [keyword.value for keyword in call.keywords if keyword.arg == "timeout"]
    place = BY_PLACE.get(name)
    if place is not None and len(call.args) == place + 1:
        named.append(call.args[place])
    of_the_window = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value).endswith("qtbot")
    if not named or (of_the_window and name not in IN_MILLIS):
        return None
    limit = named[0].value if isinstance(named[0], ast.Constant) else None
    if not isinstance(limit, int | float) or isinstance(limit, bool):
        return None
    return limit / 1000 if name in IN_MILLIS else limit


def short_limits(file: SourceFile) -> list[str]:
    """Calls that wait for something, but not long; none that only looks."""
    return [file.at(call) for call in file.calls() if 0 < (limit_of(call) or 0) < LEAST_SECS]


def test_nothing_is_waited_for_less_than_a_minute() -> None:
    found = {file.name: short_limits(file) for file in source_files("tests") if not file.name.startswith(AGAINST_TIME)}
    assert {name: at for name, at in found.items() if len(at) != LIMIT_IS_THE_MATTER.get(name, 0)} == {}
