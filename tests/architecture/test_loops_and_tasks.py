"""No nested event loop, ever; and one way to start a background task."""

import ast

from tests.architecture.source import SourceFile, called_name, source_files

NESTED = {"exec_", "processEvents", "QEventLoop", "waitForFinished"}
TASK_STARTERS = {"create_task", "ensure_future", "run_coroutine_threadsafe"}
ENDERS = {"app/main.py", "app/__main__.py", "app/rehearsal/__main__.py", "app/views/qt_start.py"}
WINDOW_LOOP = "app/views/bridge.py"
"""Runs the window's loop itself, and before that once Qt's, for the first paint; neither inside the other."""
STARTERS = {"app/tasks.py", "drivers/browser/tabs.py"}
"""The one way of the console, and that of the browser driver, which imports nothing of the console."""
AWAITED_IN_PLACE = {
    "drivers/remote/rfb.py": 1,  # the one reader of a connection; whoever opened that ends and awaits it
    "drivers/remote/vnc.py": 1,  # asked from the driver's own thread, which waits for the answer
    WINDOW_LOOP: 1,  # the window's main task, which the loop runs until it ends
    "app/runner/session.py": 1,  # the run itself, awaited in the next statement; a stop cancels it
    "drivers/browser/navigation.py": 1,  # a wait that a stop can give up; it is ended in the same function
    "drivers/browser/proxy.py": 2,  # an answer and its reader's leaving: both are ended in the same function
    "drivers/listening.py": 1,  # one a connection; whoever closes the listener ends and awaits them
    "drivers/browser/session.py": 1,  # the one closing, which every caller of close awaits
}
"""Tasks that are no background: whoever starts one awaits it. So many such calls a file at most."""
ASYNC_SLOTS = {"asyncSlot", "asyncClose"}


def task_starts(file: SourceFile) -> list[str]:
    """Where the file starts a task outside an `async with asyncio.TaskGroup()`."""
    groups = {
        ast.unparse(item.optional_vars)
        for node in ast.walk(file.tree)
        if isinstance(node, ast.AsyncWith)
        for item in node.items
        if item.optional_vars is not None and ast.unparse(item.context_expr) == "asyncio.TaskGroup()"
    }
    return [
        file.at(call)
        for call in file.calls()
        if called_name(call) in TASK_STARTERS
        and not (isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in groups)
    ]


def test_nothing_runs_a_nested_event_loop() -> None:
    """A dialog that runs its own loop inside a task loses other tasks' wake-ups for good."""
    found = [
        file.at(call)
        for file in source_files()
        for call in file.calls()
        if file.name != WINDOW_LOOP
        if called_name(call) in NESTED or (isinstance(call.func, ast.Attribute) and call.func.attr == "exec")
    ]
    assert found == []


def test_the_window_runs_each_of_its_loops_once() -> None:
    bridge = next(file for file in source_files("app") if file.name == WINDOW_LOOP)
    names = [called_name(call) for call in bridge.calls()]
    assert (names.count("exec"), names.count("QEventLoop")) == (1, 1)
    assert not {"processEvents", "exec_"} & set(names)


def test_background_tasks_are_started_in_one_place() -> None:
    """A task that nobody names, owns and watches can vanish, or fail without a word. A group's child cannot."""
    found = {file.name: task_starts(file) for file in source_files() if file.name not in STARTERS}
    assert {name: places for name, places in found.items() if len(places) > AWAITED_IN_PLACE.get(name, 0)} == {}


def test_no_slot_is_a_coroutine() -> None:
    """qasync's own slots drop arguments until a call fits, and one of them spins."""
    found = [
        f"{file.at(node)} {name}"
        for file in source_files()
        for node in ast.walk(file.tree)
        if (name := getattr(node, "id", getattr(node, "attr", ""))) in ASYNC_SLOTS
    ]
    assert found == []


def test_nothing_ends_the_process_under_qt() -> None:
    """`sys.exit` in a task or slot ends the process at once: no clean-up, no saved ledger.

    While Qt itself starts nothing is open yet, and where it cannot it aborts.
    """
    found = [
        file.at(call)
        for file in source_files()
        if file.name not in ENDERS
        for call in file.calls()
        if ast.unparse(call.func) in {"sys.exit", "os._exit", "exit", "quit"}
    ]
    assert found == []
