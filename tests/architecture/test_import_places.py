"""Who may import what: Qt, its loop, the browser, the screen, the database and the SDK's runners have one place."""

import pytest

from tests.architecture.source import imported_modules, source_files

PROBES = "app/doctor/probes.py"
"""Asks, in a process of its own, whether such a thing can be loaded at all."""

PLACES = {
    "PySide6": ("app/views/", PROBES),
    "shiboken6": ("app/views/",),
    "qasync": ("app/views/bridge.py",),
    "sqlite3": ("app/ledger/", PROBES),
    "playwright": ("drivers/", PROBES),
    "mss": ("drivers/desktop/",),
    "openai.AsyncOpenAI": ("app/runner/",),
    "openai.OpenAI": ("app/runner/",),
    "openai.lib.responses_tool_runner": ("app/runner/",),
    "openai.lib.decisions_tool_runner": ("app/runner/",),
    "openai": ("app/runner/", "drivers/"),
    "uvicorn": ("app/rehearsal/",),
    "starlette": ("app/rehearsal/",),
    "keyring": ("app/keystore.py",),
}


@pytest.mark.parametrize("module", PLACES)
def test_a_library_is_imported_in_its_place_only(module: str) -> None:
    elsewhere = [
        f"{file.at(node)} imports {name}"
        for file in source_files()
        for name, node in imported_modules(file, types_too=False)
        if (name == module or name.startswith(f"{module}.")) and not file.name.startswith(PLACES[module])
    ]
    assert elsewhere == []


def test_imports_are_absolute() -> None:
    tests = source_files("app", "drivers", "resources", "tests")
    assert [file.name for file in tests if "\nfrom ." in file.text] == []
